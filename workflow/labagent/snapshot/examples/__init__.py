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
EXAMPLES = "examples"
ORDER = ("readme", "example", "notebook", "vignette", "docs", "docstring", "test")


def readers() -> list[ModuleType]:
    """The kinds of file, by name of the module."""
    names = sorted(m.name for m in pkgutil.iter_modules(__path__) if not m.name.startswith("_"))
    return [importlib.import_module(f"{__name__}.{name}") for name in names]


def find_examples(tree: Tree, kept: Kept | None = None) -> tuple[tuple[Example, ...], tuple[Unreadable, ...]]:
    """Examples by origin, file and line, at most ``MAX_PER_ORIGIN`` of each origin; unreadable files."""
    shown = _Shown(tree, kept or Kept())
    found = [(raw, file) for key, file in shown.wanted() for raw in shown.examples(key)]
    found.sort(key=lambda item: (ORDER.index(item[0][4]), item[1].count("/"), item[1], item[0][2]))
    counts: Counter[str] = Counter()
    taken = []
    for (language, code, first, last, origin), file in found:
        counts[origin] += 1
        if counts[origin] <= MAX_PER_ORIGIN:
            made = Example(
                language=language, code=code, file=file, first_line=first, last_line=last, origin=origin
            )
            taken.append(made)
    return tuple(taken), tuple(Unreadable(file=file, reason=reason) for file, reason in shown.unreadable)


class _Shown:
    """How many examples of which origin each file shows; those of files that did not change are not read."""

    def __init__(self, tree: Tree, kept: Kept) -> None:
        self.kept = kept
        self.counts: dict[str, list[tuple[str, str, int]]] = {}
        self.unreadable: list[tuple[str, str]] = []
        self._new: dict[str, tuple[Raw, ...]] = {}
        keys = set()
        for reader, file in kept.part(tree, "files with examples", lambda: _sources(tree)):
            key = f"{reader} {file}"
            keys.add(key)
            sha = tree.sha256(file) if kept.path else ""
            look = partial(self._look, tree, reader, file)
            counts, reason = kept.under("counts of examples", key, sha, look)
            for origin, count in counts.items():
                self.counts.setdefault(origin, []).append((key, file, count))
            if reason:
                self.unreadable.append((file, reason))
        kept.retain(EXAMPLES, keys)

    def _look(self, tree: Tree, reader: str, file: str) -> tuple[dict[str, int], str]:
        """Read one file."""
        found, reason = _read(importlib.import_module(reader), tree, PurePosixPath(file))
        key = f"{reader} {file}"
        self._new[key] = found
        self.kept.put(EXAMPLES, key, found)
        return dict(Counter(raw[4] for raw in found)), reason

    def examples(self, key: str) -> tuple[Raw, ...]:
        """The examples of a file."""
        found: tuple[Raw, ...] = self._new[key] if key in self._new else self.kept.get(EXAMPLES, key)
        return found

    def wanted(self) -> list[tuple[str, str]]:
        """The files that hold the first examples of an origin: those that are shown, and few others."""
        found: dict[tuple[str, str], None] = {}
        for listed in self.counts.values():
            total, last, after = 0, "", 0
            for key, file, count in sorted(listed, key=lambda item: (item[1].count("/"), item[1])):
                if file != last:
                    last, after = file, total
                if after >= MAX_PER_ORIGIN:
                    break
                found[key, file] = None
                total += count
        return sorted(found)


def _sources(tree: Tree) -> list[tuple[str, str]]:
    """The modules that read examples, each with the files it reads."""
    files = [p for p in tree.files if not any(part.startswith(".") for part in p.parts)]
    return [(r.__name__, p.as_posix()) for r in readers() for p in files if r.accepts(p)]


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
