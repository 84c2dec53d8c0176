"""Statistics of the report. A case without an answer says so in ``note``; nothing gives NaN.

Differences are per target, "better is positive", in one metric: unlike metrics are never pooled. Values that
are not finite are refused: a scorer never gives one. Sources of formulas: docs/design/scoring-and-report.md.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping, Sequence

from labagent.report.estimates import Interval, Paired, PairedT, Test, finite
from labagent.report.resampling import bootstrap_interval, label_swap, sums_of_parts

__all__ = [
    "Interval",
    "Paired",
    "PairedT",
    "Test",
    "bootstrap_interval",
    "holm",
    "label_swap",
    "majority",
    "mcnemar",
    "paired_t",
    "ranks",
    "same_value",
    "same_verdict",
    "share_interval",
    "sign_test",
    "spread",
    "wilcoxon",
]
LAST_BITS = 8 * sys.float_info.epsilon


def paired_t(differences: Sequence[float]) -> PairedT:
    """Student's paired t-test on differences.

    Raises:
        ValueError: a difference is not finite; so do all tests of differences.
    """
    values = finite(differences)
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
    from scipy.special import stdtr

    t = mean / (sd / math.sqrt(n))
    return PairedT(n, mean, sd, t, float(2 * stdtr(n - 1, -abs(t))))


def wilcoxon(differences: Sequence[float]) -> Test:
    """Wilcoxon signed-rank test; pairs without a difference are left out, as Wilcoxon did.

    Exact for up to 50 pairs without ties; with ties or zeros through all sign patterns up to 13 pairs; else
    the normal approximation with the variance corrected for ties and without continuity correction.
    """
    values = finite(differences)
    moved = [d for d in values if d != 0]
    if not moved:
        return Test(note="no pair differs" if values else "no pairs")
    import numpy as np

    sizes, place, counts = np.unique(np.abs(moved), return_inverse=True, return_counts=True)
    ranked = (np.cumsum(counts) - (counts - 1) / 2)[place]
    positive = float(ranked[np.asarray(moved) > 0].sum())
    statistic = min(positive, float(ranked.sum()) - positive)
    clean = len(sizes) == len(values)
    if clean and len(values) <= 50:
        return Test(min(1.0, 2 * _rank_sum_below(statistic, len(values))), statistic, method="exact")
    if len(values) <= 13:
        share = float(np.mean(sums_of_parts(ranked) <= statistic))
        return Test(min(1.0, 2 * share), statistic, method="exact")
    from scipy.special import ndtr

    m = len(moved)
    variance = m * (m + 1) * (2 * m + 1) / 24 - float((counts**3 - counts).sum()) / 48
    z = (statistic - m * (m + 1) / 4) / math.sqrt(variance)
    return Test(float(2 * ndtr(z)), statistic, method="normal approximation")


def sign_test(wins: int, losses: int) -> Test:
    """Exact two-sided test that wins are as likely as losses; ties are left out."""
    if wins + losses == 0:
        return Test(note="only ties")
    return Test(_binomial(wins, losses), float(wins), method="exact")


def mcnemar(first: Sequence[bool], second: Sequence[bool]) -> Paired:
    """McNemar's test of paired yes/no outcomes: exact (binomial), mid-p, and the chi-squared statistic.

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
    from scipy.special import chdtrc

    statistic = (abs(only_first - only_second) - 1) ** 2 / discordant
    exact = _binomial(only_first, only_second)
    mid = _mid_binomial(only_first, only_second)
    return Paired(*counts, difference, exact, statistic, float(chdtrc(1, statistic)), p_mid=mid)


def share_interval(successes: int, total: int) -> Interval:
    """Wilson's 95 % interval of a share."""
    if not total:
        return Interval(note="no entries")
    from scipy.special import ndtri

    z = float(ndtri(0.975))
    share, weight = successes / total, z * z / total
    middle = (share + weight / 2) / (1 + weight)
    half = z / (1 + weight) * math.sqrt(share * (1 - share) / total + weight / (4 * total))
    low = middle - half if successes else 0.0
    return Interval(low, middle + half if successes < total else 1.0)


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


def majority(outcomes: Sequence[bool]) -> bool:
    """Whether more than half of the outcomes hold; an even split is none."""
    return 2 * sum(map(bool, outcomes)) > len(outcomes)


def spread(values: Sequence[float]) -> float | None:
    """SD (ddof 1) over attempts; ``None`` for fewer than two."""
    return _sd(values) if len(values) > 1 else None


def same_value(a: float, b: float, scale: float = 0.0) -> bool:
    """The tie rule: two values are the same if they differ in nothing but their last bits.

    ``scale`` is the size of what the values were computed from, where it is larger than theirs.
    """
    return abs(a - b) <= LAST_BITS * max(abs(a), abs(b), abs(scale))


def _sd(values: Sequence[float]) -> float:
    """SD with ddof 1 of at least two values; scaled, so that tiny values do not vanish when squared."""
    mean = math.fsum(values) / len(values)
    return math.hypot(*(value - mean for value in values)) / math.sqrt(len(values) - 1)


def _binomial(wins: int, losses: int) -> float:
    """Two-sided p of a fair coin that fell so or further from even."""
    from scipy.special import bdtr

    return min(1.0, 2 * float(bdtr(min(wins, losses), wins + losses, 0.5)))


def _mid_binomial(wins: int, losses: int) -> float:
    """The same with half of the probability of how it fell."""
    from scipy.special import bdtr

    fewer, tosses = min(wins, losses), wins + losses
    below = float(bdtr(fewer - 1, tosses, 0.5)) if fewer else 0.0
    return min(1.0, below + float(bdtr(fewer, tosses, 0.5)))


def _rank_sum_below(limit: float, n: int) -> float:
    """The chance that the ranks 1 to n, each taken or not with equal chance, sum to at most ``limit``."""
    import numpy as np

    ways = np.zeros(n * (n + 1) // 2 + 1)
    ways[0] = 1.0
    for rank in range(1, n + 1):
        ways[rank:] += ways[:-rank].copy()
    return float(ways[: int(limit) + 1].sum() / 2.0**n)
