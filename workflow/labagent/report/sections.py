"""Sections of the page: each table with the figures that belong beside it, bounded in rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from labagent.report import numbers
from labagent.report.figure import Figure
from labagent.report.panels import Link
from labagent.report.tables import Cell, Row, Table
from labagent.report.tables.pairwise import ALL

ROWS = 100  # of a table that stand on the page; its file holds all
OPEN = 24  # rows of a table that is not folded


@dataclass(frozen=True)
class Section:
    """A section: its figures, and its table where that is shown."""

    name: str
    title: str
    caption: str
    figures: Sequence[Figure]
    table: Table | None

    @property
    def rows(self) -> Sequence[Row]:
        """The rows that stand on the page."""
        return self.table.rows[:ROWS] if self.table else []

    @property
    def folded(self) -> bool:
        """Whether the table is folded at first."""
        return self.table is not None and len(self.table.rows) > OPEN

    @property
    def left_out(self) -> int:
        """Rows that are in the file alone."""
        return max(0, len(self.table.rows) - ROWS) if self.table else 0


@dataclass(frozen=True)
class PairCell:
    """Two arms: how often the row's is better, level, worse; ``p`` after Holm's correction."""

    text: str
    p: str
    words: str


def sections_of(tables: Mapping[str, Table], figures: Sequence[Figure]) -> list[Section]:
    """A section for each table that is shown and has rows, or that has figures beside it."""
    found = []
    for table in tables.values():
        beside = [figure for figure in figures if figure.beside == table.name]
        shown = table.shown and bool(table.rows) and table.name != "summary"
        if shown or beside:
            found.append(Section(table.name, table.title, table.caption, beside, table if shown else None))
    return found


def pair_matrix(pairwise: Table) -> list[tuple[str, list[tuple[str, list[PairCell | None]]]]]:
    """For each kind of arms a square table: arm, then its cells against every arm."""
    records = [record for record in pairwise.records() if record["metric"] == ALL]
    found = []
    for kind in dict.fromkeys(str(record["kind"]) for record in records):
        mine = [record for record in records if record["kind"] == kind]
        arms = list(dict.fromkeys(str(r[side]) for side in ("arm_a", "arm_b") for r in mine))
        cells = {(str(r["arm_a"]), str(r["arm_b"])): _pair(r, turned=False) for r in mine}
        cells |= {(str(r["arm_b"]), str(r["arm_a"])): _pair(r, turned=True) for r in mine}
        found.append((kind, [(a, [cells.get((a, b)) for b in arms]) for a in arms]))
    return found


def row_link(table: Table, row: Row, link: Link) -> str:
    """Where the trace is that a row is about; nothing where it is about none."""
    record = dict(zip(table.columns, row, strict=True))
    if "target" not in record or "arm" not in record:
        return ""
    attempt = record.get("attempt", 1)
    return link(str(record["arm"]), str(record["target"]), attempt if isinstance(attempt, int) else 1)


def shown(value: Cell, column: str) -> str:
    """A cell of a table for people."""
    if value is None or value == "":
        return numbers.NONE
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return numbers.p_value(value) if column.startswith("p_") else numbers.plain(value)
    return str(value)


def _pair(record: Mapping[str, Cell], *, turned: bool) -> PairCell:
    """One pair of arms, seen from its first arm or, ``turned``, from its second."""
    wins, losses = ("losses", "wins") if turned else ("wins", "losses")
    a, b = ("arm_b", "arm_a") if turned else ("arm_a", "arm_b")
    p = record.get("p_sign_holm")
    counts = (record[wins], record["ties"], record[losses])
    return PairCell(
        "–".join(str(count) for count in counts),
        numbers.p_value(p) if isinstance(p, float | int) else "",
        f"{record[a]} better than {record[b]} on {counts[0]}, level on {counts[1]}, worse on {counts[2]}",
    )
