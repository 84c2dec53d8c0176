"""Tests and intervals by resampling: seeded, so that the same differences give the same numbers."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from typing import Any

from labagent.report.estimates import Interval, Test, finite

SEED = 20260101
RESAMPLES = 10_000
EXACT_PAIRS = 14
"""Up to this many pairs that differ the permutation test goes through all sign patterns."""
BLOCK = 1 << 20
"""Most cells of a table of resamples that is held at a time."""
FEW_KINDS = 16


def label_swap(differences: Sequence[float], clusters: Sequence[Hashable] | None = None) -> Test:
    """Permutation test of the mean difference: the two labels of each pair, or cluster, are swapped.

    All patterns up to :data:`EXACT_PAIRS` that differ, else :data:`RESAMPLES` seeded ones with the observed
    one among them: (k + 1) / (n + 1) of n drawn ones. What has no difference is the same either way.

    Args:
        differences: one a pair.
        clusters: the cluster of each pair, as many; its pairs are swapped together.
    """
    values = finite(differences)
    sums_of: dict[Hashable, float] = defaultdict(float)
    for value, cluster in zip(values, range(len(values)) if clusters is None else clusters, strict=True):
        sums_of[cluster] += value
    # In a cluster whose sum is only what rounding left, neither label is ahead.
    moved = [d for d in sums_of.values() if abs(d) > (0.0 if clusters is None else _rounding(values))]
    n = len(moved)
    if not n:
        return Test(note="no pair differs" if values else "no pairs")
    import numpy as np

    sizes = np.abs(np.asarray(moved, dtype=float))
    if n <= EXACT_PAIRS:
        sums = 2.0 * sums_of_parts(sizes) - sizes.sum()
    else:
        generator = np.random.default_rng(SEED)

        def flips(rows: int) -> Any:
            bits = np.unpackbits(np.frombuffer(generator.bytes(rows * (-(-n // 8))), dtype=np.uint8))
            return bits.reshape(rows, -1)[:, :n].astype(float) @ sizes

        sums = 2.0 * _blocks(n, flips) - sizes.sum()
        sums[0] = math.fsum(moved)
    observed = abs(math.fsum(moved))
    slack = 1e-12 * float(sizes.sum())  # sums of one pattern differ in their last bits with the order
    method = "exact" if n <= EXACT_PAIRS else f"{RESAMPLES} resamples"
    return Test(float(np.mean(np.abs(sums) >= observed - slack)), observed / len(differences), method=method)


def bootstrap_interval(differences: Sequence[float], clusters: Sequence[Hashable] | None = None) -> Interval:
    """Percentile interval (95 %) of the mean; whole clusters are drawn, seeded.

    Args:
        differences: one a pair.
        clusters: the cluster of each pair, as many; without them each pair is one.
    """
    values = finite(differences)
    groups: dict[Hashable, list[float]] = defaultdict(list)
    for value, cluster in zip(values, range(len(values)) if clusters is None else clusters, strict=True):
        groups[cluster].append(value)
    if len(groups) < 2:
        return Interval(note="fewer than two clusters: no interval" if groups else "no pairs")
    if min(values) == max(values):
        return Interval(values[0], values[0], note="the same difference in every pair: interval of no width")
    import numpy as np

    sizes = [(math.fsum(group), float(len(group))) for group in groups.values()]
    kinds, counts = np.unique(np.array(sizes), axis=0, return_counts=True)
    generator = np.random.default_rng(SEED)

    def drawn(rows: int) -> Any:
        """Means of ``rows`` draws; of few kinds of clusters only how often each is drawn matters."""
        if len(kinds) <= FEW_KINDS:
            total = generator.multinomial(len(sizes), counts / len(sizes), size=rows) @ kinds
            return total[:, 0] / total[:, 1]
        picks = generator.integers(len(sizes), size=(rows, len(sizes)), dtype=np.int32)
        sums, members = np.array(sizes).T
        return sums[picks].sum(axis=1) / members[picks].sum(axis=1)

    low, high = np.quantile(_blocks(len(sizes), drawn), (0.025, 0.975))
    return Interval(float(low), float(high))


def _rounding(values: Sequence[float]) -> float:
    """How far a sum of these may be off."""
    return 1e-12 * math.fsum(map(abs, values))


def sums_of_parts(sizes: Any) -> Any:
    """The sums of all 2^n parts of n numbers."""
    import numpy as np

    return ((np.arange(2 ** len(sizes))[:, None] >> np.arange(len(sizes))) & 1) @ sizes


def _blocks(width: int, make: Callable[[int], Any]) -> Any:
    """:data:`RESAMPLES` results of ``make(rows)``, made in blocks that fit :data:`BLOCK` cells."""
    import numpy as np

    step = max(1, BLOCK // width)
    return np.concatenate([make(min(step, RESAMPLES - start)) for start in range(0, RESAMPLES, step)])
