"""What was found in a repository, kept so that of a changed one only what changed is read again.

A value is given back only where all it depends on is what it was: the bytes of the files it was read from,
which files there are, and the code that read them. Therefore a snapshot made with values that were kept is
the same as one made without. Values are rows of an SQLite file, read when asked for, each with a digest,
written in one transaction.
"""

from __future__ import annotations

import hashlib
import marshal
import sqlite3
import sys
from collections.abc import Callable, Collection
from contextlib import suppress
from functools import cache
from importlib.metadata import version
from pathlib import Path, PurePosixPath
from typing import Any

from labagent.snapshot.walk import Tree

SCHEMA = "CREATE TABLE kept (kind TEXT, name TEXT, digest BLOB, body BLOB, PRIMARY KEY (kind, name))"
WAIT = 5  # seconds for another process that writes the same file
SHELF = "shelf"


class Damaged(Exception):
    """A row does not hold what was written to it; what was kept is worth nothing."""


class Kept:
    """Values by file and content.

    Args:
        path: the file they are kept in; ``None`` keeps nothing. A damaged or outdated file counts as none, as
            does one that another process is writing. Only the methods raise :class:`Damaged`, for rows.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.computed = 0
        self._rows, usable = _open(path) if path else (None, False)
        self.path = path if usable else None
        self._new: dict[tuple[str, str], Any] = {}
        self._alive: dict[str, Collection[str]] = {}
        self._shelves: dict[str, dict[str, Any]] = {}
        self._used: dict[str, dict[str, Any]] = {}

    def get(self, kind: str, name: str) -> Any:
        """A value by its name; ``None`` where it is not known.

        Raises:
            Damaged: see there.
        """
        if self._rows is None:
            return None
        query = "SELECT digest, body FROM kept WHERE kind = ? AND name = ?"
        row = self._asked(query, kind, name)
        return _value(*row[0]) if row else None

    def all(self, kind: str) -> dict[str, Any]:
        """All values of a kind by name.

        Raises:
            Damaged: see there.
        """
        if self._rows is None:
            return {}
        rows = self._asked("SELECT name, digest, body FROM kept WHERE kind = ?", kind)
        return {name: _value(digest, body) for name, digest, body in rows}

    def put(self, kind: str, name: str, value: Any) -> None:
        """Keep a value made of built-in types under a name."""
        if self.path is not None:
            self._new[kind, name] = value

    def retain(self, kind: str, names: Collection[str]) -> None:
        """Let go of the values of a kind with other names."""
        self._alive[kind] = names

    def of(self, tree: Tree, file: PurePosixPath | str, kind: str, compute: Callable[[], Any]) -> Any:
        """The value of one kind for a file: the one kept, else computed now.

        Args:
            tree: the repository.
            file: a file in it.
            kind: what the value is, with all it depends on but the file's path and bytes.
            compute: gives a value made of built-in types; a small one: those of a kind are read together.
        """
        if self.path is None:
            return compute()
        return self.under(kind, str(file), tree.sha256(file), compute)

    def part(self, tree: Tree, kind: str, compute: Callable[[], Any]) -> Any:
        """What reads files through ``tree`` alone; kept while these files and the listing are the same."""
        if self.path is None:
            return compute()
        found = self._shelf(kind).get("")
        if found is not None and found[0] == tree.listing:
            same = all(tree.sha256(name) == sha for name, sha in found[1].items())
            if same:
                self._used[kind][""] = found
                return found[2]
        with tree.reading() as read:
            value = compute()
        self.computed += 1
        self._used[kind][""] = (tree.listing, {name: tree.sha256(name) for name in sorted(read)}, value)
        return value

    def under(self, kind: str, name: str, key: Any, compute: Callable[[], Any]) -> Any:
        """The value of a kind and name while its key is the same; computed where it is not."""
        if self.path is None:
            return compute()
        found = self._shelf(kind).get(name)
        if found is None or found[0] != key:
            found = (key, compute())
            self.computed += 1
        self._used[kind][name] = found
        return found[1]

    def _shelf(self, kind: str) -> dict[str, Any]:
        """Values that are read together."""
        if kind not in self._shelves:
            self._shelves[kind] = self.get(SHELF, kind) or {}
            self._used[kind] = {}
        return self._shelves[kind]

    def _asked(self, query: str, *values: str) -> list[Any]:
        """Rows of the file."""
        try:
            return self._rows.execute(query, values).fetchall() if self._rows else []
        except sqlite3.Error as error:
            raise Damaged(str(error)) from error

    def write(self) -> None:
        """Keep what was used this time, and nothing older; a file that cannot be written stays as it is."""
        if self.path is None:
            return
        for kind, used in self._used.items():
            if used != self._shelves[kind]:
                self._new[SHELF, kind] = used
        with suppress(OSError, sqlite3.Error):
            if self._rows is None:
                self.path.parent.mkdir(parents=True, exist_ok=True)
                self._rows = _create(self.path)
            for kind, alive in self._alive.items():
                there = self._rows.execute("SELECT name FROM kept WHERE kind = ?", (kind,)).fetchall()
                gone = [(kind, name) for (name,) in there if name not in alive]
                self._rows.executemany("DELETE FROM kept WHERE kind = ? AND name = ?", gone)
            rows = ((kind, name, *_packed(value)) for (kind, name), value in self._new.items())
            self._rows.executemany("REPLACE INTO kept VALUES (?, ?, ?, ?)", rows)
            self._rows.execute("COMMIT")
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        if self._rows is not None:
            self._rows.close()
            self._rows = None

    def discard(self) -> None:
        """Remove the file."""
        self.close()
        if self.path is not None:
            _remove(self.path)


def _open(path: Path) -> tuple[sqlite3.Connection | None, bool]:
    """The rows written by the same code, in a transaction; and whether the file is free to be used."""
    if not path.is_file():
        return None, True
    rows, busy = None, False
    try:
        rows = sqlite3.connect(path, timeout=WAIT, isolation_level=None)
        rows.execute("BEGIN")
        found = rows.execute("SELECT body FROM kept WHERE kind = 'reader'").fetchone()
        if found is not None and found[0] == _reader().encode():
            return rows, True
    except sqlite3.Error as error:
        busy = error.sqlite_errorcode == sqlite3.SQLITE_BUSY
    if rows is not None:
        rows.close()
    return None, not busy


def _create(path: Path) -> sqlite3.Connection:
    """A new file in the place of an unusable one, in a transaction.

    Raises:
        sqlite3.Error: it cannot be written.
        OSError: the old file cannot be removed.
    """
    _remove(path)
    rows = sqlite3.connect(path, timeout=WAIT, isolation_level=None)
    rows.execute("BEGIN IMMEDIATE")
    rows.execute(SCHEMA)
    rows.execute("INSERT INTO kept VALUES ('reader', '', '', ?)", (_reader().encode(),))
    return rows


def _remove(path: Path) -> None:
    """Remove the file and what a killed process may have left beside it."""
    for name in (path.name, f"{path.name}-journal"):
        path.with_name(name).unlink(missing_ok=True)


def _packed(value: Any) -> tuple[bytes, bytes]:
    """Digest and bytes of a value."""
    body = marshal.dumps(value)
    return hashlib.sha256(body).digest(), body


def _value(digest: bytes, body: bytes) -> Any:
    """The value of a row.

    Raises:
        Damaged: the bytes are not those that were written.
    """
    if hashlib.sha256(body).digest() != digest:
        raise Damaged("a row has another digest")
    return marshal.loads(body)


@cache
def _reader() -> str:
    """Hash of the code that reads files: this subpackage, its records, the parser, the interpreter."""
    digest = hashlib.sha256(f"{sys.version} griffelib {version('griffelib')}".encode())
    here = Path(__file__).parent
    for source in (*sorted(here.rglob("*.py")), here.parent / "models" / "snapshot.py"):
        digest.update(source.read_bytes())
    return digest.hexdigest()
