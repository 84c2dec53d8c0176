"""What traces say of money: what came of a dead process' call, what a folder had cost before its book."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from labagent.errors import InputError
from labagent.models.run import Usage
from labagent.models.spending import Held, SpendingRecord
from labagent.trace import lost_call, read_trace
from labagent.trace.reader import Event

MONEY = b'"event": "usage"', b'"event": "retry"', b'"event": "request"'


@dataclass(frozen=True)
class Reckoned:
    """Sums to book; ``estimated_usd`` is the part of ``usd`` that is known by its tokens alone."""

    usd: float = 0.0
    estimated_usd: float = 0.0
    possible_usd: float = 0.0
    calls: int = 0
    usage: Usage = field(default_factory=Usage)

    def __add__(self, other: Reckoned) -> Reckoned:
        """Both together."""
        return Reckoned(
            self.usd + other.usd,
            self.estimated_usd + other.estimated_usd,
            self.possible_usd + other.possible_usd,
            self.calls + other.calls,
            _sum(self.usage, other.usage),
        )


def booked(book: SpendingRecord, ticket: str, cost: Reckoned) -> SpendingRecord:
    """A book with a reservation replaced by what came of it."""
    held = dict(book.held)
    return _with(book.model_copy(update={"held": held}), held.pop(ticket).who, cost)


def came_of(held: Held, trace: Path | None, rate: float) -> Reckoned:
    """What a dead process' reservation came to.

    Args:
        held: the reservation.
        trace: its trace, if it names one.
        rate: US$ of a token whose price is unknown.

    Returns:
        What its trace says; where that does not say that the money was not spent, it counts as possible.
    """
    events = _events(trace)[held.seq :] if trace else []
    if held.kind == "session":
        known = _reckon(events, rate)
        ended = any(event["event"] == "end" for event in events)
        left = 0.0 if ended else max(held.usd - known.usd - known.possible_usd, 0.0)
        return known + Reckoned(possible_usd=left)
    answer = next((e for e in events if e["event"] in ("usage", "retry")), None)
    return Reckoned(possible_usd=held.usd) if answer is None else _reckon([answer], rate)


def so_far(results: Path, rate: float) -> SpendingRecord:
    """The book of a folder whose calls were made before it had one: the sums of its traces.

    Args:
        results: the results folder.
        rate: US$ of a token whose price is unknown.
    """
    book = SpendingRecord()
    for who, events in _all_traces(results):
        if not any(event.get("replay_of") for event in events[:1]):
            book = _with(book, who, _reckon(events, rate) + _lost(events, rate))
    return book


def _all_traces(results: Path) -> Iterator[tuple[str, list[Event]]]:
    """Every trace with model calls, by whose they are. What scouts did stands in their lanes, whole."""
    for path in sorted(results.glob("runs/*/*/*/try-*/trace.jsonl")):
        yield f"reproduce/{path.parts[-5]}", _events(path)
    for path in sorted(results.glob("select/*/*.trace.jsonl")):
        yield f"select/{path.parts[-2]}", _events(path)
    for path in sorted(results.glob("explore/*/*/trace.jsonl")):
        yield f"explore/{path.parts[-3]}", [e for e in _events(path) if "lane" not in e]
        for lane in sorted((path.parent / "lanes").glob("*.jsonl")):
            yield f"explore/{path.parts[-3]}", _events(lane)


def _events(path: Path) -> list[Event]:
    """The events of a trace; none where it holds no call, or cannot be read."""
    try:
        content = path.read_bytes()
        return read_trace(path) if any(mark in content for mark in MONEY) else []
    except (OSError, InputError):
        return []


def _reckon(events: Iterable[Event], rate: float) -> Reckoned:
    """The sums of some events."""
    total = Reckoned()
    for event in events:
        if event["event"] == "usage":
            usage = Usage(**event["usage"])
            usd = event["cost_usd"]
            by_tokens = (usage.prompt_tokens + usage.completion_tokens) * rate if usd is None else 0.0
            total += Reckoned(by_tokens if usd is None else usd, by_tokens, 0.0, 1, usage)
        elif event["event"] == "retry":
            usd = event.get("possible_usd")
            total += Reckoned(possible_usd=event.get("possible_tokens", 0) * rate if usd is None else usd)
    return total


def _lost(events: list[Event], rate: float) -> Reckoned:
    """The call that was under way when a trace's writer was killed, at its worst case."""
    lost = lost_call(events)
    asked = next((event for event in reversed(events) if event["event"] == "request"), {})
    unknown = asked.get("possible_usd") is None
    return Reckoned(possible_usd=lost.possible_tokens * rate if unknown else lost.possible_usd)


def _with(book: SpendingRecord, who: str, cost: Reckoned) -> SpendingRecord:
    """A book with a cost of a job."""
    owner = "/".join(who.split("/")[:2])
    usd = cost.usd + cost.possible_usd
    return book.model_copy(
        update={
            "spent_usd": book.spent_usd + cost.usd,
            "estimated_usd": book.estimated_usd + cost.estimated_usd,
            "possible_usd": book.possible_usd + cost.possible_usd,
            "calls": book.calls + cost.calls,
            "usage": _sum(book.usage, cost.usage),
            "by": {**book.by, owner: book.by.get(owner, 0.0) + usd} if usd or cost.calls else book.by,
        }
    )


def _sum(first: Usage, second: Usage) -> Usage:
    """Both together."""
    return Usage(**{name: getattr(first, name) + getattr(second, name) for name in Usage.model_fields})
