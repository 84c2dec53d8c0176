"""The index itself: a SQLite full-text table beside the artifacts, made once for their content."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from labagent.errors import InfrastructureError, SourceError
from labagent.explore.index.chunks import chunks_of
from labagent.explore.index.kinds import KINDS
from labagent.explore.index.terms import STOP, query_terms, terms_of
from labagent.files import list_files, read_json, sha256_json
from labagent.models.skill import Source

NAME = ".index.sqlite"
VERSION = 1  # raise it when chunks or terms change
MAX_TERMS = 64  # of a query
IDENTIFIER_WEIGHT, WORD_WEIGHT = 4.0, 1.0
SCHEMA = """
CREATE TABLE chunks (id INTEGER PRIMARY KEY, kind TEXT NOT NULL, source TEXT NOT NULL, text TEXT NOT NULL);
CREATE VIRTUAL TABLE terms USING fts5(
    whole, parts, content='', tokenize="porter unicode61 tokenchars '_.^'"
);
CREATE TABLE meta (key TEXT NOT NULL);
"""
SEARCH = """
SELECT chunks.source, chunks.kind, chunks.text, -bm25(terms, ?, ?) AS score
FROM terms JOIN chunks ON chunks.id = terms.rowid
WHERE terms MATCH ? {filter}
ORDER BY score DESC, chunks.id LIMIT ?
"""


@dataclass(frozen=True)
class Hit:
    """A passage found: its address, kind and text, and its BM25 score (higher is better)."""

    source: Source
    kind: str
    text: str
    score: float


class Index:
    """An open index; use it in one thread, and close it (or use it as a context)."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def search(self, query: str, k: int = 10, kinds: Iterable[str] = ()) -> list[Hit]:
        """The ``k`` best passages for a query.

        Args:
            query: words and identifiers; any of them may match, whole identifiers count most.
            k: at most so many.
            kinds: only sources of these kinds (of :data:`KINDS`); all where empty.

        Raises:
            ValueError: a kind that does not exist.
        """
        wanted = sorted(set(kinds))
        if unknown := [kind for kind in wanted if kind not in KINDS]:
            raise ValueError(f'"{unknown[0]}" is no kind of source; there are: {", ".join(KINDS)}')
        match = self._match(query)
        if not match or k < 1:
            return []
        only = f"AND chunks.kind IN ({', '.join('?' * len(wanted))})" if wanted else ""
        values = (IDENTIFIER_WEIGHT, WORD_WEIGHT, match, *wanted, k)
        rows = self._connection.execute(SEARCH.format(filter=only), values)
        return [Hit(Source.model_validate_json(s), kind, text, score) for s, kind, text, score in rows]

    def _match(self, query: str) -> str:
        """A query in the language of the database; every term is quoted, so that none is an operator.

        An identifier that occurs whole is not looked for by its parts, too.
        """
        asked: list[str] = []
        for term in query_terms(query)[:MAX_TERMS]:
            whole = [f'whole : "{spelling}"' for spelling in term.whole]
            if not (term.is_compound and self._occurs(whole[0])):
                whole += [f'parts : "{part}"' for part in term.parts if part not in STOP]
            asked += whole or [f'parts : "{part}"' for part in term.parts]
        return " OR ".join(dict.fromkeys(asked))

    def _occurs(self, match: str) -> bool:
        """Whether anything matches."""
        found = self._connection.execute("SELECT 1 FROM terms WHERE terms MATCH ? LIMIT 1", (match,))
        return found.fetchone() is not None

    def __len__(self) -> int:
        return int(self._connection.execute("SELECT count(*) FROM chunks").fetchone()[0])

    def close(self) -> None:
        """Release the file."""
        self._connection.close()

    def __enter__(self) -> Index:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def open_index(artifacts: Path) -> Index:
    """The index of a lab's staged folder; it is made where it is missing or of another content.

    It is kept in the folder (in memory where that cannot be written), so that staging anew drops it. Several
    processes may open it at once: each that finds none makes one, and a whole file is put in place.

    Raises:
        SourceError: the folder holds nothing that was staged.
        InfrastructureError: this Python's SQLite has no full-text search.
    """
    if not (artifacts / "repository").is_dir():
        raise SourceError(f"{artifacts}: holds no staged repository (a folder repository/)")
    key, path = _key(artifacts), artifacts / NAME
    if (found := _existing(path, key)) is not None:
        return found
    try:
        handle, scratch = tempfile.mkstemp(dir=artifacts, prefix=f"{NAME}.")
    except OSError:
        connection = sqlite3.connect(":memory:")
        _fill(connection, artifacts, key)
        return Index(connection)
    os.close(handle)
    try:
        with contextlib.closing(sqlite3.connect(scratch)) as connection:
            _fill(connection, artifacts, key)
        Path(scratch).chmod(0o644)
        Path(scratch).replace(path)
    finally:
        Path(scratch).unlink(missing_ok=True)
    return Index(_connect(path))


def _key(artifacts: Path) -> str:
    """What an index was made of: the manifest's hash, or names, sizes and times where there is none."""
    manifest = artifacts / "manifest.json"
    if manifest.is_file():
        return f"{VERSION} {read_json(manifest).get('content_sha256', '')}"
    stats = [
        (path.relative_to(artifacts).as_posix(), (status := path.stat()).st_size, status.st_mtime_ns)
        for path in list_files(artifacts)
        if not path.name.startswith(NAME)
    ]
    return f"{VERSION} {sha256_json(stats)}"


def _existing(path: Path, key: str) -> Index | None:
    """The index that lies there, where it was made of this content."""
    if not path.is_file():
        return None
    connection = _connect(path)
    try:
        if connection.execute("SELECT key FROM meta").fetchone() == (key,):
            return Index(connection)
    except sqlite3.DatabaseError:
        pass
    connection.close()
    return None


def _connect(path: Path) -> sqlite3.Connection:
    """A connection that cannot write."""
    return sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True)


def _fill(connection: sqlite3.Connection, artifacts: Path, key: str) -> None:
    """Write all passages; the key last."""
    connection.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;")
    try:
        connection.executescript(SCHEMA)
    except sqlite3.OperationalError as error:
        raise InfrastructureError(
            f"SQLite {sqlite3.sqlite_version} has no full-text search: {error}"
        ) from error
    with connection:
        for number, (row, words) in enumerate(_rows(artifacts), 1):
            connection.execute("INSERT INTO chunks VALUES (?, ?, ?, ?)", (number, *row))
            connection.execute("INSERT INTO terms (rowid, whole, parts) VALUES (?, ?, ?)", (number, *words))
        connection.execute("INSERT INTO meta VALUES (?)", (key,))


def _rows(artifacts: Path) -> Iterator[tuple[tuple[str, str, str], tuple[str, str]]]:
    """Each passage as its row and its terms; the path counts as words of it."""
    for chunk in chunks_of(artifacts):
        source = chunk.source.model_dump_json(exclude_defaults=True)
        yield (chunk.kind, source, chunk.text), terms_of(f"{chunk.source.path}\n{chunk.text}")
