"""Statistics of the report. A case without an answer says so in ``note``; nothing gives NaN.

Differences are per target, "better is positive", in one metric: unlike metrics are never pooled. Values that
are not finite are refused: a scorer never gives one. Sources of formulas: docs/design/scoring-and-report.md.
"""

from __future__ import annotations

import math
import sys
from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

SEED = 20260101
RESAMPLES = 10_000
EXACT_PAIRS = 14
"""Up to this many pairs that differ the permutation test goes through all sign patterns."""
BLOCK = 1 << 20
"""Most cells of a table of resamples that is held at a time."""
LAST_BITS = 8 * sys.float_info.epsilon


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
    """A two-sided p-value with the way it was computed, or the reason why there is none."""

    p: float | None = None
    statistic: float | None = None
    note: str = ""
    method: str = ""


@dataclass(frozen=True)
class Interval:
    """A 95 % interval, or the reason why there is none."""

    low: float | None = None
    high: float | None = None
    note: str = ""


@dataclass(frozen=True)
class Paired:
    """Paired yes/no outcomes: how many pairs have both, one or none; McNemar's exact test of the rest.

    ``chi2``, ``p_chi2``: McNemar's statistic with Edwards' continuity correction, for many discordant pairs.
    ``difference``: share of the first minus share of the second.
    """

    both: int
    only_first: int
    only_second: int
    neither: int
    difference: float | None = None
    p: float | None = None
    chi2: float | None = None
    p_chi2: float | None = None
    note: str = ""

    @property
    def n(self) -> int:
        """All pairs."""
        return self.both + self.only_first + self.only_second + self.neither


def paired_t(differences: Sequence[float]) -> PairedT:
    """Student's paired t-test on differences.

    Raises:
        ValueError: a difference is not finite; so do all tests of differences.
    """
    values = _finite(differences)
    n = len(values)
    if not n:
        return PairedT(0, note="no pairs")
    mean = math.fsum(values) / n
    if n == 1:
        return PairedT(1, mean, note="one pair: no SD, no test")
    if max(values) - min(values) <= LAST_BITS * max(map(abs, values)):
        same = "the same difference in every pair" if any(values) else "no difference in any pair"
        return PairedT(n, mean, 0.0, note=f"{same}: zero variance, no t-test")
    sd = _sd(values)
    from scipy.stats import t as student

    t = mean / (sd / math.sqrt(n))
    return PairedT(n, mean, sd, t, float(2 * student.sf(abs(t), n - 1)))


def wilcoxon(differences: Sequence[float]) -> Test:
    """Wilcoxon signed-rank test; pairs without a difference are left out, as Wilcoxon did.

    Exact for up to 50 pairs without ties; with ties or zeros through all sign patterns up to 13 pairs; else
    the normal approximation with the variance corrected for ties and without continuity correction.
    """
    values = _finite(differences)
    moved = [d for d in values if d != 0]
    if not moved:
        return Test(note="no pair differs" if values else "no pairs")
    from scipy.stats import wilcoxon as signed_rank

    clean = len({abs(d) for d in moved}) == len(values)
    exact = (clean and len(values) <= 50) or len(values) <= 13
    result = signed_rank(values, zero_method="wilcox", correction=False, method="auto")
    return Test(
        float(result.pvalue), float(result.statistic), method="exact" if exact else "normal approximation"
    )


def sign_test(wins: int, losses: int) -> Test:
    """Exact two-sided test that wins are as likely as losses; ties are left out."""
    if wins + losses == 0:
        return Test(note="only ties")
    from scipy.stats import binomtest

    return Test(float(binomtest(wins, wins + losses).pvalue), float(wins), method="exact")


def label_swap(differences: Sequence[float]) -> Test:
    """Permutation test of the mean difference: the two labels of each pair are swapped.

    All patterns up to :data:`EXACT_PAIRS` pairs that differ, else :data:`RESAMPLES` seeded ones with the
    observed one among them. A pair without a difference is the same either way.
    """
    moved = [d for d in _finite(differences) if d != 0]
    n = len(moved)
    if not n:
        return Test(note="no pair differs" if differences else "no pairs")
    import numpy as np

    sizes = np.abs(np.asarray(moved, dtype=float))
    if n <= EXACT_PAIRS:
        sums = ((np.arange(2**n)[:, None] >> np.arange(n)) & 1) * 2.0 @ sizes - sizes.sum()
    else:
        generator = np.random.default_rng(SEED)
        flips = _blocks(n, lambda rows: generator.integers(0, 2, size=(rows, n), dtype=np.uint8) @ sizes)
        sums = 2.0 * flips - sizes.sum()
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
    values = _finite(differences)
    groups: dict[Hashable, list[float]] = defaultdict(list)
    for value, cluster in zip(values, range(len(values)) if clusters is None else clusters, strict=True):
        groups[cluster].append(value)
    if len(groups) < 2:
        return Interval(note="fewer than two clusters: no interval" if groups else "no pairs")
    if min(values) == max(values):
        return Interval(values[0], values[0], note="the same difference in every pair: interval of no width")
    import numpy as np

    sums = np.array([math.fsum(g) for g in groups.values()])
    sizes = np.array([len(g) for g in groups.values()], dtype=float)
    generator = np.random.default_rng(SEED)

    def drawn(rows: int) -> Any:
        picks = generator.integers(len(sums), size=(rows, len(sums)), dtype=np.int32)
        return sums[picks].sum(axis=1) / sizes[picks].sum(axis=1)

    low, high = np.quantile(_blocks(len(sums), drawn), (0.025, 0.975))
    return Interval(float(low), float(high))


def mcnemar(first: Sequence[bool], second: Sequence[bool]) -> Paired:
    """McNemar's test of paired yes/no outcomes, exact (binomial) and with the chi-squared statistic.

    Args:
        first: one outcome a pair.
        second: the other of the same pairs, in the same order.
    """
    pairs = list(zip(map(bool, first), map(bool, second), strict=True))
    both, only_first = pairs.count((True, True)), pairs.count((True, False))
    only_second, neither = pairs.count((False, True)), pairs.count((False, False))
    counts = (both, only_first, only_second, neither)
    discordant = only_first + only_second
    if not pairs:
        return Paired(*counts, note="no pairs")
    difference = (only_first - only_second) / len(pairs)
    if not discordant:
        return Paired(*counts, difference, note="no pair differs")
    from scipy.stats import binomtest
    from scipy.stats import chi2 as chi_squared

    statistic = (abs(only_first - only_second) - 1) ** 2 / discordant
    exact = float(binomtest(only_first, discordant).pvalue)
    return Paired(*counts, difference, exact, statistic, float(chi_squared.sf(statistic, 1)))


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
    return _sd(values) if len(values) > 1 else None


def same_value(a: float, b: float, scale: float = 0.0) -> bool:
    """The tie rule: two values are the same if they differ in nothing but their last bits.

    ``scale`` is the size of what the values were computed from, where it is larger than theirs.
    """
    return abs(a - b) <= LAST_BITS * max(abs(a), abs(b), abs(scale))


def _finite(values: Sequence[float]) -> list[float]:
    """The values as floats, all finite."""
    found = [float(value) for value in values]
    for position, value in enumerate(found):
        if not math.isfinite(value):
            raise ValueError(f"difference {position} is {value}; only finite values can be compared")
    return found


def _sd(values: Sequence[float]) -> float:
    """SD with ddof 1 of at least two values; scaled, so that tiny values do not vanish when squared."""
    mean = math.fsum(values) / len(values)
    return math.hypot(*(value - mean for value in values)) / math.sqrt(len(values) - 1)


def _blocks(width: int, make: Callable[[int], Any]) -> Any:
    """:data:`RESAMPLES` results of ``make(rows)``, made in blocks that fit :data:`BLOCK` cells."""
    import numpy as np

    step = max(1, BLOCK // width)
    return np.concatenate([make(min(step, RESAMPLES - start)) for start in range(0, RESAMPLES, step)])
