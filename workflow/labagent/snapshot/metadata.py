"""What a repository says about itself: name, version, summary, supported Python, console commands."""

from __future__ import annotations

import configparser
import email
import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from functools import partial
from pathlib import PurePosixPath
from typing import Any

from labagent.models.snapshot import EntryPoint
from labagent.snapshot.dcf import read_dcf, value
from labagent.snapshot.kept import Kept
from labagent.snapshot.records import plain, restored
from labagent.snapshot.setup_call import read_setup
from labagent.snapshot.walk import Tree, is_api

TEXT = re.compile(r"^\s*(?P<name>[\w.-]+)\s*=\s*(?P<target>[^\s#;]+)", re.MULTILINE)
VERSION = re.compile(r"""^__version__\s*(?::\s*str\s*)?=\s*['"]([^'"]+)['"]""", re.MULTILINE)
VERSION_FILES = (
    "__init__.py",
    "_version.py",
    "version.py",
    "__version__.py",
    "__about__.py",
    "_metadata.py",
)
CONSOLE = ("console_scripts", "gui_scripts")


@dataclass(frozen=True)
class Metadata:
    """Empty fields are not stated anywhere."""

    distribution: str = ""
    version: str = ""
    summary: str = ""
    requires_python: str = ""
    entry_points: tuple[EntryPoint, ...] = ()


def read_metadata(tree: Tree, kept: Kept) -> Metadata:
    """The metadata of the project at the top; of several files the first that states a field counts."""
    name, number, summary, python, points = kept.part(tree, "metadata", lambda: _plain(_read(tree)))
    number = number or _written_version(tree, kept)
    return Metadata(name, number, summary, python, tuple(restored(EntryPoint, point) for point in points))


def _plain(found: Metadata) -> tuple[Any, ...]:
    """Metadata made of built-in types."""
    points = tuple(plain(point) for point in found.entry_points)
    return (found.distribution, found.version, found.summary, found.requires_python, points)


def _read(tree: Tree) -> Metadata:
    """The metadata of all files at the top."""
    readers: tuple[tuple[str, Callable[[Tree, PurePosixPath], Metadata]], ...] = (
        ("pyproject.toml", _pyproject),
        ("setup.cfg", _setup_cfg),
        ("setup.py", _setup_py),
        ("PKG-INFO", _pkg_info),
        ("DESCRIPTION", _description),
    )
    result = Metadata()
    for name, reader in readers:
        path = PurePosixPath(name)
        if path not in tree.files:
            continue
        try:
            found = reader(tree, path)
        except (ValueError, KeyError, TypeError, AttributeError):
            continue  # such a file is listed as unreadable where its dependencies are read
        missing = {f.name: getattr(found, f.name) for f in fields(result) if not getattr(result, f.name)}
        result = replace(result, **missing)
    return result


def _points(table: Any) -> tuple[EntryPoint, ...]:
    """Console commands of a ``name = target`` table."""
    pairs = table.items() if isinstance(table, dict) else ()
    return tuple(EntryPoint(name=str(k), target=str(v)) for k, v in sorted(pairs) if isinstance(v, str))


def _lines(texts: Any) -> tuple[EntryPoint, ...]:
    """Console commands written as ``name = target`` texts."""
    joined = texts if isinstance(texts, str) else "\n".join(str(t) for t in texts or ())
    return tuple(EntryPoint(name=m["name"], target=m["target"]) for m in TEXT.finditer(joined))


def _scripts(listed: Any) -> tuple[EntryPoint, ...]:
    """Scripts that are installed as they are: the command is the file's name."""
    paths = [PurePosixPath(p) for p in listed or () if isinstance(p, str)] if isinstance(listed, list) else []
    return tuple(EntryPoint(name=path.name, target=path.as_posix()) for path in paths)


def _written_version(tree: Tree, kept: Kept) -> str:
    """``__version__`` as a literal in a package or in the file beside it that is meant for it."""
    for name in kept.part(tree, "files with a version", lambda: _version_files(tree)):
        found: str = kept.of(tree, name, "version", partial(_literal_version, tree, name))
        if found:
            return found
    return ""


def _version_files(tree: Tree) -> list[str]:
    """The files in which a version may be written."""
    return [
        path.as_posix()
        for path in tree.files
        if path.name in VERSION_FILES and len(path.parts) <= 3 and is_api(path)
    ]


def _literal_version(tree: Tree, name: str) -> str:
    """The version that a file sets; empty where it does not."""
    match = VERSION.search(tree.text(PurePosixPath(name)))
    return match[1] if match else ""


def _text(found: Any) -> str:
    """A stated text, in one line."""
    return " ".join(found.split()) if isinstance(found, str) else ""


def _pyproject(tree: Tree, path: PurePosixPath) -> Metadata:
    """PEP 621 and poetry."""
    table = tomllib.loads(tree.text(path))
    project = table.get("project", {})
    poetry = table.get("tool", {}).get("poetry", {})
    source = project or poetry
    scripts = {**project.get("gui-scripts", {}), **project.get("scripts", {}), **poetry.get("scripts", {})}
    python = project.get("requires-python") or poetry.get("dependencies", {}).get("python")
    return Metadata(
        distribution=_text(source.get("name")),
        version=_text(source.get("version")),
        summary=_text(source.get("description")),
        requires_python=_text(python),
        entry_points=_points(scripts),
    )


def _setup_cfg(tree: Tree, path: PurePosixPath) -> Metadata:
    """``[metadata]`` and ``[options]``."""
    parser = configparser.ConfigParser(interpolation=None, strict=False)
    try:
        parser.read_string(tree.text(path))
    except configparser.Error as error:
        raise ValueError(str(error)) from error
    version = parser.get("metadata", "version", fallback="")
    console = [parser.get("options.entry_points", kind, fallback="") for kind in CONSOLE]
    return Metadata(
        distribution=_text(parser.get("metadata", "name", fallback="")),
        version="" if version.startswith(("attr:", "file:")) else _text(version),
        summary=_text(parser.get("metadata", "description", fallback="")),
        requires_python=_text(parser.get("options", "python_requires", fallback="")),
        entry_points=_lines(console),
    )


def _setup_py(tree: Tree, path: PurePosixPath) -> Metadata:
    """The keywords of ``setup()``."""
    call = read_setup(tree, path)
    console = call.value("entry_points")
    if isinstance(console, dict):
        listed = [console.get(kind) or () for kind in CONSOLE]
        texts = [t for item in listed for t in ([item] if isinstance(item, str) else item)]
    else:
        section = re.search(r"\[console_scripts\]([^\[]*)", console) if isinstance(console, str) else None
        texts = [section[1]] if section else []
    return Metadata(
        distribution=_text(call.value("name")),
        version=_text(call.value("version")),
        summary=_text(call.value("description")),
        requires_python=_text(call.value("python_requires")),
        entry_points=(*_lines(texts), *_scripts(call.value("scripts"))),
    )


def _pkg_info(tree: Tree, path: PurePosixPath) -> Metadata:
    """The fields a package index knows."""
    info = email.message_from_string(tree.text(path))
    return Metadata(
        distribution=_text(info.get("Name")),
        version=_text(info.get("Version")),
        summary=_text(info.get("Summary")),
        requires_python=_text(info.get("Requires-Python")),
    )


def _description(tree: Tree, path: PurePosixPath) -> Metadata:
    """An R package."""
    stated = read_dcf(tree.text(path))
    return Metadata(
        distribution=value(stated, "Package"),
        version=value(stated, "Version"),
        summary=value(stated, "Title"),
    )
