"""What a tool has spent, as usage events of the trace: counted while it runs, corrected by its own total."""

from __future__ import annotations

import math
from collections.abc import Callable

from labagent.llm.price import cost
from labagent.models.config import Price
from labagent.models.run import Usage
from labagent.reproduce.caps import FALLBACK_USD_PER_MILLION_TOKENS
from labagent.reproduce.harness.events import Total, Used
from labagent.trace import TraceWriter

GUESSED = Price(input=FALLBACK_USD_PER_MILLION_TOKENS, output=FALLBACK_USD_PER_MILLION_TOKENS)


class Meter:
    """Adds up what a transcript says.

    ``usage`` events hold differences, so that their sum is what is known at any moment, also when this
    process is killed. Where the model's price is unknown its tokens count at the caps' fallback price while
    the tool runs; at its end the tool's own total takes their place, or the cost is unknown.
    """

    def __init__(self, trace: TraceWriter, price_of: Callable[[str], Price | None]) -> None:
        """Nothing spent yet.

        Args:
            trace: gets the events.
            price_of: the price of a model by the name that the transcript has for it, ``None`` where unknown.
        """
        self._trace = trace
        self._price_of = price_of
        self._used: dict[str, Used] = {}
        self._total: Total | None = None
        self._written = Usage()
        self._usd = 0.0
        self.model = ""

    def used(self, event: Used) -> None:
        """Tokens under a key; never fewer than were told before."""
        before = self._used.get(event.key)
        if before is None or _size(event.usage) > _size(before.usage):
            self._used[event.key] = event
            self._total = None  # said too early
        self.model = event.model or self.model

    def total(self, event: Total) -> None:
        """The tool's own sum; one that cannot be is none."""
        usd = event.usd
        sound = isinstance(usd, int | float) and not isinstance(usd, bool) and 0 <= usd < math.inf
        before = self._total
        self._total = Total(
            float(usd) if sound and usd is not None else (before.usd if before else None),
            event.usage or (before.usage if before else None),
        )

    def flush(self) -> None:
        """Write what is new since the last time."""
        usage, usd = self._usage(), self._cost()
        if usage != self._written or abs(usd - self._usd) > 1e-12:
            self._write(usage, usd)

    def close(self) -> None:
        """Write the last figures; a cost that nobody said is unknown."""
        self.flush()
        if not self._is_known():
            self._trace.event("usage", usage=Usage().model_dump(), cost_usd=None)

    def _is_known(self) -> bool:
        """Whether the cost was said or can be computed; a tool that says nothing has an unknown one."""
        if self._total is not None and self._total.usd is not None:
            return True
        prices = [self._price_of(event.model or self.model) for event in self._used.values()]
        return bool(prices) and None not in prices

    def _write(self, usage: Usage, usd: float) -> None:
        """One event with the differences."""
        new, old = usage.model_dump(), self._written.model_dump()
        self._trace.event(
            "usage", usage={name: new[name] - old[name] for name in new}, cost_usd=usd - self._usd
        )
        self._written, self._usd = usage, usd

    def _usage(self) -> Usage:
        """Tokens so far."""
        if self._total is not None and self._total.usage is not None:
            return self._total.usage
        parts = [event.usage.model_dump() for event in self._used.values()]
        return Usage(**{name: sum(part[name] for part in parts) for name in Usage.model_fields})

    def _cost(self) -> float:
        """US$ so far."""
        if self._total is not None and self._total.usd is not None:
            return self._total.usd
        events = self._used.values()
        return sum(
            cost(event.usage, self._price_of(event.model or self.model) or GUESSED) for event in events
        )


def _size(usage: Usage) -> int:
    """Prompt and completion together."""
    return usage.prompt_tokens + usage.completion_tokens
