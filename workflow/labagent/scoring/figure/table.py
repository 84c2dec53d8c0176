"""The table behind a rebuilt figure: one row a method, architecture, heritability and metric."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from labagent.scoring.attempt import Unscorable

COLUMNS = ("method", "architecture", "heritability", "metric", "value", "replicates")
MAX_BYTES = 4 << 20
MAX_ROWS = 20_000
EMPTY = frozenset({"", "na", "nan", "n/a", "none", "null", "."})


@dataclass(frozen=True)
class Cell:
    """A place of the figure. Heritability is compared as a number, names without regard to case."""

    method: str
    architecture: str
    heritability: float
    metric: str

    def __str__(self) -> str:
        return f"{self.method}/{self.architecture}/{self.heritability:g}/{self.metric}"


@dataclass(frozen=True)
class Value:
    """A finite value and how many replicates it is of (0: not said)."""

    value: float
    replicates: int = 0


@dataclass(frozen=True)
class Table:
    """The values by cell. ``blank`` are cells whose value is empty or not finite: they count as missing."""

    values: Mapping[Cell, Value]
    blank: frozenset[Cell] = frozenset()
    extra: Mapping[str, int] = field(default_factory=dict)

    def get(self, cell: Cell) -> float | None:
        """The value of a cell."""
        found = self.values.get(cell)
        return found.value if found else None

    def missing(self, cells: Iterable[Cell]) -> list[Cell]:
        """Cells without a value."""
        return [cell for cell in cells if cell not in self.values]


def read_table(content: bytes, shown: str, wanted: Iterable[Cell]) -> Table:
    """Read a table; order of rows and of columns never matters.

    Args:
        content: a CSV or TSV with the columns :data:`COLUMNS` (``replicates`` may be missing), UTF-8.
        shown: how the file is named in messages.
        wanted: cells of the figure; rows of other cells are counted as extra, never used.

    Raises:
        Unscorable: too large, no UTF-8, no such columns, a row of another length, a cell twice, or a value
            that is no number.
    """
    known = {_key(cell): cell for cell in wanted}
    values: dict[Cell, Value] = {}
    blank: set[Cell] = set()
    extra: dict[str, int] = {}
    for line, row in _rows(content, shown):
        place = f"{shown}, line {line}"
        names = [" ".join(row[column].split()).casefold() for column in ("method", "architecture", "metric")]
        heritability = _number(row["heritability"], f'{place}, "heritability"')
        if heritability is None:
            raise Unscorable(f'{place}, "heritability": is missing')
        cell = known.get((names[0], names[1], round(heritability, 9), names[2]))
        value = _number(row["value"], f'{place}, "value"')
        replicates = _number(row.get("replicates", ""), f'{place}, "replicates"')
        if cell is None:
            text = f"{names[0]}/{names[1]}/{heritability:g}/{names[2]}"[:80]
            extra[text] = extra.get(text, 0) + 1
        elif cell in values or cell in blank:
            raise Unscorable(f"{place}: {cell} stands twice")
        elif value is None:
            blank.add(cell)
        else:
            values[cell] = Value(value, max(0, int(min(replicates or 0, 1e9))))
    return Table(values, frozenset(blank), extra)


def _key(cell: Cell) -> tuple[str, str, float, str]:
    """What a row is compared with."""
    return (
        cell.method.casefold(),
        cell.architecture.casefold(),
        round(cell.heritability, 9),
        cell.metric.casefold(),
    )


def _rows(content: bytes, shown: str) -> Iterable[tuple[int, dict[str, str]]]:
    """Line number and cells by column."""
    if len(content) > MAX_BYTES:
        raise Unscorable(f"{shown}: is larger than {MAX_BYTES >> 20} MiB")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Unscorable(f"{shown}: is not UTF-8 text (byte {error.start})") from error
    separator = "\t" if "\t" in text.partition("\n")[0] else ","
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    try:
        header = [name.strip().casefold() for name in next(reader, [])]
        lacking = [name for name in COLUMNS[:-1] if header.count(name) != 1]
        if lacking or header.count(COLUMNS[-1]) > 1:
            raise Unscorable(f"{shown}: needs the columns {', '.join(COLUMNS)}, each once")
        for count, row in enumerate(reader):
            if not any(cell.strip() for cell in row):
                continue
            if len(row) != len(header):
                raise Unscorable(f"{shown}, line {reader.line_num}: has {len(row)} cells, not {len(header)}")
            if count >= MAX_ROWS:
                raise Unscorable(f"{shown}: has more than {MAX_ROWS} rows")
            yield reader.line_num, dict(zip(header, row, strict=True))
    except csv.Error as error:
        raise Unscorable(f"{shown}, line {reader.line_num}: is no row of a table: {error}") from error


def _number(text: str, place: str) -> float | None:
    """A finite number; ``None`` for an empty cell, NaN or infinity."""
    plain = text.strip()
    if plain.casefold() in EMPTY:
        return None
    try:
        value = float(plain) if len(plain) <= 40 and "_" not in plain else math.nan
    except ValueError as error:
        raise Unscorable(f'{place}: "{plain[:40]}" is no number') from error
    return value if math.isfinite(value) else None
