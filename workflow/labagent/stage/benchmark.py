"""A family's data from its archive: what a run may see goes to ``data/``, what scores need to ``labels/``.

Published archives hold the answers of their test sets. So no target stages one: it is taken apart once, when
somebody asks for it, and only the columns that a run may see reach a data folder.
"""

from __future__ import annotations

import csv
import io
import tarfile
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO

from labagent.errors import SourceError
from labagent.files import sha256_file, write_text
from labagent.models.family import DataSource, Family, SourceTable
from labagent.models.tables import Target
from labagent.stage.download import download, url_name

MAX_MEMBER = 1 << 30  # bytes of one table


@dataclass(frozen=True)
class Filled:
    """What was written for one board: targets that got labels, rows by table; ``reason`` where it failed."""

    board: str
    targets: tuple[str, ...]
    rows: Mapping[str, int]
    reason: str = ""


def fetch_family(
    family: Family,
    targets: Iterable[tuple[Target, Path]],
    *,
    cache: Path,
    source: Path | None = None,
    sha256: str = "",
) -> list[Filled]:
    """Get a family's data and write it beside its tables.

    Args:
        family: with a ``data`` source.
        targets: each with the folder of the table it stands in; the boards are named by their data folders.
        cache: keeps the archive by its hash.
        source: the user's own copy, an archive (zip or tar) or a folder; downloaded where it is ``None``.
        sha256: the hash of the archive, where the family does not know it.

    Raises:
        SourceError: no source, no hash, another hash, or no archive.
        InfrastructureError: the server cannot be reached.
    """
    if family.data is None:
        raise SourceError(f"{family.name}: its family.yaml names no data to fetch")
    place = source or _downloaded(family.data, cache, sha256)
    if source is not None and source.is_file():
        _compare(source, sha256 or family.data.sha256)
    by_board: dict[str, list[tuple[Target, Path]]] = {}
    for target, folder in targets:
        for item in target.data:
            by_board.setdefault(Path(item).name, []).append((target, folder))
    with _opened(place) as members:
        return [_fill(family.data, members, board, rows) for board, rows in sorted(by_board.items())]


def _downloaded(data: DataSource, cache: Path, sha256: str) -> Path:
    """The archive, of known hash, from the cache or the network."""
    wanted = sha256 or data.sha256
    if not wanted:
        raise SourceError(
            f"{data.url}: its sha256 is not known; give it with --sha256 HEX, or your own copy with "
            "--from PATH"
        )
    folder = cache / "benchmarks"
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / url_name(data.url)
    download(data.url, target, cache=cache, sha256=wanted)
    return target


def _compare(path: Path, wanted: str) -> None:
    """A user's own archive against the hash that is known."""
    found = sha256_file(path)
    if wanted and found != wanted:
        raise SourceError(
            f"{path}: sha256 is {found}, expected {wanted}; if it is another edition that you trust, say "
            f"so with --sha256 {found}"
        )


Members = Mapping[str, Callable[[], bytes]]
"""A function that reads each member of an archive, by its place."""


@contextmanager
def _opened(place: Path) -> Iterator[Members]:
    """The members of a folder, a zip or a tar archive."""
    with ExitStack() as stack:
        try:
            if place.is_dir():
                yield _of_folder(place)
                return
            if zipfile.is_zipfile(place):
                members = _of_zip(stack.enter_context(zipfile.ZipFile(place)))
            elif place.is_file() and tarfile.is_tarfile(place):
                members = _of_tar(stack.enter_context(tarfile.open(place)))
            else:
                raise SourceError(f"{place}: is no folder, zip or tar archive")
        except (OSError, zipfile.BadZipFile, tarfile.TarError) as error:
            raise SourceError(f"{place}: cannot be opened ({error})") from error
        yield members


def _of_folder(place: Path) -> Members:
    """Files of a folder that do not lead out of it."""
    root = place.resolve()
    inside = (p for p in place.rglob("*") if p.is_file() and p.resolve().is_relative_to(root))
    return {p.relative_to(place).as_posix(): partial(_head, partial(_open, p)) for p in inside}


def _open(path: Path) -> IO[bytes]:
    """A file, to be read."""
    return path.open("rb")


def _of_zip(archive: zipfile.ZipFile) -> Members:
    """Files of a zip archive."""
    names = (n for n in archive.namelist() if not n.endswith("/"))
    return {n: partial(_head, partial(archive.open, n)) for n in names}


def _of_tar(archive: tarfile.TarFile) -> Members:
    """Regular files of a tar archive; links are none."""
    files = (m for m in archive.getmembers() if m.isfile())
    return {m.name: partial(_head, partial(_stream, archive, m)) for m in files}


def _stream(archive: tarfile.TarFile, member: tarfile.TarInfo) -> IO[bytes]:
    """A regular file of a tar archive."""
    stream = archive.extractfile(member)
    if stream is None:
        raise SourceError(f"{member.name}: is no file")
    return stream


def _head(opening: Callable[[], IO[bytes]]) -> bytes:
    """The content of a member, up to the limit.

    Raises:
        SourceError: it is larger.
    """
    with opening() as stream:
        content = stream.read(MAX_MEMBER + 1)
    if len(content) > MAX_MEMBER:
        raise SourceError(f"a table is larger than {MAX_MEMBER >> 20} MiB")
    return content


def _read(members: Members, wanted: str) -> bytes:
    """The content of the one member whose place ends in ``wanted``."""
    found = [name for name in members if name == wanted or name.endswith(f"/{wanted}")]
    if len(found) != 1:
        raise SourceError(f"{len(found)} members are called {wanted}, one is needed")
    return members[found[0]]()


def _fill(data: DataSource, members: Members, board: str, targets: list[tuple[Target, Path]]) -> Filled:
    """Write the tables of one board; what is wrong with it stops no other board."""
    names = tuple(target.target for target, _ in targets)
    try:
        tables = [(table, *_split(table, members, board)) for table in data.tables]
    except SourceError as error:
        return Filled(board, names, {}, str(error))
    for table, shown, labels, _ in tables:
        for folder in {folder for _, folder in targets}:
            place = folder / "data" / board
            place.mkdir(parents=True, exist_ok=True)
            write_text(place / table.name, shown)
        for target, folder in targets if labels else ():
            (folder / "labels").mkdir(exist_ok=True)
            write_text(folder / "labels" / f"{target.target}.csv", labels)
    return Filled(board, names, {table.name: count for table, *_, count in tables})


def _split(table: SourceTable, members: Members, board: str) -> tuple[str, str, int]:
    """What a run may see of a table, its withheld labels (or nothing), and its number of rows."""
    member = table.member.format(board=board)
    try:
        text = _read(members, member).decode("utf-8-sig")
        rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    except (OSError, EOFError, RuntimeError, zipfile.BadZipFile, UnicodeDecodeError, csv.Error) as error:
        raise SourceError(f"{member}: is no readable CSV table ({error})") from error
    header, body = (rows[0], [row for row in rows[1:] if row]) if rows else ([], [])
    absent = [c for c in (*table.show, table.label, table.id) if c and c not in header]
    if absent or not body or any(len(row) != len(header) for row in body):
        wrong = f"has no column {', '.join(absent)}" if absent else "is empty, or rows differ in length"
        raise SourceError(f"{member}: {wrong}; it has {', '.join(header)[:80]}")
    ids = (
        [row[header.index(table.id)] for row in body] if table.id else [str(n + 1) for n in range(len(body))]
    )
    if table.label and len(set(ids)) < len(ids):
        raise SourceError(f"{member}: column {table.id} names a row twice")
    kept = [place for place, name in enumerate(header) if not table.show or name in table.show]
    numbered = bool(table.label) and not table.id
    shown = _csv(_shown(header, body, kept, ids if numbered else None))
    label = header.index(table.label) if table.label else None
    labels = (
        _csv([["id", "label"], *([i, row[label]] for i, row in zip(ids, body, strict=True))])
        if label is not None
        else ""
    )
    return shown, labels, len(body)


def _shown(
    header: list[str], body: list[list[str]], kept: list[int], ids: list[str] | None
) -> Iterator[list[str]]:
    """The columns that are kept, after the numbers of the rows where they have no id of their own."""
    for number, row in zip(["id", *ids] if ids else [""] * (len(body) + 1), [header, *body], strict=True):
        yield [*([number] if ids else []), *(row[place] for place in kept)]


def _csv(rows: Iterable[list[str]]) -> str:
    """Rows as CSV text."""
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\n").writerows(rows)
    return stream.getvalue()
