"""The public names of a repository's Python modules, as they can be imported."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import griffe

from labagent.models.snapshot import Callable_, Unreadable
from labagent.snapshot.layout import find_modules, top_names
from labagent.snapshot.python_load import Loaded, load, quiet
from labagent.snapshot.python_signatures import (
    constructor,
    convert,
    has_outside_base,
    is_static,
    lineage,
    parameters,
)
from labagent.snapshot.walk import Tree

SUMMARY = 200  # characters
KEEPS_SIGNATURE = "wraps"
REPLACING = ("click.command", "click.group", "typer.", "singledispatch", "vectorize", "pytest.fixture")
UNRESOLVED = (griffe.AliasResolutionError, griffe.CyclicAliasError, KeyError)


@dataclass
class Api:
    """What a repository offers in one language."""

    modules: set[str] = field(default_factory=set)
    objects: dict[str, Callable_] = field(default_factory=dict)
    constants: set[str] = field(default_factory=set)
    dynamic: set[str] = field(default_factory=set)
    unreadable: list[Unreadable] = field(default_factory=list)


def python_api(tree: Tree) -> Api:
    """Public modules, functions, classes, methods and constants of the Python sources.

    A name counts under every path it can be imported from: where it is defined and where a module of the
    repository imports it. Names with a leading underscore count only where ``__all__`` lists them.
    ``Callable_.name`` is the path of the definition; parameters are those of a call, without ``self``.
    ``dynamic`` holds the modules and classes that can have further members, and the objects whose
    signature may differ from the written one.
    """
    modules = find_modules(tree)
    loaded = load(tree, modules)
    collector = _Collector(tree.root, loaded, top_names(modules))
    with quiet():
        for name in sorted(loaded.modules):
            if collector.is_public_module(name):
                collector.add_module(name, loaded.modules[name])
    collector.api.unreadable = loaded.unreadable
    return collector.api


class _Collector:
    """Walks the griffe tree and fills an :class:`Api`."""

    def __init__(self, root: Path, loaded: Loaded, tops: frozenset[str]) -> None:
        self.root = root
        self.loaded = loaded
        self.tops = tops
        self.api = Api()

    def is_public_module(self, name: str) -> bool:
        """Whether no part of the name is private, unless the package's ``__all__`` lists it."""
        holder, _, last = name.rpartition(".")
        if last.startswith("_"):
            exports = self.loaded.modules[holder].exports if holder in self.loaded.modules else None
            if last not in (exports or ()):
                return False
        return not holder or self.is_public_module(holder)

    def add_module(self, path: str, module: griffe.Module, depth: int = 0) -> None:
        """Add a module under the path it is imported by, and the names in it."""
        self.api.modules.add(path)
        if "__getattr__" in module.members or module.path in self.loaded.dynamic:
            self.api.dynamic.add(path)
        exports = {str(name) for name in module.exports or ()}
        for name, held in list(module.members.items()):
            member = self.loaded.shadowed.get(f"{module.path}.{name}", held)
            if (name.startswith("_") and name not in exports) or "/" in name:
                continue
            if name in exports or module.is_init_module or not member.is_alias:
                self._add_member(f"{path}.{name}", member, explicit=name in exports, depth=depth)
            else:
                self._add_passing(f"{path}.{name}", member)
        for name in sorted(exports - module.members.keys()):
            self.api.dynamic.add(f"{path}.{name}")

    def _add_member(
        self, path: str, member: griffe.Object | griffe.Alias, *, explicit: bool, depth: int
    ) -> None:
        """Add one name of a module, through an import where it is one."""
        target = self._resolve(member)
        if target is None:
            inside = str(getattr(member, "target_path", "")).partition(".")[0] in self.tops
            if explicit or inside:
                self.api.dynamic.add(path)
        elif isinstance(target, griffe.Module):
            if member.is_alias and depth == 0 and path not in self.loaded.modules:
                self.add_module(path, target, depth=1)
        elif isinstance(target, griffe.Function):
            self._add_function(path, target)
        elif isinstance(target, griffe.Class):
            self._add_class(path, target)
        else:
            self._add_constant(path, target)

    def _add_passing(self, path: str, member: griffe.Object | griffe.Alias) -> None:
        """Add a function or class that a module imports for its own use: it alone, without its methods."""
        target = self._resolve(member)
        if isinstance(target, griffe.Function):
            self._add_function(path, target)
        elif isinstance(target, griffe.Class):
            self._add_class(path, target, members=False)

    def _resolve(self, member: griffe.Object | griffe.Alias) -> griffe.Object | None:
        """The object behind a member: through imports, and through ``name = other``."""
        for _ in range(10):
            try:
                target = member.final_target if isinstance(member, griffe.Alias) else member
                value = target.value if isinstance(target, griffe.Attribute) else None
                if not isinstance(value, griffe.ExprName | griffe.ExprAttribute):
                    return target
                other = self.loaded_member(value.canonical_path)
            except UNRESOLVED:
                return target if not isinstance(member, griffe.Alias) else None
            if other is None or other is member:
                return target
            member = other
        return None

    def loaded_member(self, path: str) -> griffe.Object | griffe.Alias | None:
        """An object of the tree by its dotted path."""
        if path.partition(".")[0] not in self.tops:
            return None
        try:
            found: griffe.Object | griffe.Alias = self.loaded.loader.modules_collection.get_member(path)
        except UNRESOLVED:
            return None
        return found

    def _add_function(self, path: str, function: griffe.Function, *, inherited: bool = False) -> None:
        """Add a function or method."""
        is_method = isinstance(function.parent, griffe.Class)
        bound = is_method and not is_static(function)
        found = function.overloads[-1] if not function.parameters and function.overloads else function
        self.api.objects[path] = Callable_(
            name=function.path,
            kind="method" if is_method else "function",
            parameters=parameters(found, bound=bound),
            file=self._file(function),
            line=function.lineno or 1,
            inherited=inherited,
            summary=_summary(function),
        )
        if not function.runtime or any(self._replaces(decorator) for decorator in function.decorators):
            self.api.dynamic.add(path)

    def _replaces(self, decorator: griffe.Decorator) -> bool:
        """Whether a decorator may give the function another signature."""
        path = str(decorator.callable_path)
        if any(known in path for known in REPLACING):
            return True
        inside = self.loaded_member(path)
        target = self._resolve(inside) if inside is not None else None
        return isinstance(target, griffe.Function) and KEEPS_SIGNATURE not in target.source

    def _add_class(self, path: str, cls: griffe.Class, *, members: bool = True) -> None:
        """Add a class by its constructor, with its own and inherited methods."""
        found = constructor(cls)
        self.api.objects[path] = Callable_(
            name=cls.path,
            kind="class",
            parameters=found or (),
            file=self._file(cls),
            line=cls.lineno or 1,
            summary=_summary(cls),
        )
        open_ended = has_outside_base(cls) or "__getattr__" in cls.members or self._is_reworked(cls)
        if found is None or open_ended:
            self.api.dynamic.add(path)
        seen: set[str] = set()
        for ancestor in lineage(cls) if members else ():
            for name, member in ancestor.members.items():
                if name not in seen and not name.startswith("_"):
                    seen.add(name)
                    self._add_class_member(f"{path}.{name}", member, inherited=ancestor is not cls)

    def _is_reworked(self, cls: griffe.Class) -> bool:
        """Whether a decorator of this repository may add members to the class or to one of its bases."""
        decorators = [d for ancestor in lineage(cls) for d in ancestor.decorators]
        return any(self.loaded_member(str(d.callable_path)) is not None for d in decorators)

    def _add_class_member(self, path: str, member: griffe.Object | griffe.Alias, *, inherited: bool) -> None:
        """Add a method, or the name of an attribute, property or inner class."""
        target = self._resolve(member)
        if isinstance(target, griffe.Function):
            self._add_function(path, target, inherited=inherited)
        elif isinstance(target, griffe.Class):
            if path.count(".") < 8:
                self._add_class(path, target)
        else:
            self.api.constants.add(path)

    def _add_constant(self, path: str, target: griffe.Object) -> None:
        """Add a variable; a lambda is a function."""
        value = target.value if isinstance(target, griffe.Attribute) else None
        if isinstance(value, griffe.ExprLambda):
            self.api.objects[path] = Callable_(
                name=target.path,
                kind="function",
                parameters=convert(value.parameters),
                file=self._file(target),
                line=target.lineno or 1,
            )
        else:
            self.api.constants.add(path)

    def _file(self, found: griffe.Object) -> str:
        """The file an object is defined in, relative to the repository."""
        path = found.filepath
        return path.relative_to(self.root).as_posix() if isinstance(path, Path) else ""


def _summary(found: griffe.Object) -> str:
    """The first paragraph of the docstring, in one line."""
    if found.docstring is None:
        return ""
    first = found.docstring.value.strip().split("\n\n", 1)[0]
    return " ".join(first.split())[:SUMMARY]
