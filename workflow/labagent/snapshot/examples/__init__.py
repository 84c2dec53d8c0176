"""Released code that uses a lab's method. Each module of this package reads one kind of file.

A module offers ``accepts(path) -> bool`` and ``read(tree, path) -> Iterator[Example]``. Modules whose name
starts with an underscore are helpers. For notebooks the lines of an example are cell numbers (from 1).
"""

from __future__ import annotations

import importlib
import pkgutil
from collections import Counter
from functools import partial
from pathlib import PurePosixPath
from types import ModuleType
from typing import Any

from labagent.models.snapshot import Example, Unreadable
from labagent.snapshot.kept import Kept
from labagent.snapshot.walk import Tree

MAX_PER_ORIGIN = 500
MAX_CODE = 30_000  # characters
Raw = tuple[Any, str, int, int, Any]
ORDER = ("readme", "example", "notebook", "vignette", "docs", "docstring", "test")


def readers() -> list[ModuleType]:
    """The kinds of file, by name of the module."""
    names = sorted(m.name for m in pkgutil.iter_modules(__path__) if not m.name.startswith("_"))
    return [importlib.import_module(f"{__name__}.{name}") for name in names]


def find_examples(tree: Tree, kept: Kept | None = None) -> tuple[tuple[Example, ...], tuple[Unreadable, ...]]:
    """Examples by origin, file and line, at most ``MAX_PER_ORIGIN`` of each origin; unreadable files."""
    kept = kept or Kept()
    found: list[tuple[Raw, str]] = []
    unreadable = []
    for reader in readers():
        for path in tree.files:
            if any(part.startswith(".") for part in path.parts) or not reader.accepts(path):
                continue
            kind = f"examples {reader.__name__}"
            listed, reason = kept.of(tree, path, kind, partial(_read, reader, tree, path))
            name = path.as_posix()
            found += [(raw, name) for raw in listed]
            if reason:
                unreadable.append(Unreadable(file=name, reason=reason))
    found.sort(key=lambda item: (ORDER.index(item[0][4]), item[1].count("/"), item[1], item[0][2]))
    counts: Counter[str] = Counter()
    taken = []
    for raw, name in found:
        counts[raw[4]] += 1
        if counts[raw[4]] <= MAX_PER_ORIGIN:
            language, code, first, last, origin = raw
            taken.append(
                Example(
                    language=language,
                    code=code,
                    file=name,
                    first_line=first,
                    last_line=last,
                    origin=origin,
                )
            )
    return tuple(taken), tuple(unreadable)


def _read(reader: ModuleType, tree: Tree, path: PurePosixPath) -> tuple[tuple[Raw, ...], str]:
    """The examples of a file as plain tuples, and why it cannot be read."""
    found: list[Raw] = []
    try:
        for e in reader.read(tree, path):
            if e.code.strip() and len(e.code) <= MAX_CODE:
                found.append((e.language, e.code, e.first_line, e.last_line, e.origin))
    except ValueError as error:
        return tuple(found), str(error) or type(error).__name__
    return tuple(found), ""
