"""What the model calls of a trace cost."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from labagent.models.run import Usage
from labagent.trace.reader import Event, read_trace


@dataclass(frozen=True)
class Costs:
    """Sums over model calls.

    ``usd`` is ``None`` as soon as the price of one call is unknown. ``possible_usd`` and
    ``possible_tokens`` bound what calls may have cost whose reply never arrived whole.
    """

    usage: Usage = field(default_factory=Usage)
    usd: float | None = 0.0
    calls: int = 0
    possible_usd: float = 0.0
    possible_tokens: int = 0

    @property
    def tokens(self) -> int:
        """Prompt and completion tokens together."""
        return self.usage.prompt_tokens + self.usage.completion_tokens

    def __add__(self, other: Costs) -> Costs:
        """Both sums together."""
        mine, theirs = self.usage, other.usage
        return Costs(
            usage=Usage(
                prompt_tokens=mine.prompt_tokens + theirs.prompt_tokens,
                cached_tokens=mine.cached_tokens + theirs.cached_tokens,
                completion_tokens=mine.completion_tokens + theirs.completion_tokens,
                prefix_tokens=mine.prefix_tokens + theirs.prefix_tokens,
            ),
            usd=None if self.usd is None or other.usd is None else self.usd + other.usd,
            calls=self.calls + other.calls,
            possible_usd=self.possible_usd + other.possible_usd,
            possible_tokens=self.possible_tokens + other.possible_tokens,
        )


def costs(path: Path) -> Costs:
    """The costs of one trace file, from its ``usage`` and ``retry`` events."""
    return sum_costs(read_trace(path))


def lost_call(events: Sequence[Event]) -> Costs:
    """What the call may have cost that was under way when a trace's writer was killed; else nothing."""
    if not events or events[-1]["event"] not in ("request", "retry"):
        return Costs()
    asked = next((event for event in reversed(events) if event["event"] == "request"), {})
    return Costs(
        possible_usd=asked.get("possible_usd") or 0.0, possible_tokens=asked.get("possible_tokens", 0)
    )


def sum_costs(events: Iterable[Event]) -> Costs:
    """The costs of a trace's events."""
    total = Costs()
    for event in events:
        if event["event"] == "usage":
            total += Costs(usage=Usage(**event["usage"]), usd=event["cost_usd"], calls=1)
        elif event["event"] == "retry":
            total += Costs(
                possible_usd=event.get("possible_usd") or 0.0,
                possible_tokens=event.get("possible_tokens", 0),
            )
    return total
