"""What a statistic gives: numbers, or the reason why there are none."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass


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
    ``p_mid``: the exact test's mid-p, which counts half of the observed table's own probability.
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
    p_mid: float | None = None

    @property
    def n(self) -> int:
        """All pairs."""
        return self.both + self.only_first + self.only_second + self.neither


def finite(values: Sequence[float]) -> list[float]:
    """The values as floats, all finite."""
    found = [float(value) for value in values]
    for position, value in enumerate(found):
        if not math.isfinite(value):
            raise ValueError(f"difference {position} is {value}; only finite values can be compared")
    return found
