"""Leaving columns out of a staged table: a second target of the same data, with a variable withheld."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path

from labagent.errors import SourceError

SEPARATORS = {".csv": ",", ".tsv": "\t"}


def without_columns(source: Path, target: Path, drop: Sequence[str]) -> None:
    """Write ``source`` without the columns ``drop``; the same source gives the same bytes.

    Args:
        source: a UTF-8 table with a header, ``.csv`` or ``.tsv``.
        target: the file to write: no byte-order mark, lines end in a line feed.
        drop: names of columns.

    Raises:
        SourceError: another kind of file, no such column, or a row of another length than the header.
    """
    separator = SEPARATORS.get(source.suffix)
    if separator is None or not source.is_file():
        raise SourceError(f'"{source.name}": columns are left out of .csv and .tsv files alone')
    try:
        with (
            source.open(encoding="utf-8-sig", newline="") as read,
            target.open("w", encoding="utf-8", newline="") as written,
        ):
            rows = csv.reader(read, delimiter=separator, strict=True)
            kept = _kept(next(rows, []), drop, source.name)
            out = csv.writer(written, delimiter=separator, lineterminator="\n")
            out.writerow(kept.values())
            for row in rows:
                if len(row) != len(kept) + len(drop):
                    raise SourceError(f'"{source.name}": line {rows.line_num} has {len(row)} cells')
                out.writerow(row[place] for place in kept)
    except (csv.Error, UnicodeDecodeError) as error:
        raise SourceError(f'"{source.name}": is no table of UTF-8 text: {error}') from error


def _kept(header: Sequence[str], drop: Sequence[str], shown: str) -> dict[int, str]:
    """Place and name of the columns that stay."""
    names = [name.strip() for name in header]
    wrong = [name for name in dict.fromkeys(drop) if names.count(name) != 1]
    if wrong or len(set(drop)) < len(drop):
        raise SourceError(f'"{shown}": has no single column "{", ".join(wrong or drop)}" to leave out')
    return {place: name for place, name in enumerate(header) if names[place] not in drop}
