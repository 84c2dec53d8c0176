"""How often attempts of one entry agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from labagent.inputs import Inputs
from labagent.report.figure import Figure
from labagent.report.study import Study
from labagent.report.svg import bar, text
from labagent.report.tables import Table

ORDER = 40
ROW = 38
STYLES = ("off", "some", "most", "within")
NAMES = ("none within", "less than half", "half or more, not all", "all within")


def files(inputs: Inputs) -> Sequence[str]:
    """One file, where there are several attempts."""
    return ["stability.svg"] if inputs.config.attempts > 1 else []


def draw(study: Study, tables: Mapping[str, Table]) -> Sequence[Figure]:
    """A bar an arm: entries by the share of their attempts that are within."""
    if study.inputs.config.attempts < 2:
        return []
    drawn, words = [], []
    for position, arm in enumerate(study.arms):
        counts = _counts(study, arm)
        total = sum(counts.values()) or 1
        y, left = ROW * position, 0.0
        split = counts[1] + counts[2]
        drawn.append(text(0, y + 11, arm, "ink"))
        drawn.append(text("100%", y + 11, f"{split} of {total} undecided", "muted", "end"))
        for place, style in enumerate(STYLES):
            right = left + 100 * counts[place] / total
            if counts[place]:
                drawn.append(bar(left, right - 0.3, y + 16, 16, style))
            left = right
        named = zip(NAMES, (counts[place] for place in range(4)), strict=True)
        words.append(f"{arm}: " + ", ".join(f"{count} {name}" for name, count in named) + ".")
    square = '<rect class="{}" x="-5" y="-5" width="10" height="10"/>'
    return [
        Figure(
            file="stability.svg",
            beside="stability",
            title="Do reruns agree?",
            caption=f"Entries by how many of their {study.inputs.config.attempts} attempts are within. "
            "Undecided entries are those where some are and some are not: there the first attempt, which "
            "counts, might have fallen the other way.",
            description=" ".join(words),
            body="".join(drawn),
            height=ROW * len(study.arms),
            axes="share of entries (%), the whole width is 100 %",
            legend=[(square.format(s), n) for s, n in zip(STYLES, NAMES, strict=True)],
        )
    ]


def _counts(study: Study, arm: str) -> Counter[int]:
    """Entries by class: none, less than half, half or more, all of their attempts within."""
    counts: Counter[int] = Counter()
    for target in study.inputs.selected_targets:
        attempts = study.by_pair[arm, target.target].attempts
        met = sum(attempt.within for attempt in attempts)
        part = 1 if 2 * met < len(attempts) else 2
        counts[0 if not met else 3 if met == len(attempts) else part] += 1
    return counts
