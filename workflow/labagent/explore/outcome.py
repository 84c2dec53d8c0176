"""What a drafter hands back."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Drafted:
    """What came of drafting.

    ``reason`` is empty for a draft that holds, ``struck`` lists what was tried or said and did not hold,
    ``cost_usd`` is ``None`` where the price is unknown.
    """

    reason: str
    struck: tuple[str, ...] = ()
    cost_usd: float | None = 0.0
