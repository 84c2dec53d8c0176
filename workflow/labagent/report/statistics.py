"""Statistics of the report. A case without an answer says so in ``note``; nothing gives NaN.

Differences are per target, "better is positive", in one metric: unlike metrics are never pooled.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

SEED = 20260101
RESAMPLES = 10_000
EXACT_PAIRS = 14
"""Up to this many pairs the permutation test goes through all sign patterns."""


@dataclass(frozen=True)
class PairedT:
    """Paired t-test: ``n`` pairs, mean and SD (ddof 1) of the differences, t and two-sided p."""

    n: int
    mean: float | None = None
    sd: float | None = None
    t: float | None = None
    p: float | None = None
    note: str = ""


@dataclass(frozen=True)
class Test:
    """A two-sided p-value, or the reason why there is none."""

    p: float | None = None
    statistic: float | None = None
    note: str = ""


@dataclass(frozen=True)
class Interval:
    """A 95 % interval, or the reason why there is none."""

    low: float | None = None
    high: float | None = None
    note: str = ""


def paired_t(differences: Sequence[float]) -> PairedT:
    """Student's paired t-test on differences."""
    n = len(differences)
    if not n:
        return PairedT(0, note="no pairs")
    mean = math.fsum(differences) / n
    if n == 1:
        return PairedT(1, mean, note="one pair: no SD, no test")
    sd = math.sqrt(math.fsum((d - mean) ** 2 for d in differences) / (n - 1))
    if sd == 0:
        same = "no difference in any pair" if mean == 0 else "the same difference in every pair"
        return PairedT(n, mean, 0.0, note=f"{same}: zero variance, no t-test")
    from scipy.stats import t as student

    t = mean / (sd / math.sqrt(n))
    return PairedT(n, mean, sd, t, float(2 * student.sf(abs(t), n - 1)))


def wilcoxon(differences: Sequence[float]) -> Test:
    """Wilcoxon signed-rank test; pairs without a difference are left out, as Wilcoxon did."""
    moved = [d for d in differences if d != 0]
    if not moved:
        return Test(note="no pair differs" if differences else "no pairs")
    from scipy.stats import wilcoxon as signed_rank

    ties = len({abs(d) for d in moved}) < len(moved)
    method = "approx" if ties or len(moved) > 50 else "exact"
    result = signed_rank(moved, method=method)
    return Test(float(result.pvalue), float(result.statistic))


def sign_test(wins: int, losses: int) -> Test:
    """Exact two-sided test that wins are as likely as losses; ties are left out."""
    if wins + losses == 0:
        return Test(note="only ties")
    from scipy.stats import binomtest

    return Test(float(binomtest(wins, wins + losses).pvalue), float(wins))


def label_swap(differences: Sequence[float]) -> Test:
    """Permutation test of the mean difference: the two labels of each pair are swapped.

    All patterns up to :data:`EXACT_PAIRS` pairs, else :data:`RESAMPLES` seeded ones with the observed one
    among them.
    """
    n = len(differences)
    if not any(differences):
        return Test(note="no pair differs" if n else "no pairs")
    import numpy as np

    values = np.abs(np.asarray(differences, dtype=float))
    if n <= EXACT_PAIRS:
        bits = (np.arange(2**n)[:, None] >> np.arange(n)) & 1
        signs = 2.0 * bits - 1.0
    else:
        signs = np.random.default_rng(SEED).choice((-1.0, 1.0), size=(RESAMPLES, n))
        signs[0] = np.sign(differences)
    sums = np.abs(signs @ values)
    observed = abs(math.fsum(differences))
    return Test(float(np.mean(sums >= observed * (1 - 1e-12))), observed / n)


def bootstrap_interval(differences: Sequence[float], clusters: Sequence[Hashable] | None = None) -> Interval:
    """Percentile interval (95 %) of the mean; whole clusters are drawn, seeded.

    Args:
        differences: one a pair.
        clusters: the cluster of each pair; without them each pair is one.
    """
    groups: dict[Hashable, list[float]] = defaultdict(list)
    for position, difference in enumerate(differences):
        groups[clusters[position] if clusters is not None else position].append(difference)
    if len(groups) < 2:
        return Interval(note="fewer than two clusters: no interval" if groups else "no pairs")
    import numpy as np

    sums = np.array([math.fsum(g) for g in groups.values()])
    sizes = np.array([len(g) for g in groups.values()])
    drawn = np.random.default_rng(SEED).integers(len(groups), size=(RESAMPLES, len(groups)))
    means = sums[drawn].sum(axis=1) / sizes[drawn].sum(axis=1)
    low, high = np.quantile(means, (0.025, 0.975))
    return Interval(float(low), float(high))


def share_interval(successes: int, total: int) -> Interval:
    """Wilson's 95 % interval of a share."""
    if not total:
        return Interval(note="no entries")
    from scipy.stats import binomtest

    interval = binomtest(successes, total).proportion_ci(method="wilson")
    return Interval(float(interval.low), float(interval.high))


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Holm's correction; places without a p-value stay empty and count for nothing."""
    known = sorted((p, i) for i, p in enumerate(p_values) if p is not None)
    corrected: list[float | None] = [None] * len(p_values)
    highest = 0.0
    for rank, (p, index) in enumerate(known):
        highest = max(highest, min(1.0, p * (len(known) - rank)))
        corrected[index] = highest
    return corrected


def ranks(goodness: Mapping[str, float]) -> dict[str, float]:
    """Rank by name, 1 the best (highest); ties share the mean of their places."""
    values = list(goodness.values())
    return {
        name: 1.0 + sum(v > value for v in values) + (sum(v == value for v in values) - 1) / 2
        for name, value in goodness.items()
    }


def same_verdict(verdicts: Sequence[bool]) -> float | None:
    """The chance that two of an entry's attempts agree; ``None`` for fewer than two attempts."""
    n = len(verdicts)
    if n < 2:
        return None
    yes = sum(verdicts)
    return (yes * (yes - 1) + (n - yes) * (n - yes - 1)) / (n * (n - 1))


def spread(values: Sequence[float]) -> float | None:
    """SD (ddof 1) over attempts; ``None`` for fewer than two."""
    if len(values) < 2:
        return None
    mean = math.fsum(values) / len(values)
    return math.sqrt(math.fsum((v - mean) ** 2 for v in values) / (len(values) - 1))
