"""What the code of a module means, as a hash that Snakemake can compare.

Snakemake does not see edits inside an imported package. Rules whose results are free to compute carry
``fingerprint(module)`` as a parameter: the hash of the syntax trees of the module, of its submodules (some
are discovered, not imported) and of all that these import from this package, without docstrings, comments
and formatting, and of the data files of those subpackages.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).parent
NAME = PACKAGE.name


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
            parts = file.relative_to(PACKAGE.parent).with_suffix("").parts
            yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


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
def _tree(name: str) -> ast.Module:
    """The syntax tree of a module, without docstrings."""
    tree = ast.parse(_path(name).read_bytes())
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[0] if node.body else None
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                node.body = node.body[1:]
    return tree


@cache
def _imports(name: str) -> tuple[str, ...]:
    """Modules of this package that a module imports, wherever the statement stands."""
    found = [n for node in ast.walk(_tree(name)) for n in _imported(node)]
    inside = {n for n in found if n == NAME or n.startswith(f"{NAME}.")}
    return tuple(sorted(n for n in inside if _is_module(n)))


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
    digest = hashlib.sha256(ast.dump(_tree(name)).encode())
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
