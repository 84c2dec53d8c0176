"""Kinds of files that mirrors are built from. Each module of this package is one; adding one is adding a
file.

A module offers ``TITLE``, ``KIND`` (``proteins`` or ``papers``: the tables it fills), ``GROWTH`` (bytes of
the mirror for a byte of the file, unpacked, measured and rounded up), ``accepts(head) -> bool`` for the first
bytes of a file, and ``fill(connection, source) -> Iterator[Change]``, which indexes what it reads and yields
after each entry. Modules whose name starts with an underscore are helpers.
"""

from __future__ import annotations

import importlib
import pkgutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, Protocol, cast

from labagent.tools.mirrors.streams import BOM, Source, fault, opened

HEAD = 4096
Change = Literal["added", "replaced", "removed", "skipped"]
"""What became of an entry; ``skipped``: it is older than the one there is, or of a kind that is not kept."""


class Reader(Protocol):
    """A module of this package."""

    TITLE: str
    KIND: Literal["proteins", "papers"]
    GROWTH: float

    def accepts(self, head: bytes) -> bool:
        """Whether a file begins as this kind does; white space and byte-order mark are cut off."""
        ...

    def fill(self, connection: sqlite3.Connection, source: Source) -> Iterator[Change]:
        """Index what the file holds; faults are ``InputError``."""
        ...


def readers() -> tuple[Reader, ...]:
    """All kinds, in the order of their names."""
    names = sorted(m.name for m in pkgutil.iter_modules(__path__) if not m.name.startswith("_"))
    return tuple(cast(Reader, importlib.import_module(f"{__name__}.{name}")) for name in names)


def reader_of(path: Path) -> Reader:
    """The kind of a file.

    Raises:
        InputError: it cannot be read, or is of no known kind.
    """
    with opened(path) as source:
        head = source.read(HEAD).removeprefix(BOM).lstrip()
    found = [reader for reader in readers() if reader.accepts(head)]
    if not found:
        known = "; ".join(reader.TITLE for reader in readers())
        raise fault(path, 1, f"not a file that a mirror can be built from; known are: {known}")
    return found[0]
