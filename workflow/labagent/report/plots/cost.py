"""What arms cost against what came out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from labagent.inputs import Inputs
from labagent.report.figure import Figure
from labagent.report.numbers import plain
from labagent.report.study import Study
from labagent.report.svg import axis, marker, rule, share, text, ticks
from labagent.report.tables import Cell, Table

ORDER = 30
HEIGHT, TOP = 180.0, 32.0


def files(inputs: Inputs) -> Sequence[str]:
    """Model cost, and wall time."""
    return ["cost.svg", "wall.svg"]


def draw(study: Study, tables: Mapping[str, Table]) -> Sequence[Figure]:
    """A marker an arm, with the 95 % interval of its share within."""
    records = tables["summary"].records()
    return [
        _figure(records, "cost.svg", "Model cost", "cost_usd_per_entry", "US$"),
        _figure(records, "wall.svg", "Wall time", "wall_s_per_entry", "s"),
    ]


def _figure(records: Sequence[Mapping[str, Cell]], file: str, what: str, column: str, unit: str) -> Figure:
    """One of the two figures."""
    values = [_number(record[column]) for record in records]
    known = [value for value in values if value is not None]
    high = max(known, default=0.0) * 1.08 or 1.0
    drawn = [text(0, 9, "% of entries within", "muted")]
    for level in (0, 25, 50, 75, 100):
        y = TOP + HEIGHT * (1 - level / 100)
        drawn += [rule(0, y, 100, y, "grid"), text(0, y - 3, str(level), "muted")]
    drawn.append(axis(-high * 6 / 94, high, ticks(0, high, 250, 6), TOP + HEIGHT))
    words, legend = [], []
    for position, (record, value) in enumerate(zip(records, values, strict=True)):
        unknown = (
            f" ({record['cost_unknown']} costs unknown)" if unit == "US$" and record["cost_unknown"] else ""
        )
        shown = "not known" if value is None else f"{plain(value)} {unit}"
        label = f"{record['arm']}: {shown}{unknown}, {record['within']} of {record['entries']}"
        legend.append((marker(0, 0, position), label))
        words.append(f"{label} within.")
        if value is not None:
            drawn += _point(record, share(value, -high * 6 / 94, high), position)
    return Figure(
        file=file,
        beside="costs",
        title=f"{what} against outcome",
        caption=f"{what} per entry against entries within; lines are 95 % intervals of the share (Wilson)."
        + (" Attempts whose price is unknown count as nothing here." if unit == "US$" else ""),
        description=" ".join(words),
        body="".join(drawn),
        height=TOP + HEIGHT + 18,
        axes=f"{what.lower()} per entry ({unit})",
        legend=legend,
    )


def _point(record: Mapping[str, Cell], x: float, position: int) -> list[str]:
    """An arm's marker with its interval."""
    within = (_number(record["within"]) or 0.0) / max(_number(record["entries"]) or 1.0, 1.0)
    low, high = (_number(record[name]) for name in ("within_low", "within_high"))
    drawn = []
    if low is not None and high is not None:
        drawn.append(rule(x, TOP + HEIGHT * (1 - low), x, TOP + HEIGHT * (1 - high), f"s{position % 8}"))
    return [*drawn, marker(x, TOP + HEIGHT * (1 - within), position)]


def _number(value: Cell) -> float | None:
    """A cell's number."""
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
