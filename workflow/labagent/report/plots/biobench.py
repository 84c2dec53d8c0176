"""Accuracy of every system on BioBench, with its interval, beside an echo of the question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from labagent.inputs import Inputs
from labagent.report.figure import Figure
from labagent.report.study import Study
from labagent.report.svg import axis, marker, rule, text
from labagent.report.tables import Cell, Table

ORDER = 90
ROW = 38
MOST = 40
TICKS = ((0.0, "0"), (0.25, "0.25"), (0.5, "0.5"), (0.75, "0.75"), (1.0, "1"))


def files(inputs: Inputs) -> Sequence[str]:
    """One file, where the workflow runs the benchmark."""
    return ["biobench.svg"] if inputs.config.biobench.run else []


def draw(study: Study, tables: Mapping[str, Table]) -> Sequence[Figure]:
    """A line a system: its accuracy, Wilson's interval, the share an echo gets right."""
    if not study.inputs.config.biobench.run:
        return []
    records = [record for record in tables["biobench"].records() if record["answers"]]
    drawn, words = [], []
    for position, record in enumerate(records[:MOST]):
        drawn += _line(record, ROW * position)
        words.append(_words(record))
    bottom = ROW * min(len(records), MOST)
    drawn.append(axis(0.0, 1.0, TICKS, bottom))
    left_out = f" The first {MOST} of {len(records)} systems are drawn." if len(records) > MOST else ""
    return [
        Figure(
            file="biobench.svg",
            beside="biobench",
            title="BioBench: how many answers are accurate?",
            caption="Accuracy by typed gold with Wilson's 95 % interval (over tasks, the majority of seeds); "
            f"hollow: what an echo of the question gets right.{left_out}",
            description=" ".join(words) or "Nothing was scored.",
            body="".join(drawn),
            height=bottom + 24,
            axes="share of answers that are accurate",
            legend=[(marker(0, 0, 0), "answers"), (marker(0, 0, 0, hollow=True), "echo of the question")],
        )
    ]


def _line(record: Mapping[str, Cell], y: float) -> list[str]:
    """One system."""
    middle = y + 24
    name = f"{record['set']}: {record['condition']}, {record['model']}"
    count = f"{record['accurate']} of {record['answers']}"
    drawn = [text(0, y + 11, name, "ink"), text("100%", y + 11, count, "muted", "end")]
    drawn.append(rule(0, middle, 100, middle, "rail"))
    if record["low"] is not None and record["high"] is not None:
        drawn.append(rule(_percent(record["low"]), middle, _percent(record["high"]), middle, "s0"))
    echo, tasks = record["echo"], record["tasks"]
    if isinstance(echo, int) and isinstance(tasks, int) and tasks:
        drawn.append(marker(100 * echo / tasks, middle, 0, hollow=True, small=True))
    drawn.append(marker(_percent(record["accuracy"]), middle, 0))
    return drawn


def _words(record: Mapping[str, Cell]) -> str:
    """One system in words."""
    return (
        f"{record['set']}, {record['condition']}, {record['model']}: {record['accurate']} of "
        f"{record['answers']} accurate; echo {record['echo']} of {record['tasks']}."
    )


def _percent(value: Cell) -> float:
    """A share as a place on the axis."""
    return 100.0 * value if isinstance(value, int | float) else 0.0
