"""Building a mirror: atomic, in bounded memory, with progress; from the beginning again after a stop."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from labagent.errors import InfrastructureError, InputError, InputFault, ToolError
from labagent.files import sha256_json
from labagent.tools.mirrors import papers, proteins
from labagent.tools.mirrors.database import FORMAT, opened
from labagent.tools.mirrors.readers import Change, Reader, reader_of
from labagent.tools.mirrors.streams import GZIP, Source
from labagent.tools.mirrors.streams import opened as opened_source

PAGES_KB = 64_000
"""Memory that SQLite may keep pages in."""
UNPACKED = 6.0
"""Bytes of a file for a byte of its gzip archive (Swiss-Prot: 5 to 6)."""
SPARE = 64 << 20
"""Bytes that stay free."""
TABLES = {"proteins": (proteins.TABLES, proteins.INDEXES), "papers": (papers.TABLES, papers.INDEXES)}
Progress = Callable[[int, int], None]
"""Told bytes read so far of all files, and entries so far."""


@dataclass(frozen=True)
class Built:
    """A mirror that was built: what became of the entries read, how many there are, its size in bytes."""

    path: Path
    kind: str
    changes: dict[Change, int]
    entries: int
    size: int


def build(target: Path, files: Sequence[Path], progress: Progress = lambda taken, entries: None) -> Built:
    """Build a mirror of files of one kind, read in the order given.

    Args:
        target: the SQLite file; a mirror that stands there is replaced once the new one is whole.
        files: flat files of UniProtKB, or PubMed XML and MEDLINE text, plain or gzipped.
        progress: called after entries.

    Raises:
        InputError: a file cannot be read or is wrong; file, line and entry are named.
        InfrastructureError: the disk is too small, or another build of this mirror runs.
    """
    readers = [reader_of(path) for path in files]
    _check(target, files, readers)
    kind = readers[0].KIND
    with _alone(target), _temporary(target) as draft:
        changes: Counter[Change] = Counter()
        try:
            entries = _fill(draft, kind, list(zip(files, readers, strict=True)), changes, progress)
            with draft.open("rb+") as stream:
                os.fsync(stream.fileno())
        except (sqlite3.OperationalError, OSError) as error:
            raise InfrastructureError(f"{target} cannot be written: {error}") from error
        draft.chmod(0o644)
        draft.replace(target)
    return Built(target, kind, dict(changes), entries, target.stat().st_size)


def needed(files: Sequence[Path], readers: Sequence[Reader]) -> int:
    """Bytes that a mirror of these files may take, and what stays free."""
    total = 0.0
    for path, reader in zip(files, readers, strict=True):
        with path.open("rb") as stream:
            factor = UNPACKED if stream.read(2) == GZIP else 1.0
        total += path.stat().st_size * factor * reader.GROWTH
    return int(total) + SPARE


def _check(target: Path, files: Sequence[Path], readers: Sequence[Reader]) -> None:
    """Files of one kind, a target that may be written, and room for it."""
    kinds = {reader.KIND for reader in readers}
    if len(kinds) != 1:
        message = f"these are files of {' and '.join(sorted(kinds)) or 'nothing'}; a mirror holds one of them"
        raise InputError([InputFault(", ".join(map(str, files)) or str(target), message)])
    if target.exists():
        try:
            opened(target)
        except ToolError as error:
            message = f"stands there and is no mirror, so it is not replaced ({error.message})"
            raise InputError([InputFault(str(target), message)]) from error
    if not target.parent.is_dir():
        raise InputError([InputFault(str(target), f"there is no folder {target.parent}")])
    free, wanted = shutil.disk_usage(target.parent).free, needed(files, readers)
    if free < wanted:
        message = f"the mirror may take {wanted >> 20} MB, {free >> 20} MB are free in {target.parent}"
        raise InfrastructureError(f"{target}: {message}; free space there, or build it on another disk")


@contextmanager
def _alone(target: Path) -> Iterator[None]:
    """No other build of this mirror at the same time; what a killed one left is removed."""
    from filelock import FileLock, Timeout

    lock = FileLock(target.parent / f".{target.name}.lock", timeout=0)
    try:
        with lock:
            for left in target.parent.glob(f".{target.name}.*.building"):
                left.unlink(missing_ok=True)
            yield
    except Timeout as error:
        raise InfrastructureError(f"{target}: another build of this mirror is running") from error


@contextmanager
def _temporary(target: Path) -> Iterator[Path]:
    """A file beside the target, removed unless it was renamed."""
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=".building")
    os.close(handle)
    try:
        yield Path(name)
    finally:
        Path(name).unlink(missing_ok=True)


def _fill(
    draft: Path,
    kind: str,
    pairs: Sequence[tuple[Path, Reader]],
    changes: Counter[Change],
    progress: Progress,
) -> int:
    """Fill a new database; how many entries it has."""
    tables, indexes = TABLES[kind]
    connection = sqlite3.connect(draft, isolation_level=None)
    try:
        for setting in ("journal_mode = OFF", "synchronous = OFF", f"cache_size = -{PAGES_KB}"):
            connection.execute(f"PRAGMA {setting}")
        connection.execute("BEGIN")
        for statement in tables:
            connection.execute(statement)
        sources = _read(connection, pairs, changes, progress)
        for statement in indexes:
            connection.execute(statement)
        connection.execute("INSERT INTO words (words) VALUES ('optimize')")
        table = "entry" if kind == "proteins" else "paper"
        entries = int(connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0])
        if not entries:
            message = "no entry is left to build a mirror of"
            raise InputError([InputFault(", ".join(str(path) for path, _ in pairs), message)])
        connection.executemany("INSERT INTO meta VALUES (?, ?)", _meta(kind, entries, sources).items())
        connection.execute("COMMIT")
        return entries
    finally:
        connection.close()


def _read(
    connection: sqlite3.Connection,
    pairs: Sequence[tuple[Path, Reader]],
    changes: Counter[Change],
    progress: Progress,
) -> list[dict[str, object]]:
    """Index all files; what they are."""
    sources: list[dict[str, object]] = []
    before = count = 0
    for path, reader in pairs:
        with opened_source(path) as source:
            for change in reader.fill(connection, source):
                changes[change] += 1
                count += 1
                progress(before + source.taken, count)
            before += source.taken
            sources.append(_about(path, source))
    return sources


def _about(path: Path, source: Source) -> dict[str, object]:
    """Name, size and hash of a file."""
    return {"name": path.name, "bytes": source.taken, "sha256": source.digest}


def _meta(kind: str, entries: int, sources: list[dict[str, object]]) -> dict[str, str]:
    """What a mirror says of itself. ``identity`` is the same for the same files in the same order."""
    return {
        "format": str(FORMAT),
        "kind": kind,
        "entries": str(entries),
        "built": datetime.now(UTC).isoformat(timespec="seconds"),
        "sources": json.dumps(sources),
        "identity": sha256_json([FORMAT, kind, [source["sha256"] for source in sources]]),
    }
