"""Python sources as a griffe tree: each file is parsed on its own, nothing is imported."""

from __future__ import annotations

import ast
import logging
import re
import tokenize
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import PurePosixPath

import griffe

from labagent.models.snapshot import Unreadable
from labagent.snapshot.layout import Module
from labagent.snapshot.walk import Tree

PYTHON_2 = re.compile(
    r"^\s*(print\s+[\"'\w]|exec\s+[\"'\w]|raise\s+\w+\s*,|except\s+[\w.]+\s*,\s*\w+\s*:)", re.M
)
SIGNS = ("globals()", "locals()", "vars()", "setattr(", "__dict__", "exec(")
BY_HAND = re.compile(
    r"\b(globals|locals|vars)\(\)\s*(\[|\.update)|[(,]\s*globals\(\)\s*[,)]|^setattr\(|^\w+\.__dict__\.update|^exec\(",
    re.M,
)


@dataclass
class Loaded:
    """griffe modules by name, files that do not parse, and modules that set names at run time.

    ``shadowed`` holds, by dotted path, what a package defines or imports under the name of a submodule:
    the tree keeps the submodule there, so that paths through it resolve; an import gives the other.
    """

    loader: griffe.GriffeLoader
    modules: dict[str, griffe.Module] = field(default_factory=dict)
    unreadable: list[Unreadable] = field(default_factory=list)
    dynamic: set[str] = field(default_factory=set)
    shadowed: dict[str, griffe.Object | griffe.Alias] = field(default_factory=dict)


def load(tree: Tree, modules: list[Module]) -> Loaded:
    """Parse ``modules`` and resolve what they export and import from each other."""
    loader = griffe.GriffeLoader(allow_inspection=False, extensions=griffe.load_extensions())
    loaded = Loaded(loader)
    with quiet():
        for module in modules:
            parsed = _parse(tree, module.file, module.name, loader, loaded)
            if parsed is None:
                continue
            if module.stub is not None:
                stub = _parse(tree, module.stub, module.name, loader, loaded)
                parsed = _merged(parsed, stub) if stub is not None else parsed
            loaded.modules[module.name] = parsed
        _link(loaded, loader)
    return loaded


@contextmanager
def quiet() -> Iterator[None]:
    """Keep griffe's and the compiler's remarks on other people's code to ourselves."""
    logger = logging.getLogger("griffe")
    level = logger.level
    logger.setLevel(logging.CRITICAL + 1)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logger.setLevel(level)


def _parse(
    tree: Tree, file: PurePosixPath, name: str, loader: griffe.GriffeLoader, loaded: Loaded
) -> griffe.Module | None:
    """One file as a module without its place in the tree; ``None`` and a record where it does not parse."""
    path = tree.root / file
    try:
        with tokenize.open(path) as stream:
            code = stream.read()
        loader.lines_collection[path] = code.splitlines()
        module = griffe.visit(
            name.rpartition(".")[2],
            filepath=path,
            code=code,
            extensions=loader.extensions,
            parent=_parent(tree, loaded, name),
            lines_collection=loader.lines_collection,
            modules_collection=loader.modules_collection,
        )
    except (SyntaxError, ValueError, RecursionError, MemoryError, tokenize.TokenError) as error:
        loaded.unreadable.append(Unreadable(file=file.as_posix(), reason=_reason(path.read_bytes(), error)))
        return None
    if any(sign in code for sign in SIGNS) and BY_HAND.search(code):
        loaded.dynamic.add(name)
    return module


def _merged(module: griffe.Module, stub: griffe.Module) -> griffe.Module:
    """Add what a stub knows; one that griffe cannot merge (it names imports not loaded yet) is left out."""
    try:
        return griffe.merge_stubs(module, stub)
    except (griffe.AliasResolutionError, griffe.CyclicAliasError, KeyError):
        return module


def _parent(tree: Tree, loaded: Loaded, name: str) -> griffe.Module | None:
    """The module that holds ``name``, made where its file is missing or does not parse."""
    holder = name.rpartition(".")[0]
    if not holder:
        return None
    if holder not in loaded.modules:
        above = _parent(tree, loaded, holder)
        loaded.modules[holder] = griffe.Module(
            holder.rpartition(".")[2],
            filepath=[tree.root],
            parent=above,
            lines_collection=loaded.loader.lines_collection,
            modules_collection=loaded.loader.modules_collection,
        )
    return loaded.modules[holder]


def _reason(data: bytes, error: Exception) -> str:
    """Why a file is unreadable, with the line."""
    line = getattr(error, "lineno", None)
    place = f"line {line}: " if line else ""
    text = str(getattr(error, "msg", "") or error).split("\n", 1)[0]
    if isinstance(error, SyntaxError) and PYTHON_2.search(data.decode("latin-1")):
        return f"{place}Python 2 code: {text}"
    return f"{place}{text or type(error).__name__}"


def _link(loaded: Loaded, loader: griffe.GriffeLoader) -> None:
    """Put modules into their parents and expand ``__all__`` and wildcard imports."""
    collection = loader.modules_collection
    for name in sorted(loaded.modules):
        module = loaded.modules[name]
        holder = name.rpartition(".")[0]
        if holder:
            _attach(loaded, loaded.modules[holder], module)
        else:
            collection.set_member(name, module)
    wildcards = [
        (name, member.wildcard)
        for name, module in loaded.modules.items()
        for member in module.members.values()
        if isinstance(member, griffe.Alias) and member.wildcard
    ]
    _spread_dynamic(loaded, wildcards)
    for name in sorted(n for n in loaded.modules if "." not in n):
        loader.expand_exports(loaded.modules[name])
    for name in sorted(n for n in loaded.modules if "." not in n):
        loader.expand_wildcards(loaded.modules[name], external=False)
        loader.extensions.call("on_package", pkg=loaded.modules[name], loader=loader)


def _spread_dynamic(loaded: Loaded, wildcards: list[tuple[str, str]]) -> None:
    """Mark modules that import all names of one that is dynamic, or is not in the tree."""
    changed = True
    while changed:
        changed = False
        for name, source in wildcards:
            if name not in loaded.dynamic and (source in loaded.dynamic or source not in loaded.modules):
                loaded.dynamic.add(name)
                changed = True


def _attach(loaded: Loaded, holder: griffe.Module, module: griffe.Module) -> None:
    """Make ``module`` a member; what it hides there is remembered, unless it is its own import."""
    present = holder.members.get(module.name)
    imports_it = isinstance(present, griffe.Alias) and present.target_path == module.path
    if present is not None and present is not module and not imports_it:
        loaded.shadowed[module.path] = present
    holder.set_member(module.name, module)


def parses(code: str) -> bool:
    """Whether a text is Python code."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True
