"""Comparing arms entry by entry, on "better is positive", among arms of one kind."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from labagent.models.score import QuantityScore
from labagent.report.statistics import ranks
from labagent.report.study import Attempt, Entry, Study


@dataclass(frozen=True)
class Place:
    """The place of an arm on one target among the arms of its kind that were compared."""

    kind: str
    target: str
    arm: str
    rank: float
    arms: int
    first: bool


@dataclass(frozen=True)
class Pair:
    """One target that both arms completed: per metric, the mean difference (a better than b: positive)."""

    target: str
    family: str
    differences: dict[str, float]
    sign: int


def goodness(quantity: QuantityScore) -> float | None:
    """A value so that higher is better: itself, its negative, or minus its distance from the reference."""
    if quantity.value is None:
        return None
    if quantity.direction == "match":
        return -abs(quantity.value - quantity.reference)
    return quantity.value if quantity.direction == "higher" else -quantity.value


def pools(study: Study) -> Iterator[tuple[str, list[str]]]:
    """Arms by kind, where there are at least two to compare."""
    by_kind: dict[str, list[str]] = defaultdict(list)
    for arm in study.arms:
        by_kind[study.kind(arm)].append(arm)
    return ((kind, arms) for kind, arms in by_kind.items() if len(arms) > 1)


def places(study: Study) -> Iterator[Place]:
    """Places on every target that all arms of the kind completed (mean over quantities, ties averaged)."""
    for kind, arms in pools(study):
        for target in study.inputs.selected_targets:
            table = [_goodness_of(study.by_pair[arm, target.target].first) for arm in arms]
            if not all(table):
                continue
            mean_rank = _mean_ranks(arms, table)
            final = ranks({arm: -rank for arm, rank in mean_rank.items()})
            best = min(final.values())
            for arm in arms:
                yield Place(kind, target.target, arm, final[arm], len(arms), final[arm] == best)


def pairs(study: Study, arm_a: str, arm_b: str) -> list[Pair]:
    """The targets both arms completed."""
    found = []
    for target in study.inputs.selected_targets:
        entry_a, entry_b = (study.by_pair[arm, target.target] for arm in (arm_a, arm_b))
        if _goodness_of(entry_a.first) and _goodness_of(entry_b.first):
            found.append(_pair(entry_a, entry_b))
    return found


def arm_pairs(study: Study) -> Iterator[tuple[str, str, str]]:
    """(kind, arm, arm) for every pair of arms of one kind."""
    return ((kind, a, b) for kind, arms in pools(study) for a, b in combinations(arms, 2))


def _goodness_of(attempt: Attempt) -> dict[str, float]:
    """Goodness by quantity; empty unless the attempt was scored in all, untainted."""
    if attempt.status != "scored" or attempt.tainted:
        return {}
    values = {q.quantity: goodness(q) for q in attempt.quantities}
    return {name: value for name, value in values.items() if value is not None}


def _mean_ranks(arms: list[str], table: list[dict[str, float]]) -> dict[str, float]:
    """The mean over quantities of each arm's rank."""
    by_quantity = [ranks({arm: row[name] for arm, row in zip(arms, table, strict=True)}) for name in table[0]]
    return {arm: math.fsum(r[arm] for r in by_quantity) / len(by_quantity) for arm in arms}


def _pair(entry_a: Entry, entry_b: Entry) -> Pair:
    """Differences by metric; the sign is that of the majority of quantities."""
    a, b = _goodness_of(entry_a.first), _goodness_of(entry_b.first)
    by_metric: dict[str, list[float]] = defaultdict(list)
    signs = 0
    for quantity in entry_a.first.quantities:
        difference = a[quantity.quantity] - b[quantity.quantity]
        label = f"{quantity.metric} ({quantity.unit})" if quantity.unit else quantity.metric
        by_metric[label].append(difference)
        signs += (difference > 0) - (difference < 0)
    means = {metric: math.fsum(values) / len(values) for metric, values in by_metric.items()}
    return Pair(entry_a.target, entry_a.family, means, (signs > 0) - (signs < 0))
