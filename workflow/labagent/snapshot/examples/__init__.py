"""Released code that uses a lab's method. Each module of this package reads one kind of file.

A module offers ``accepts(path) -> bool`` and ``read(tree, path) -> Iterator[Example]``. Modules whose name
starts with an underscore are helpers. For notebooks the lines of an example are cell numbers (from 1).
"""

from __future__ import annotations

import importlib
import pkgutil
from collections import Counter
from types import ModuleType

from labagent.models.snapshot import Example, Unreadable
from labagent.snapshot.walk import Tree

MAX_PER_ORIGIN = 500
MAX_CODE = 30_000  # characters
ORDER = ("readme", "example", "notebook", "vignette", "docs", "docstring", "test")


def readers() -> list[ModuleType]:
    """The kinds of file, by name of the module."""
    names = sorted(m.name for m in pkgutil.iter_modules(__path__) if not m.name.startswith("_"))
    return [importlib.import_module(f"{__name__}.{name}") for name in names]


def find_examples(tree: Tree) -> tuple[tuple[Example, ...], tuple[Unreadable, ...]]:
    """Examples by origin, file and line, at most ``MAX_PER_ORIGIN`` of each origin; unreadable files."""
    found: list[Example] = []
    unreadable = []
    for reader in readers():
        for path in tree.files:
            if any(part.startswith(".") for part in path.parts) or not reader.accepts(path):
                continue
            try:
                found += [e for e in reader.read(tree, path) if e.code.strip() and len(e.code) <= MAX_CODE]
            except ValueError as error:
                unreadable.append(Unreadable(file=path.as_posix(), reason=str(error)))
    found.sort(key=lambda e: (ORDER.index(e.origin), e.file.count("/"), e.file, e.first_line))
    counts: Counter[str] = Counter()
    kept = []
    for example in found:
        counts[example.origin] += 1
        if counts[example.origin] <= MAX_PER_ORIGIN:
            kept.append(example)
    return tuple(kept), tuple(unreadable)
