"""How far values lie from the published ones, in units of what counts as within."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence

from labagent.inputs import Inputs
from labagent.models.score import QuantityScore
from labagent.report.figure import Figure
from labagent.report.study import Study
from labagent.report.svg import rule, text
from labagent.report.tables import Table

ORDER = 20
EDGES = (-5.0, -2.0, -1.0, 1.0, 2.0, 5.0)
LABELS = ("< −5", "−5…−2", "−2…−1", "within", "1…2", "2…5", "> 5")
ROW = 40


def files(inputs: Inputs) -> Sequence[str]:
    """One file."""
    return ["distance.svg"]


def draw(study: Study, tables: Mapping[str, Table]) -> Sequence[Figure]:
    """A row an arm: how many quantities lie in each range of distances."""
    counted = {arm: _counts(study, arm) for arm in study.arms}
    most = max((count for row in counted.values() for count in row), default=0) or 1
    drawn, words = [], []
    for position, (arm, row) in enumerate(counted.items()):
        y = ROW * position
        drawn.append(text(0, y + 11, arm, "ink"))
        drawn += [_cell(place, count, most, y + 15) for place, count in enumerate(row)]
        named = zip(LABELS, row, strict=True)
        words.append(f"{arm}: " + ", ".join(f"{count} at {label}" for label, count in named) + ".")
    bottom = ROW * len(counted) + 2
    drawn += [
        text(f"{_middle(i):.2f}%", bottom + 12, label, "muted", "middle") for i, label in enumerate(LABELS)
    ]
    drawn.append(rule(0, bottom, 100, bottom, "axis"))
    return [
        Figure(
            file="distance.svg",
            beside="counts",
            title="How far from the published value",
            caption="Quantities of first attempts with a value, by their distance from the published one; "
            "1 is the edge of what counts as within (SD, tolerance or 5 %). To the right is better by the "
            "metric's direction; where a value is to be matched, to the right is larger. Runs that were "
            "capped or tainted are left out.",
            description=" ".join(words),
            body="".join(drawn),
            height=bottom + 18,
            axes="distance in half-widths of what counts as within (no unit); numbers are quantities",
        )
    ]


def distance(quantity: QuantityScore) -> float | None:
    """Signed distance from the reference in units of the criterion, better is positive."""
    if quantity.value is None:
        return None
    gap = quantity.value - quantity.reference
    if quantity.direction == "lower":
        gap = -gap
    if quantity.within:
        return 0.0 if not quantity.limit else max(-0.999, min(0.999, gap / quantity.limit))
    if not quantity.limit:
        return float("inf") if gap > 0 else float("-inf")
    far = gap / quantity.limit
    return far if abs(far) > 1 else (1.0 if far > 0 else -1.0000001)


def _counts(study: Study, arm: str) -> list[int]:
    """Quantities of an arm by range."""
    counts = [0] * len(LABELS)
    for target in study.inputs.selected_targets:
        first = study.by_pair[arm, target.target].first
        if first.status != "scored" or first.tainted:
            continue
        for quantity in first.quantities:
            far = distance(quantity)
            if far is not None:
                counts[bisect_right(EDGES, far)] += 1
    return counts


def _cell(place: int, count: int, most: int, y: float) -> str:
    """One range of an arm: the darker, the more."""
    width = 100 / len(LABELS)
    strength = 0.08 + 0.42 * count / most if count else 0.0
    box = f'x="{place * width:.2f}%" y="{y:g}" width="{width - 0.4:.2f}%" height="20"'
    cell = f'<rect class="heat" {box} fill-opacity="{strength:.2f}"/>'
    return cell + text(f"{_middle(place):.2f}%", y + 13.5, str(count), "ink" if count else "muted", "middle")


def _middle(place: int) -> float:
    """The middle of a range in per cent."""
    return 100 * (place + 0.5) / len(LABELS)
