"""Comparing arms entry by entry, on "better is positive", among arms of one kind.

The tie rule: values that differ in nothing but their last bits (:func:`statistics.same_value`) are the same,
here as in the ranks. Against published rows the tie rule is that of :func:`labagent.inputs.place_among`.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from labagent.inputs import place_among, pool
from labagent.models.score import QuantityScore
from labagent.report.statistics import ranks, same_value
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
    """One target that both arms completed: per metric, the mean difference (a better than b: positive).

    ``cluster``: what its result shares with others, of which whole clusters are drawn in a bootstrap.
    """

    target: str
    family: str
    cluster: str
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
            attempts = [study.by_pair[arm, target.target].first for arm in arms]
            if not all(map(completed, attempts)) or not _shared(attempts):
                continue
            mean_rank = _mean_ranks(arms, attempts)
            final = ranks({arm: -rank for arm, rank in mean_rank.items()})
            best = min(final.values())
            for arm in arms:
                yield Place(kind, target.target, arm, final[arm], len(arms), final[arm] == best)


def rank_with_published(study: Study, entry: Entry) -> float | None:
    """The rank of an entry among published rows and itself; the mean over quantities that have a board.

    ``None`` where no quantity has one, or the entry was not completed. Other arms are not in the pool: the
    rank of an arm must not depend on which others were run. The row that is reproduced is not in it either.
    """
    if not completed(entry.first):
        return None
    references = study.inputs.references.get(entry.target, {})
    found = []
    for q in entry.first.quantities:
        reference = references.get(q.quantity)
        if reference is None or not reference.board or q.value is None or q.direction == "match":
            continue
        rows = study.boards.get((entry.family, reference.board), [])
        place = place_among(q.value, pool(rows, reference.board, reference.method), q.direction)
        found += [place.rank] if place else []
    return math.fsum(found) / len(found) if found else None


def pairs(study: Study, arm_a: str, arm_b: str) -> list[Pair]:
    """The targets both arms completed."""
    found = []
    for target in study.inputs.selected_targets:
        entry_a, entry_b = (study.by_pair[arm, target.target] for arm in (arm_a, arm_b))
        if completed(entry_a.first) and completed(entry_b.first):
            found.append(_pair(entry_a, entry_b, cluster_of(study, target.target)))
    return found


def arm_pairs(study: Study) -> Iterator[tuple[str, str, str]]:
    """(kind, arm, arm) for every pair of arms of one kind."""
    return ((kind, a, b) for kind, arms in pools(study) for a, b in combinations(arms, 2))


def completed(attempt: Attempt) -> bool:
    """Whether an attempt has a value of every quantity, from a run that completed and is not tainted."""
    values = [q.value for q in attempt.quantities]
    return attempt.status == "scored" and not attempt.tainted and bool(values) and None not in values


def cluster_of(study: Study, target: str) -> str:
    """What a target's result shares with others: the lab it belongs to, else its board, else nothing.

    Results of one lab share method, code and skill; results of one board share the test data.
    """
    lab = study.inputs.targets[target].skill
    if lab:
        return f"lab {lab}"
    boards = {reference.board for reference in study.inputs.references.get(target, {}).values()} - {""}
    return f"board {min(boards)}" if boards else f"target {target}"


def _mean_ranks(arms: list[str], attempts: list[Attempt]) -> dict[str, float]:
    """The mean over quantities of each arm's rank."""
    by_quantity = []
    for quantities in _shared(attempts):
        values = {arm: goodness(q) or 0.0 for arm, q in zip(arms, quantities, strict=True)}
        by_quantity.append(ranks(_tied(values, max(map(_scale, quantities)))))
    return {arm: math.fsum(r[arm] for r in by_quantity) / len(by_quantity) for arm in arms}


def _tied(values: dict[str, float], scale: float) -> dict[str, float]:
    """The values, where those that are the same by the tie rule are equal."""
    tied: dict[str, float] = {}
    before: float | None = None
    shared = 0.0
    for name, value in sorted(values.items(), key=lambda item: item[1]):
        if before is None or not same_value(before, value, scale):
            shared = value
        before = value
        tied[name] = shared
    return {name: tied[name] for name in values}


def _shared(attempts: list[Attempt]) -> list[list[QuantityScore]]:
    """Each quantity that all attempts have, as every one of them has it."""
    by_name = [{q.quantity: q for q in attempt.quantities} for attempt in attempts]
    return [
        [found[name] for found in by_name] for name in by_name[0] if all(name in found for found in by_name)
    ]


def _scale(quantity: QuantityScore) -> float:
    """The size of what a goodness is computed from."""
    return max(abs(quantity.value or 0.0), abs(quantity.reference) if quantity.direction == "match" else 0.0)


def _pair(entry_a: Entry, entry_b: Entry, cluster: str) -> Pair:
    """Differences by metric; the sign is that of the majority of quantities."""
    by_metric: dict[str, list[float]] = defaultdict(list)
    signs = 0
    for q_a, q_b in _shared([entry_a.first, entry_b.first]):
        a, b = goodness(q_a) or 0.0, goodness(q_b) or 0.0
        difference = 0.0 if same_value(a, b, max(_scale(q_a), _scale(q_b))) else a - b
        label = f"{q_a.metric} ({q_a.unit})" if q_a.unit else q_a.metric
        by_metric[label].append(difference)
        signs += (difference > 0) - (difference < 0)
    means = {metric: math.fsum(values) / len(values) for metric, values in by_metric.items()}
    return Pair(entry_a.target, entry_a.family, cluster, means, (signs > 0) - (signs < 0))
