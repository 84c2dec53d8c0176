"""Declared dependencies. Each module of this package reads one kind of file; adding one is adding a file.

A module offers ``accepts(path) -> bool`` for a path relative to the repository and
``read(tree, path) -> list[Dependency]``; it raises ``ValueError`` (or a parser's subclass) for a file it
cannot read. Modules whose name starts with an underscore are helpers.
"""

from __future__ import annotations

import importlib
import pkgutil
from pathlib import PurePosixPath
from types import ModuleType

from labagent.models.snapshot import Dependency, Unreadable
from labagent.snapshot.kept import Kept
from labagent.snapshot.records import plain, restored
from labagent.snapshot.walk import NOT_API, Tree, folder_names

FALLBACK = "PKG-INFO"


def readers() -> list[ModuleType]:
    """The kinds of file, by name of the module."""
    names = sorted(m.name for m in pkgutil.iter_modules(__path__) if not m.name.startswith("_"))
    return [importlib.import_module(f"{__name__}.{name}") for name in names]


def declared(tree: Tree, kept: Kept) -> tuple[tuple[Dependency, ...], tuple[Unreadable, ...]]:
    """All declared dependencies with file and line, sorted by file; and the files that could not be read.

    What a package index computed (``PKG-INFO``) counts only where nothing else declares Python
    dependencies. ``extra`` names an optional group; dependencies of a tests or docs folder carry its name.
    """
    listed, refused = kept.part(
        tree, "dependencies", lambda: tuple(tuple(plain(record) for record in part) for part in _read(tree))
    )
    return tuple(restored(Dependency, r) for r in listed), tuple(restored(Unreadable, r) for r in refused)


def _read(tree: Tree) -> tuple[tuple[Dependency, ...], tuple[Unreadable, ...]]:
    """The dependencies of all files, and those files that cannot be read."""
    found: dict[tuple[str, int, str], Dependency] = {}
    unreadable = []
    for reader in readers():
        for path in tree.files:
            if not reader.accepts(path):
                continue
            try:
                listed = reader.read(tree, path)
            except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
                reason = str(error).split("\n", 1)[0] or type(error).__name__
                unreadable.append(Unreadable(file=path.as_posix(), reason=reason))
                continue
            for dependency in listed:
                _keep(found, dependency, path)
    python = [d for d in found.values() if d.ecosystem == "python"]
    by_hand = [d for d in python if not d.file.endswith(FALLBACK)]
    kept = [d for d in found.values() if not (by_hand and d.file.endswith(FALLBACK))]
    order = sorted(kept, key=lambda d: (d.file, d.line, d.name, d.extra))
    return tuple(order), tuple(unreadable)


def _keep(found: dict[tuple[str, int, str], Dependency], dependency: Dependency, path: PurePosixPath) -> None:
    """Keep one record a place; what is required counts before what is optional."""
    aside = sorted(folder_names(path) & NOT_API)
    if aside and not dependency.extra:
        dependency = dependency.model_copy(update={"extra": aside[0]})
    key = (dependency.file, dependency.line, dependency.name)
    if key not in found or (found[key].extra and not dependency.extra):
        found[key] = dependency
