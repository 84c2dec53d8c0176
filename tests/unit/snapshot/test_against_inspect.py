"""The snapshot of installed packages against what ``inspect`` sees in the running interpreter."""

from __future__ import annotations

import enum
import importlib
import inspect
import pkgutil
import shutil
from pathlib import Path

import pytest

from labagent.snapshot import snapshot
from labagent.snapshot.query import has_certain_signature, is_known, may_exist
from labagent.snapshot.walk import NOT_API


def copied(name: str, folder: Path) -> Path:
    """The package's files alone, as a repository."""
    source = Path(importlib.import_module(name).__file__ or "").parent
    shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def public_callables(name: str):
    """(path, object, parameter names as a call sees them) of what the running package offers."""
    top = importlib.import_module(name)
    listed = [
        name,
        *(m.name for m in pkgutil.walk_packages(top.__path__, f"{name}.", onerror=lambda _: None)),
    ]
    for path in listed:
        if any(p.startswith("_") or p in NOT_API for p in path.split(".")):
            continue
        try:
            module = importlib.import_module(path)
        except ImportError:
            continue
        for key, found in vars(module).items():
            home = getattr(found, "__module__", "") or ""
            ours = home.split(".")[0] == name and (home == path or hasattr(module, "__path__"))
            if key.startswith("_") or not ours or not (inspect.isfunction(found) or inspect.isclass(found)):
                continue
            yield f"{path}.{key}", found, parameter_names(found)
            if inspect.isclass(found):
                yield from public_methods(f"{path}.{key}", found, name)


def public_methods(path: str, cls: type, top: str):
    for key in dir(cls):
        static = inspect.getattr_static(cls, key)
        inner = static.__func__ if isinstance(static, classmethod | staticmethod) else static
        home = getattr(inner, "__module__", "") or ""
        if key.startswith("_") or not inspect.isfunction(inner) or home.split(".")[0] != top:
            continue
        listed = parameter_names(inner)
        bound = listed if listed is None or isinstance(static, staticmethod) else listed[1:]
        yield f"{path}.{key}", inner, bound


def parameter_names(found) -> list[str] | None:
    """``None`` where Python itself invents the signature: enumerations, protocols, compiled code."""
    if inspect.isclass(found) and (issubclass(found, enum.Enum) or getattr(found, "_is_protocol", False)):
        return None
    try:
        return list(inspect.signature(found).parameters)
    except (ValueError, TypeError):
        return None


@pytest.mark.parametrize(
    ("name", "least"), [("jinja2", 1500), ("rich", 500), ("filelock", 60), ("yaml", 1000)]
)
def test_agreement(name, least, tmp_path):
    snap = snapshot(copied(name, tmp_path), name)
    seen = list(public_callables(name))
    assert len(seen) > least
    missing = [path for path, _, _ in seen if not may_exist(snap, path)]
    listed = [path for path, _, _ in seen if is_known(snap, path)]
    compared = [(p, s) for p, _, s in seen if s is not None and has_certain_signature(snap, p)]
    wrong = [p for p, s in compared if s != [q.name for q in snap.objects[p].parameters]]
    assert len(missing) <= 0.01 * len(seen), missing[:20]
    assert len(wrong) <= 0.01 * len(compared), wrong[:20]
    assert len(listed) > 0.95 * len(seen), {p for p, _, _ in seen} - set(listed)
    assert len(compared) > 0.6 * len(seen)


def test_what_may_exist(tmp_path):
    package = tmp_path / "pkg"
    package.mkdir()
    (package / "__init__.py").write_text("def __getattr__(name): ...\n")
    (package / "a.py").write_text("import out\nclass A(out.B):\n    def f(self): pass\nclass C: pass\n")
    snap = snapshot(tmp_path, "lab")
    assert may_exist(snap, "pkg.anything")
    assert may_exist(snap, "pkg.a.A.inherited")
    assert not may_exist(snap, "pkg.a.missing")
    assert not may_exist(snap, "pkg.a.C.missing")
    assert not may_exist(snap, "other.name")
    assert not has_certain_signature(snap, "pkg.a.A")
    assert has_certain_signature(snap, "pkg.a.A.f")
