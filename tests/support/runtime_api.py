"""What ``inspect`` sees of an installed package, as JSON on standard output: ``python runtime_api.py NAME``.

Run by the interpreter the package is installed for, which need not be the one of the tests.
"""

from __future__ import annotations

import contextlib
import enum
import importlib
import inspect
import io
import json
import pkgutil
import sys
import warnings
from collections.abc import Iterator
from typing import Any

ASIDE = frozenset({"test", "tests", "testing_data", "doc", "docs", "examples", "benchmarks", "conftest"})
Seen = tuple[str, str, list[list[str]] | None]


def modules(name: str) -> Iterator[tuple[str, Any]]:
    """Public modules that can be imported, tests and examples aside."""
    top = importlib.import_module(name)
    yield name, top
    for found in pkgutil.walk_packages(top.__path__, f"{name}.", onerror=lambda _: None):
        if any(p.startswith("_") or p in ASIDE for p in found.name.split(".")):
            continue
        try:
            yield found.name, importlib.import_module(found.name)
        except BaseException:
            continue


def seen(name: str) -> Iterator[Seen]:
    """Path, kind and parameters (name, kind) as a call sees them; ``None`` where none can be told."""
    for path, module in modules(name):
        for key in sorted(vars(module)):
            found = vars(module)[key]
            if key.startswith("_") or not _is_ours(found, name, path, module):
                continue
            if inspect.isclass(found):
                yield f"{path}.{key}", "class", _class_parameters(found)
                yield from methods(f"{path}.{key}", found, name)
            elif inspect.isroutine(found):
                kind = "function" if inspect.isfunction(found) else "compiled"
                yield f"{path}.{key}", kind, parameters(found)


def _is_ours(found: Any, name: str, path: str, module: Any) -> bool:
    """Whether an object is defined in the package, and in this module unless that is a package itself."""
    home = getattr(found, "__module__", "") or ""
    return home.split(".")[0] == name and (home == path or hasattr(module, "__path__"))


def methods(path: str, cls: type, top: str) -> Iterator[Seen]:
    """Public methods of a class that code of the package defines, inherited ones too."""
    for key in dir(cls):
        static = inspect.getattr_static(cls, key)
        if key.startswith("_") or isinstance(static, property) or inspect.isclass(static):
            continue
        try:
            found = getattr(cls, key)
        except BaseException:
            continue
        home = getattr(inspect.unwrap(found), "__module__", "") or "" if callable(found) else ""
        if not inspect.isroutine(found) or home.split(".")[0] != top:
            continue
        listed = parameters(found)
        bound = inspect.ismethod(found) or isinstance(static, staticmethod | classmethod)
        kind = "method" if inspect.isfunction(inspect.unwrap(found)) or bound else "compiled"
        yield f"{path}.{key}", kind, listed if listed is None or bound else listed[1:]


def _class_parameters(cls: type) -> list[list[str]] | None:
    """``None`` where Python itself invents the signature: enumerations and protocols."""
    if issubclass(cls, enum.Enum) or getattr(cls, "_is_protocol", False):
        return None
    return parameters(cls)


def parameters(found: Any) -> list[list[str]] | None:
    """Names and kinds of parameters."""
    try:
        listed = inspect.signature(found).parameters.values()
    except (ValueError, TypeError):
        return None
    return [[p.name, p.kind.name.lower()] for p in listed]


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        listed = list(seen(sys.argv[1]))
    json.dump(listed, sys.stdout)
