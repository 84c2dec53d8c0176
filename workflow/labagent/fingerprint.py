"""What the code of a module means, as a hash that Snakemake can compare.

Snakemake does not see edits inside an imported package. Rules whose results are free to compute carry
``fingerprint(module)`` as a parameter: the hash of the syntax trees of the module, of its submodules (some
are discovered, not imported) and of all that these import from this package, without docstrings, comments
and formatting, and of the data files of those subpackages.

Parsing 200 files takes most of the time Snakemake needs to read the workflow, so what was found in a file is
kept (``remember_in``) under its size and its times; the time of the last change of the inode is one of them,
which no program sets.
"""

from __future__ import annotations

import ast
import hashlib
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from labagent.files import read_json, write_json

PACKAGE = Path(__file__).parent
NAME = PACKAGE.name


@dataclass
class _Memo:
    """What was found in files: path → stamp, hash of the tree, names it imports."""

    path: Path | None = None
    known: dict[str, Any] = field(default_factory=dict)
    changed: bool = False


_MEMO = _Memo()


def remember_in(path: Path) -> None:
    """Keep what is found in source files in a JSON file, and use what an earlier process found.

    Call :func:`write_memo` at the end.
    """
    _MEMO.path = path
    with suppress(OSError, ValueError):
        found = read_json(path)
        if isinstance(found, dict):
            _MEMO.known = found


def write_memo() -> None:
    """Write what was found anew, if anything, to the file given to :func:`remember_in`."""
    if _MEMO.path and _MEMO.changed:
        with suppress(OSError):
            write_json(_MEMO.path, _MEMO.known)
        _MEMO.changed = False


def fingerprint(*modules: str) -> str:
    """Hash of the import closure of modules named like ``labagent.stage``.

    Raises:
        ModuleNotFoundError: a name is no module of this package.
    """
    digest = hashlib.sha256()
    for name in sorted(_closure(frozenset(modules))):
        digest.update(f"{name} {_module_hash(name)}\n".encode())
    return digest.hexdigest()[:16]


@cache
def content_hash(folder: str, pattern: str) -> str:
    """Hash of the package's data files below ``folder`` that match a glob: prompts, templates."""
    digest = hashlib.sha256()
    for path in sorted(p for p in (PACKAGE / folder).rglob(pattern) if _is_source(p)):
        digest.update(f"{path.relative_to(PACKAGE).as_posix()}\0".encode() + path.read_bytes())
    return digest.hexdigest()[:16]


def _closure(names: frozenset[str]) -> frozenset[str]:
    """The modules and all that they import from this package, parents included."""
    found: set[str] = set()
    queue = [n for name in names for n in (name, *_submodules(name))]
    while queue:
        name = queue.pop()
        if name in found:
            continue
        found.add(name)
        queue += [n for n in _imports(name) if n not in found]
        if "." in name:
            queue.append(name.rpartition(".")[0])
    return frozenset(found)


def _submodules(name: str) -> Iterator[str]:
    """All modules below a package."""
    path = _path(name)
    if path.name == "__init__.py":
        for file in path.parent.rglob("*.py"):
            if not (file.parent / "__init__.py").is_file():
                continue  # a file of data, in no package
            parts = file.relative_to(PACKAGE.parent).with_suffix("").parts
            yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def _path(name: str) -> Path:
    """The source file of a module."""
    place = PACKAGE.parent / Path(*name.split("."))
    for path in (place / "__init__.py", place.with_suffix(".py")):
        if path.is_file():
            return path
    raise ModuleNotFoundError(f"no module {name} in {NAME}")


def _is_module(name: str) -> bool:
    """Whether a dotted name is a module, not an attribute."""
    try:
        _path(name)
    except ModuleNotFoundError:
        return False
    return True


@cache
def _source(name: str) -> tuple[str, tuple[str, ...]]:
    """Hash of a module's syntax tree and the dotted names in this package it may import."""
    path = _path(name)
    status = path.stat()
    stamp = [sys.version, status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino]
    known = _MEMO.known.get(str(path))
    if not known or known[0] != stamp:
        known = [stamp, *_parse(path.read_bytes())]
        _MEMO.known[str(path)] = known
        _MEMO.changed = True
    return known[1], tuple(known[2])


def _parse(source: bytes) -> tuple[str, list[str]]:
    """Hash of a syntax tree without docstrings, and the names of this package it imports."""
    tree = ast.parse(source)
    names: set[str] = set()
    for node in ast.walk(tree):
        names.update(_imported(node))
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[0] if node.body else None
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                node.body = node.body[1:]
    inside = sorted(n for n in names if n == NAME or n.startswith(f"{NAME}."))
    return hashlib.sha256(ast.dump(tree).encode()).hexdigest(), inside


@cache
def _imports(name: str) -> tuple[str, ...]:
    """Modules of this package that a module imports, wherever the statement stands."""
    return tuple(n for n in _source(name)[1] if _is_module(n))


def _imported(node: ast.AST) -> Iterator[str]:
    """Dotted names a statement may import."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
        yield node.module
        yield from (f"{node.module}.{alias.name}" for alias in node.names)


@cache
def _module_hash(name: str) -> str:
    """Hash of one module's tree, and of the data files beside a subpackage's ``__init__``."""
    digest = hashlib.sha256(_source(name)[0].encode())
    path = _path(name)
    if path.name == "__init__.py" and name != NAME:
        for data in sorted(p for p in path.parent.rglob("*") if _is_data(p)):
            digest.update(f"{data.relative_to(PACKAGE).as_posix()}\0".encode() + data.read_bytes())
    return digest.hexdigest()


def _is_source(path: Path) -> bool:
    """Whether a file belongs to the package: no folder, no cache."""
    return path.is_file() and "__pycache__" not in path.parts


def _is_data(path: Path) -> bool:
    """Whether a file of the package is data, not code."""
    return _is_source(path) and path.suffix != ".py"
