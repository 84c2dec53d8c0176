"""The public names of a repository's Python modules, as they can be imported."""

from __future__ import annotations

from dataclasses import dataclass, field

from labagent.models.snapshot import Callable_, Parameter, Unreadable
from labagent.snapshot.kept import Kept
from labagent.snapshot.layout import Module, find_modules
from labagent.snapshot.python_link import Linker, Node
from labagent.snapshot.python_load import load
from labagent.snapshot.python_signatures import (
    Constructors,
    forget_records,
    named_tuple,
    parameters,
    record,
)
from labagent.snapshot.python_units import Alias, Attribute, Class, Function, Member
from labagent.snapshot.walk import Tree

REPLACING = ("click.command", "click.group", "typer.", "singledispatch", "vectorize", "pytest.fixture")
SELF = frozenset({"Self", "typing.Self", "typing_extensions.Self"})
MAX_INNER = 8  # dots in the path of an inner class


@dataclass
class Api:
    """What a repository offers in one language."""

    modules: set[str] = field(default_factory=set)
    objects: dict[str, Callable_] = field(default_factory=dict)
    constants: set[str] = field(default_factory=set)
    dynamic: set[str] = field(default_factory=set)
    unreadable: list[Unreadable] = field(default_factory=list)


def python_api(tree: Tree, kept: Kept | None = None, modules: list[Module] | None = None) -> Api:
    """Public modules, functions, classes, methods and constants of the Python sources.

    A name counts under every path it can be imported from: where it is defined and where a module of the
    repository imports it. Names with a leading underscore count only where ``__all__`` lists them.
    ``Callable_.name`` is the path of the definition; parameters are those of a call, without ``self``.
    ``dynamic`` holds the modules and classes that can have further members, and the objects whose
    signature may differ from the written one.
    """
    loaded = load(tree, find_modules(tree) if modules is None else modules, kept or Kept())
    collector = _Collector(Linker(loaded.units))
    for name in sorted(collector.linker.units):
        if collector.is_public_module(name):
            collector.add_module(name, name)
    collector.api.unreadable = loaded.unreadable
    forget_records()
    return collector.api


class _Collector:
    """Walks the modules and fills an :class:`Api`."""

    def __init__(self, linker: Linker) -> None:
        self.linker = linker
        self.constructors = Constructors(linker)
        self.api = Api()
        self._listed: dict[tuple[str, bool], tuple[Parameter, ...]] = {}
        self._replacing: dict[str, bool] = {}
        self._open: dict[str, bool] = {}
        self.grown = self._grown()
        self.subclassed = self._subclassed()

    def _subclassed(self) -> frozenset[str]:
        """Classes that others of the repository are derived from."""
        found: set[str] = set()
        for module, unit in self.linker.units.items():
            for name, member in unit.members.items():
                if isinstance(member, Class):
                    node = Node(f"{module}.{name}", module, "", member)
                    found.update(base.path for base in self.linker.bases(node))
        return frozenset(found)

    def _grown(self) -> frozenset[str]:
        """Classes that a module gives, at its top level, to a function that sets attributes by name."""
        found = set()
        for module, unit in self.linker.units.items():
            for function, name in unit.passed:
                node = self.linker.find(self.linker.absolute(module, "", function))
                if node is not None and isinstance(node.member, Function) and node.member.sets:
                    found.add(f"{module}.{name}")
        return frozenset(found)

    def is_public_module(self, name: str) -> bool:
        """Whether no part of the name is private, unless the package's ``__all__`` lists it."""
        holder, _, last = name.rpartition(".")
        if last.startswith("_"):
            exports = self.linker.exports(holder) if holder in self.linker.units else None
            if last not in (exports or ()):
                return False
        return not holder or self.is_public_module(holder)

    def add_module(self, path: str, module: str, depth: int = 0) -> None:
        """Add a module under the path it is imported by, and the names in it."""
        self.api.modules.add(path)
        members, unit = self.linker.members(module), self.linker.units[module]
        if "__getattr__" in members or module in self.linker.dynamic:
            self.api.dynamic.add(path)
        exports = self.linker.exports(module) or ()
        listed = frozenset(exports)
        for name, member in members.items():
            if (name.startswith("_") and name not in listed) or "/" in name:
                continue
            if name in listed or unit.is_package or not isinstance(member, Alias):
                self._add_member(path, module, name, member, explicit=name in listed, depth=depth)
            else:
                self._add_passing(f"{path}.{name}", self.linker.resolve(module, "", name, member))
        for name in sorted(listed - members.keys()):
            if f"{module}.{name}" not in self.linker.units:
                self.api.dynamic.add(f"{path}.{name}")

    def _add_member(
        self, holder: str, module: str, name: str, member: Member, *, explicit: bool, depth: int
    ) -> None:
        """Add one name of a module, through an import where it is one."""
        path = f"{holder}.{name}"
        node = self.linker.resolve(module, "", name, member)
        if node is None:
            target = member.target if isinstance(member, Alias) else ""
            if explicit or target.partition(".")[0] in self.linker.tops:
                self.api.dynamic.add(path)
        elif node.member is None:
            if isinstance(member, Alias) and depth == 0 and path not in self.linker.units:
                self.add_module(path, node.path, depth=1)
        else:
            self._add(path, node)

    def _add_passing(self, path: str, node: Node | None) -> None:
        """Add a function or class that a module imports for its own use: it alone, without its methods."""
        if node is None:
            return
        if isinstance(node.member, Function):
            self._add_function(path, node, node.member)
        elif isinstance(node.member, Class):
            self._add_class(path, node, node.member, members=False)

    def _add(self, path: str, node: Node, *, inherited: bool = False) -> None:
        """Add a function, class or variable."""
        if isinstance(node.member, Function):
            self._add_function(path, node, node.member, inherited=inherited)
        elif isinstance(node.member, Class):
            if path.count(".") < MAX_INNER or not node.owner:
                self._add_class(path, node, node.member)
        elif isinstance(node.member, Attribute):
            self._add_constant(path, node.path, node.member)

    def _add_function(self, path: str, node: Node, function: Function, *, inherited: bool = False) -> None:
        """Add a function or method."""
        self.api.objects[path] = Callable_(
            name=node.path,
            kind="method" if node.owner else "function",
            parameters=self._parameters(node, function),
            file=function.file,
            line=function.line,
            inherited=inherited,
            summary=function.summary,
            returns=self._returned(path, node, function),
        )
        if not self._is_certain(node, function):
            self.api.dynamic.add(path)

    def _returned(self, path: str, node: Node, function: Function) -> str:
        """Where the class is defined that a function returns; one with subclasses may be any of them."""
        written = function.returns
        if not written or function.decorators:
            return ""
        target = self.linker.absolute(node.module, node.owner, written)
        if target in SELF and node.owner:
            held = self.api.objects.get(path.rpartition(".")[0])
            return held.name if held is not None and held.kind == "class" else ""
        found = self.linker.find(target)
        is_class = found is not None and isinstance(found.member, Class)
        return found.path if found is not None and is_class and found.path not in self.subclassed else ""

    def _parameters(self, node: Node, function: Function) -> tuple[Parameter, ...]:
        """The parameters of a call, worked out once for all paths of a function."""
        bound = bool(node.owner) and not function.static
        key = (node.path, bound)
        if key not in self._listed:
            self._listed[key] = parameters(function, node.owner.rpartition(".")[2], bound=bound)
        return self._listed[key]

    def _is_certain(self, node: Node, function: Function) -> bool:
        """Whether a call meets the parameters as they are written."""
        if not function.certain or not function.runtime:
            return False
        return not any(self._replaces(node, written) for written in function.decorators)

    def _replaces(self, node: Node, decorator: str) -> bool:
        """Whether a decorator may give a function another signature."""
        path = self.linker.absolute(node.module, node.owner, decorator)
        if path not in self._replacing:
            known = any(part in path for part in REPLACING)
            self._replacing[path] = known or self._changes(path, 0)
        return self._replacing[path]

    def _changes(self, path: str, depth: int) -> bool:
        """Whether what stands at a path, called with a function, may give one with another signature."""
        found = self.linker.find(path)
        if found is None:
            return False
        if isinstance(found.member, Class):
            call = found.member.members.get("__call__")
            same = isinstance(call, Function) and call.keeps in ("wraps", "same")
            return not (same or found.member.keeps)
        if not isinstance(found.member, Function):
            return path.partition(".")[0] in self.linker.tops and not isinstance(found.member, Attribute)
        if found.member.keeps in ("wraps", "same"):
            return False
        if found.member.keeps == "signature" or not found.member.through or depth > 2:
            return True
        through = [self.linker.absolute(found.module, "", name) for name in found.member.through]
        inside = [p for p in through if self.linker.find(p) is not None and p != path]
        return not inside or all(self._changes(p, depth + 1) for p in inside)

    def _add_class(self, path: str, node: Node, cls: Class, *, members: bool = True) -> None:
        """Add a class by its constructor, with its own and inherited methods."""
        found = self.constructors.of(node)
        self.api.objects[path] = Callable_(
            name=node.path,
            kind="class",
            parameters=found or (),
            file=cls.file,
            line=cls.line,
            summary=cls.summary,
        )
        if found is None or self._is_open(node) or not self._is_certain_constructor(node):
            self.api.dynamic.add(path)
        seen: set[str] = set()
        for ancestor in self.linker.lineage(node) if members else ():
            for name, member in ancestor.member.members.items() if isinstance(ancestor.member, Class) else ():
                if name not in seen and not name.startswith("_"):
                    seen.add(name)
                    self._add_class_member(path, ancestor, name, member, inherited=ancestor.path != node.path)

    def _is_open(self, node: Node) -> bool:
        """Whether a class may have members that are not written in it or its bases."""
        if node.path not in self._open:
            self._open[node.path] = self.constructors.has_outside_base(node) or any(
                self._grows(ancestor) for ancestor in self.linker.lineage(node)
            )
        return self._open[node.path]

    def _grows(self, node: Node) -> bool:
        """Whether a class answers for any name, or a decorator or call of this repository may rework it."""
        cls = node.member
        if not isinstance(cls, Class):
            return False
        if "__getattr__" in cls.members or node.path in self.grown:
            return True
        return any(self._reworks(self.linker.absolute(node.module, node.owner, d)) for d in cls.decorators)

    def _reworks(self, decorator: str) -> bool:
        """Whether a decorator of this repository may add members to a class."""
        found = self.linker.find(decorator)
        if found is None:
            return False
        same = isinstance(found.member, Function) and found.member.keeps == "same" and not found.member.sets
        return not same

    def _is_certain_constructor(self, node: Node) -> bool:
        """Whether no decorator changes how the class is called."""
        for name in ("__init__", "__new__"):
            for ancestor in self.linker.lineage(node):
                member = ancestor.member.members.get(name) if isinstance(ancestor.member, Class) else None
                if isinstance(member, Function):
                    inner = Node(f"{ancestor.path}.{name}", ancestor.module, ancestor.path, member)
                    return self._is_certain(inner, member)
        return True

    def _add_class_member(self, path: str, cls: Node, name: str, member: Member, *, inherited: bool) -> None:
        """Add a method, or the name of an attribute, property or inner class."""
        node = self.linker.resolve(cls.module, cls.path, name, member)
        if node is None or node.member is None:
            self.api.constants.add(f"{path}.{name}")
        else:
            self._add(f"{path}.{name}", self._as_method(node, cls, member), inherited=inherited)

    def _as_method(self, node: Node, cls: Node, member: Member) -> Node:
        """A function of the module that a class takes as its own is a method of the class."""
        if isinstance(node.member, Function) and not node.owner and isinstance(member, Attribute | Alias):
            return node._replace(owner=cls.path)
        return node

    def _add_constant(self, path: str, defined: str, target: Attribute) -> None:
        """Add a variable; a lambda is a function, a named tuple a class."""
        fields = named_tuple(target.value)
        if target.parameters is None and fields is None:
            self.api.constants.add(path)
            return
        listed = tuple(record(p) for p in target.parameters or ())
        self.api.objects[path] = Callable_(
            name=defined,
            kind="function" if fields is None else "class",
            parameters=listed if fields is None else fields,
            file=target.file,
            line=target.line,
        )
        if fields is not None:
            self.api.constants.update(f"{path}.{f.name}" for f in fields)
