"""Which Python modules a repository offers, and under which names they are imported."""

from __future__ import annotations

import configparser
import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from labagent.snapshot.kept import Kept
from labagent.snapshot.walk import Tree, is_api

BUILD_FILES = ("pyproject.toml", "setup.py", "setup.cfg")
CONTAINERS = frozenset({"src", "lib", "python", "code", "source", "pkg", "package"})
NOT_MODULES = frozenset(
    {"setup", "conftest", "noxfile", "versioneer", "tasks", "fabfile", "conf", "__main__"}
)
SOURCES = (".py", ".pyi")
ROOT = PurePosixPath(".")


@dataclass(frozen=True)
class Module:
    """A module by its dotted name and file; ``stub`` is the ``.pyi`` beside it."""

    name: str
    file: PurePosixPath
    stub: PurePosixPath | None = None

    @property
    def is_package(self) -> bool:
        """Whether the file is an ``__init__``."""
        return self.file.stem == "__init__"


def find_modules(tree: Tree) -> list[Module]:
    """All importable modules, sorted by name; of two with one name the first file counts.

    Packages are found by ``__init__``; loose files count where the project they lie in declares them or
    has no package at all (repositories of scripts). Tests, docs and examples do not count.
    """
    sources = [p for p in tree.files if p.suffix in SOURCES and is_api(p)]
    packages = {p.parent for p in sources if p.stem == "__init__"}
    projects = _projects(tree, packages)
    named: dict[str, PurePosixPath] = {}
    stubs: dict[str, PurePosixPath] = {}
    for path in sources:
        name = _name(tree, path, packages, projects)
        if name:
            (stubs if path.suffix == ".pyi" else named).setdefault(name, path)
    return [
        Module(name, named.get(name, stubs.get(name, ROOT)), stubs.get(name) if name in named else None)
        for name in sorted(named.keys() | stubs.keys())
    ]


def modules_of(tree: Tree, kept: Kept) -> list[Module]:
    """What :func:`find_modules` finds, or found before."""
    found = kept.part(
        tree,
        "modules",
        lambda: [(m.name, str(m.file), str(m.stub) if m.stub else "") for m in find_modules(tree)],
    )
    return [Module(n, PurePosixPath(f), PurePosixPath(s) if s else None) for n, f, s in found]


@dataclass(frozen=True)
class _Project:
    """A folder with build files: where its packages lie, and the loose modules it declares."""

    folder: PurePosixPath
    containers: frozenset[PurePosixPath]
    loose: frozenset[str]
    built: bool


def _projects(tree: Tree, packages: set[PurePosixPath]) -> dict[PurePosixPath, _Project]:
    """The projects of the repository by folder; the root is one even without build files.

    Build files inside a package (pandas ships one) make no project.
    """
    folders = {p.parent for p in tree.files if p.name in BUILD_FILES and is_api(p)} - packages
    return {f: _project(tree, f, f in folders) for f in folders | {ROOT}}


def _project(tree: Tree, folder: PurePosixPath, built: bool) -> _Project:
    """Read what a project declares about where its modules are."""
    names: set[str] = set()
    loose: set[str] = set()
    files = set(tree.files)
    if folder / "pyproject.toml" in files:
        _from_pyproject(tree.text(folder / "pyproject.toml"), names, loose)
    if folder / "setup.cfg" in files:
        _from_setup_cfg(tree.text(folder / "setup.cfg"), names, loose)
    if folder / "setup.py" in files:
        text = tree.text(folder / "setup.py")
        names |= set(re.findall(r"package_dir\s*=\s*\{\s*['\"]{2}\s*:\s*['\"]([\w/.-]+)['\"]", text))
        listed = re.search(r"py_modules\s*=\s*\[([^\]]*)\]", text)
        loose |= set(re.findall(r"['\"]([\w.]+)['\"]", listed[1])) if listed else set()
    return _Project(folder, frozenset(folder / n for n in names if n), frozenset(loose), built)


def _from_pyproject(text: str, names: set[str], loose: set[str]) -> None:
    """Containers and loose modules of setuptools and poetry tables."""
    try:
        tool: dict[str, Any] = tomllib.loads(text).get("tool", {})
    except tomllib.TOMLDecodeError:
        return
    setuptools = tool.get("setuptools", {})
    packages = setuptools.get("packages", {})
    if isinstance(packages, dict):
        names |= set(packages.get("find", {}).get("where", ()))
    names |= {v for k, v in setuptools.get("package-dir", {}).items() if k == ""}
    loose |= set(setuptools.get("py-modules", ()))
    poetry = tool.get("poetry", {}).get("packages", ())
    names |= {p["from"] for p in poetry if isinstance(p, dict) and "from" in p}


def _from_setup_cfg(text: str, names: set[str], loose: set[str]) -> None:
    """Containers and loose modules of ``[options]``."""
    parser = configparser.ConfigParser(interpolation=None, strict=False)
    try:
        parser.read_string(text)
    except configparser.Error:
        return
    directories = parser.get("options", "package_dir", fallback="")
    names |= {m.strip() for m in re.findall(r"^\s*=\s*(\S+)\s*$", directories, re.MULTILINE)}
    names |= set(parser.get("options.packages.find", "where", fallback="").split())
    loose |= set(parser.get("options", "py_modules", fallback="").replace(",", " ").split())


def _name(
    tree: Tree,
    path: PurePosixPath,
    packages: set[PurePosixPath],
    projects: dict[PurePosixPath, _Project],
) -> str:
    """The dotted name of a source file; empty where it cannot be imported."""
    project = next(projects[f] for f in (path.parent, *path.parent.parents) if f in projects)
    top = path.parent
    while top != ROOT and top in packages and top.parent in packages:
        top = top.parent
    if path.parent not in packages and not _is_loose_module(path, packages, project):
        return ""
    container = _container(path, project, packages)
    parts = list(path.relative_to(container).parts[:-1])
    if path.stem != "__init__":
        parts.append(path.stem)
    inner = len(path.relative_to(top).parts) if top in packages else 1
    while parts and not all(p.isidentifier() for p in parts) and len(parts) > inner:
        parts.pop(0)
    return ".".join(parts) if parts and all(p.isidentifier() for p in parts) else ""


def _is_loose_module(path: PurePosixPath, packages: set[PurePosixPath], project: _Project) -> bool:
    """Whether a file outside packages is importable: declared, or in a project of scripts."""
    if path.stem in project.loose:
        return True
    if path.stem in NOT_MODULES:
        return False
    return not project.built or not any(p.is_relative_to(project.folder) for p in packages)


def _container(path: PurePosixPath, project: _Project, packages: set[PurePosixPath]) -> PurePosixPath:
    """The folder names are counted from: a declared one, a usual one such as ``src``, or the project."""
    declared = [c for c in project.containers if path.is_relative_to(c)]
    if declared:
        return max(declared, key=lambda c: len(c.parts))
    first = path.relative_to(project.folder).parts[0]
    inside = project.folder / first
    return inside if first in CONTAINERS and path != inside and inside not in packages else project.folder


def top_names(modules: Iterable[Module]) -> frozenset[str]:
    """The first parts of module names: what belongs to the repository."""
    return frozenset(m.name.partition(".")[0] for m in modules)
