"""What an exploration may spend: calls, US$, tokens, time; each call's worst case is checked before it.

Scouts run at the same time, so none of them looks at a common purse: each gets an equal share of what is
left when its round begins. So which call is refused does not depend on which reply came first.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

from labagent.trace import Costs

FALLBACK_USD_PER_MILLION_TOKENS = 10.0
RESEARCH_SHARE = 0.6  # of each cap; the rest is for writing the skill


class CapReached(Exception):
    """The next call is not allowed; ``name`` is the cap's, the text gives the figures."""

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        super().__init__(text)


@dataclass(frozen=True)
class Allowance:
    """Caps in absolute figures. ``tokens`` ``None``: from ``usd`` where a price is unknown.

    ``deadline`` is a value of ``time.monotonic()``.
    """

    calls: int
    usd: float
    tokens: int | None
    deadline: float

    @property
    def seconds_left(self) -> float:
        """Seconds to the deadline."""
        return self.deadline - time.monotonic()

    def check(self, spent: Costs, tokens: int, usd: float | None) -> None:
        """Allow one more call, or say which cap forbids it.

        Args:
            spent: what was spent under this allowance so far, lost replies with their worst case.
            tokens: the most the call may take.
            usd: the most it may cost; ``None`` where the price is unknown.

        Raises:
            CapReached: the call may go beyond a cap.
        """
        if spent.calls >= self.calls:
            raise CapReached("calls", f"{spent.calls} of {self.calls} calls made")
        if self.seconds_left <= 0:
            raise CapReached("wall_seconds", "the time for exploring is over")
        used, most = spent.tokens + spent.possible_tokens, self._most_tokens(spent, usd)
        if most is not None and tokens and used + tokens > most:
            raise CapReached("tokens", f"{used} tokens spent; the next call may take {tokens} of {most}")
        if spent.usd is not None and usd:
            paid = spent.usd + spent.possible_usd
            if paid + usd > self.usd:
                figures = f"US$ {paid:.4f} spent; the next call may cost {usd:.4f} of {self.usd:g}"
                raise CapReached("usd", figures)

    def research(self) -> Allowance:
        """The part of all caps that may go into searching."""
        return self._scaled(RESEARCH_SHARE)

    def left(self, spent: Costs) -> Allowance:
        """What remains after ``spent``."""
        usd = self.usd - (spent.usd or 0.0) - spent.possible_usd
        tokens = None if self.tokens is None else max(self.tokens - spent.tokens - spent.possible_tokens, 0)
        return replace(self, calls=max(self.calls - spent.calls, 0), usd=max(usd, 0.0), tokens=tokens)

    def share(self, parts: int) -> Allowance:
        """One of ``parts`` equal shares."""
        return self._scaled(1 / parts)

    def _scaled(self, factor: float) -> Allowance:
        """All caps but the time, times a factor."""
        tokens = None if self.tokens is None else int(self.tokens * factor)
        return replace(self, calls=int(self.calls * factor), usd=self.usd * factor, tokens=tokens)

    def _most_tokens(self, spent: Costs, usd: float | None) -> int | None:
        """The cap on tokens: the set one, else one from the US$ where a price is unknown."""
        if self.tokens is None and (spent.usd is None or usd is None):
            return int(self.usd / FALLBACK_USD_PER_MILLION_TOKENS * 1_000_000)
        return self.tokens


def minus(now: Costs, before: Costs) -> Costs:
    """What was spent between two readings of one trace; an unknown price stays unknown."""
    usage = {
        name: getattr(now.usage, name) - getattr(before.usage, name) for name in type(now.usage).model_fields
    }
    return Costs(
        usage=type(now.usage)(**usage),
        usd=None if now.usd is None else now.usd - (before.usd or 0.0),
        calls=now.calls - before.calls,
        possible_usd=now.possible_usd - before.possible_usd,
        possible_tokens=now.possible_tokens - before.possible_tokens,
    )
