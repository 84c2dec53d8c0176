"""Reading a family's published leaderboards, and the place of a value among their rows.

A family gives them as ``leaderboards.tsv`` (one row a published value) or, where every method has a value on
every board and nothing else is known of it, as ``leaderboards-wide.tsv`` (one line a board, one column a
method, blanks allowed).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from labagent.errors import InputError, InputFault
from labagent.inputs.table import read_table, table_lines
from labagent.models.family import Family
from labagent.models.leaderboard import Board, PublishedRow

BOARDS = "boards.tsv"
LONG = "leaderboards.tsv"
WIDE = "leaderboards-wide.tsv"


@dataclass(frozen=True)
class Place:
    """A place among published rows: ``rank`` 1 is the best, ties share the mean; ``of`` counts ours, too."""

    rank: float
    of: int


def load_leaderboard(family: Family, board: str = "") -> list[PublishedRow]:
    """The published rows of a family, in the order of its table; of one board where it is named.

    A family without a table has none.

    Raises:
        InputError: with every fault of the table.
    """
    folder = Path(family.folder)
    if (folder / WIDE).exists():
        rows = [row for row in _wide(folder / WIDE, family) if not board or row.board == board]
    elif (folder / LONG).exists():
        faults: list[InputFault] = []
        shown = f"{folder.name}/{LONG}"
        only = ("board", board) if board else None
        rows = [row.record for row in read_table(folder / LONG, shown, PublishedRow, faults, only)]
        if faults:
            raise InputError(faults)
    else:
        rows = []
    return rows


def load_boards(family: Family) -> dict[str, Board]:
    """The boards of a family by name; empty where it has no ``boards.tsv``.

    Raises:
        InputError: with every fault of the table.
    """
    path = Path(family.folder) / BOARDS
    if not path.exists():
        return {}
    faults: list[InputFault] = []
    rows = read_table(path, f"{path.parent.name}/{BOARDS}", Board, faults)
    names = [row.record.board for row in rows]
    twice = sorted({name for name in names if names.count(name) > 1})
    faults += [InputFault(f"{path.parent.name}/{BOARDS}", f'board "{name}" stands twice') for name in twice]
    if faults:
        raise InputError(faults)
    return {row.record.board: row.record for row in rows}


def pool(rows: Iterable[PublishedRow], board: str, without: str = "") -> list[PublishedRow]:
    """The rows of a board that a value is ranked among.

    Args:
        rows: what :func:`load_leaderboard` gave.
        board: the board.
        without: the method that is being reproduced: its own published row is no competitor of its own
            reproduction and is left out.
    """
    return [row for row in rows if row.board == board and row.ranked and row.method != without]


def place_among(
    value: float, rows: Sequence[PublishedRow], direction: Literal["higher", "lower"]
) -> Place | None:
    """The place of ``value`` among published rows; ``None`` without rows or without a finite value.

    Values are compared at the decimals the row was published with: a difference that its rounding hides is a
    tie, and ties share the mean of their places.
    """
    if not rows or not math.isfinite(value):
        return None
    sign = 1 if direction == "higher" else -1
    better = ties = 0
    for row in rows:
        difference = sign * (row.value - round(value, row.decimals))
        better += difference > 0
        ties += difference == 0
    return Place(rank=1 + better + ties / 2, of=len(rows) + 1)


def _wide(path: Path, family: Family) -> list[PublishedRow]:
    """Cells of a wide table as rows; built without validation, since only numbers are read."""
    shown = f"{path.parent.name}/{path.name}"
    faults: list[InputFault] = []
    lines = table_lines(path, shown, faults)
    line, header = next(lines, (1, []))
    if not faults and (header[:1] != ["board"] or len(set(header)) < len(header)):
        faults.append(InputFault(shown, 'the first column must be "board", then each method once', line))
    rows: list[PublishedRow] = []
    boards: set[str] = set()
    for line, cells in lines if not faults else ():
        if len(cells) != len(header):
            text = f"{cells[:1]}: has {len(cells)} cells, not {len(header)}"
            faults.append(InputFault(shown, text, line))
        elif cells[0] in boards:
            faults.append(InputFault(shown, f'"{cells[0]}" stands twice', line, "board"))
        else:
            boards.add(cells[0])
            rows += _cells(cells, header, family, InputFault(shown, "is no number", line), faults)
    if faults:
        raise InputError(faults)
    return rows


def _cells(
    cells: list[str], header: list[str], family: Family, place: InputFault, faults: list[InputFault]
) -> Iterator[PublishedRow]:
    """The values of one board that are not blank; ``place`` is where it stands, and what a wrong one is."""
    for method, text in zip(header[1:], cells[1:], strict=True):
        if not text:
            continue
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not math.isfinite(value):
            said = f'board "{cells[0]}": "{text}" {place.message}'
            faults.append(replace(place, message=said, column=method))
            continue
        yield PublishedRow.model_construct(
            board=cells[0],
            method=method,
            value=value,
            decimals=len(text.partition(".")[2]),
            source=family.leaderboard_source,
        )
