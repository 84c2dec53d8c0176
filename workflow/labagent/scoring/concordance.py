"""Harrell's C for survival times, in O(n log n)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby


def concordance(times: Sequence[float], risks: Sequence[float], events: Sequence[bool]) -> float | None:
    """The share of comparable pairs in which the earlier time has the higher risk.

    A pair is comparable when the earlier time is an observed event; a censored time equal to an event's
    counts as later, two events at one time are not compared. Equal risks count one half.

    Returns:
        Harrell's C, or ``None`` where no pair is comparable.
    """
    place = {risk: index for index, risk in enumerate(sorted(set(risks)), start=1)}
    later = _Counts(len(place))
    comparable, concordant = 0, 0.0
    latest_first = sorted(range(len(times)), key=lambda i: (-times[i], events[i]))
    for _, group in groupby(latest_first, key=lambda i: (times[i], events[i])):
        members = list(group)
        for i in members:
            if events[i]:
                lower = later.up_to(place[risks[i]] - 1)
                equal = later.up_to(place[risks[i]]) - lower
                comparable += later.total
                concordant += lower + 0.5 * equal
        for i in members:
            later.add(place[risks[i]])
    return concordant / comparable if comparable else None


class _Counts:
    """Counts by position with fast prefix sums (a Fenwick tree)."""

    def __init__(self, size: int) -> None:
        self.counts = [0] * (size + 1)
        self.total = 0

    def add(self, position: int) -> None:
        """Count one more at ``position`` (from 1)."""
        self.total += 1
        while position < len(self.counts):
            self.counts[position] += 1
            position += position & -position

    def up_to(self, position: int) -> int:
        """How many stand at positions up to and with ``position``."""
        result = 0
        while position > 0:
            result += self.counts[position]
            position -= position & -position
        return result
