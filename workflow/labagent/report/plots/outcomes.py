"""What became of every target in every arm, at a glance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from labagent.inputs import Inputs
from labagent.report.figure import Figure
from labagent.report.study import STATUSES, Entry, Study
from labagent.report.svg import bar, text
from labagent.report.tables import Table

ORDER = 10
COLUMNS = 120  # at most; more targets share columns
ROW, CELL = 36, 16
NAMES = {"within": "within", "off": "not within", "tainted": "tainted"}
CLASSES = ("within", "off", "tainted", *STATUSES[1:])


def files(inputs: Inputs) -> Sequence[str]:
    """One file."""
    return ["outcomes.svg"]


def draw(study: Study, tables: Mapping[str, Table]) -> Sequence[Figure]:
    """A row an arm, a column a target; targets that most arms met stand at the left."""
    by_arm = {arm: [study.by_pair[arm, t] for t in _ordered(study)] for arm in study.arms}
    targets = len(study.inputs.selected_targets)
    columns = min(targets, COLUMNS)
    drawn, words = [], []
    for position, (arm, entries) in enumerate(by_arm.items()):
        y = ROW * position
        counts = Counter(outcome(entry) for entry in entries)
        drawn.append(text(0, y + 11, arm, "ink"))
        drawn.append(text("100%", y + 11, f"{counts['within']} of {len(entries)} within", "muted", "end"))
        for column in range(columns):
            part = entries[column * targets // columns : (column + 1) * targets // columns]
            drawn += _cell(part, column, columns, y + 16)
        found = [f"{counts[c]} {NAMES.get(c, c.replace('_', ' '))}" for c in CLASSES if counts[c]]
        words.append(f"{arm}: {', '.join(found)}.")
    present = [c for c in CLASSES if any(outcome(e) == c for e in study.entries)]
    square = '<rect class="{}" x="-5" y="-5" width="10" height="10"/>'
    shared = f" {targets} targets share {columns} columns: a column is divided by its outcomes."
    return [
        Figure(
            file="outcomes.svg",
            beside="counts",
            title="Every target, by arm",
            caption="A column is a target, the same in every row; those that most arms met stand at the left."
            + (shared if targets > columns else ""),
            description=" ".join(words),
            body="".join(drawn),
            height=ROW * len(by_arm),
            axes="targets, by the number of arms that are within",
            legend=[(square.format(c), NAMES.get(c, c.replace("_", " "))) for c in present],
        )
    ]


def outcome(entry: Entry) -> str:
    """The class of an entry's outcome: ``within``, ``off``, ``tainted`` or its status."""
    first = entry.first
    if first.status != "scored":
        return first.status
    return "tainted" if first.tainted else "within" if first.within else "off"


def _ordered(study: Study) -> list[str]:
    """Targets, those first that most arms met; else in the order of their tables."""
    met = {
        t.target: sum(study.by_pair[arm, t.target].first.within for arm in study.arms)
        for t in study.inputs.selected_targets
    }
    return sorted(met, key=lambda target: -met[target])


def _cell(part: Sequence[Entry], column: int, columns: int, y: float) -> list[str]:
    """One column of an arm: its height is divided by outcomes where several targets share it."""
    counts = Counter(outcome(entry) for entry in part)
    gap = 0.18 * 100 / columns
    left, right, top = 100 * column / columns, 100 * (column + 1) / columns - gap, y
    drawn = []
    for name in CLASSES:
        height = CELL * counts[name] / len(part)
        if height:
            drawn.append(bar(left, right, round(top, 2), round(height, 2), name))
        top += height
    return drawn
