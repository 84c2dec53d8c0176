"""SQLite as both kinds of mirror use it: opening, what a file says of itself, a connection a thread."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from labagent.errors import ToolError

FORMAT = 1
"""Of the tables; a file of another one is built again."""
META = "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID"


class Database:
    """A mirror that is read: one connection a thread, nothing is ever written.

    Args:
        path: the file; ``None`` for ``memory``, one connection for all threads.
    """

    def __init__(self, path: Path | None, memory: sqlite3.Connection | None = None) -> None:
        self._path, self._memory = path, memory
        self._lock, self._local = threading.Lock(), threading.local()

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[Any]:
        """All rows of a query.

        Raises:
            ToolError: ``unavailable``: the file cannot be read, or is damaged.
        """
        try:
            if self._memory is not None:
                with self._lock:
                    return self._memory.execute(sql, values).fetchall()
            return self._connection().execute(sql, values).fetchall()
        except sqlite3.Error as error:
            raise ToolError("unavailable", f"{self._path or 'memory'} cannot be read: {error}") from error

    def meta(self) -> dict[str, str]:
        """What the file says of itself."""
        return dict(self.rows("SELECT key, value FROM meta"))

    def _connection(self) -> sqlite3.Connection:
        """This thread's connection."""
        found: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if found is None:
            found = sqlite3.connect(f"file:{quote(str(self._path))}?mode=ro&immutable=1", uri=True)
            self._local.connection = found
        return found


def opened(path: Path) -> tuple[Database, dict[str, str]]:
    """A mirror, and what it says of itself.

    Raises:
        ToolError: ``unavailable``: no such file, no mirror, or one of another format.
    """
    if not path.is_file():
        raise ToolError("unavailable", f"{path}: there is no such mirror", value=str(path))
    database = Database(path)
    try:
        meta = database.meta()
    except ToolError as error:
        raise ToolError("unavailable", f"{path}: not a mirror ({error.message})", value=str(path)) from error
    if meta.get("format") != str(FORMAT):
        message = f"{path}: format {meta.get('format')}, this version reads {FORMAT}"
        raise ToolError("unavailable", message, hints=["build it again with labagent mirror build"])
    return database, meta
