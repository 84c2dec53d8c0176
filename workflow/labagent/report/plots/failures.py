"""Which failures runs met most."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from labagent.inputs import Inputs
from labagent.report.figure import Figure
from labagent.report.study import Study
from labagent.report.svg import bar, text
from labagent.report.tables import Table

ORDER = 50
SHOWN = 12
ROW = 32


def files(inputs: Inputs) -> Sequence[str]:
    """One file."""
    return ["failures.svg"]


def draw(study: Study, tables: Mapping[str, Table]) -> Sequence[Figure]:
    """A bar a class of failures, the most frequent first."""
    met: Counter[str] = Counter()
    cleared: Counter[str] = Counter()
    for record in tables["failures"].records():
        name = str(record["failure_class"] or "unknown")
        count = record["count"]
        met[name] += count if isinstance(count, int) else 1
        cleared[name] += bool(record["cleared_by"])
    shown = sorted(met.items(), key=lambda item: (-item[1], item[0]))
    most = shown[0][1] if shown else 1
    drawn, words = [], []
    for position, (name, count) in enumerate(shown[:SHOWN]):
        y = ROW * position
        fixed = f", {cleared[name]} cleared" if cleared[name] else ""
        drawn.append(text(0, y + 10, name.replace("_", " "), "ink"))
        drawn.append(text("100%", y + 10, f"{count}{fixed}", "muted", "end"))
        drawn.append(bar(0, 100 * count / most, y + 15, 10, "plain"))
        words.append(f"{name}: {count}{fixed}.")
    rest = f" {len(shown) - SHOWN} rarer classes are in the table." if len(shown) > SHOWN else ""
    return [
        Figure(
            file="failures.svg",
            beside="failures",
            title="Failures by class",
            caption="How often each class of failure was met, over all arms and attempts; cleared counts "
            f"those that a run's next command cleared and that left a lesson.{rest}",
            description=" ".join(words) or "No failure was met.",
            body="".join(drawn) or text(0, 12, "No failure was met."),
            height=max(ROW * min(len(shown), SHOWN), 20),
            axes="failures (count)",
        )
    ]
