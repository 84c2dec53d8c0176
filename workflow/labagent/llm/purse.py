"""The purse that all model calls of a job are paid from: asked before each request, told what came of it.

A job opens it once (:func:`paying`); :class:`labagent.llm.LitellmModel` and the sessions of other agents find
it here, so that nobody between has to hand it on.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal, Protocol

from labagent.models.run import Usage
from labagent.trace import TraceWriter

Kind = Literal["call", "session"]


class Purse(Protocol):
    """What calls are paid from."""

    def begin(self) -> None:
        """Make ready, before the first event of a request is written anywhere."""
        ...

    def reserve(
        self,
        usd: float | None,
        tokens: int,
        *,
        seconds: float,
        patience: float = 0.0,
        kind: Kind = "call",
        trace: Path | None = None,
        seq: int = 0,
    ) -> str:
        """Reserve the worst case of one request, or of a session.

        Args:
            usd: the most it may cost; ``None`` where the price is unknown: then ``tokens`` count.
            tokens: the most it may take.
            seconds: after which it is over for certain.
            patience: seconds to wait where only reservations of others are in the way.
            kind: one request, or all that an agent of its own does.
            trace: where what comes of it will be written.
            seq: the last event that was written there.

        Returns:
            The reservation, to be settled.

        Raises:
            MoneySpent: the budget does not cover it.
        """
        ...

    def settle(
        self, ticket: str, usd: float | None, usage: Usage, *, calls: int = 1, possible_usd: float = 0.0
    ) -> None:
        """A reply arrived: book what it cost instead of what was reserved.

        Args:
            ticket: the reservation.
            usd: what it cost; ``None`` where that is unknown: then the tokens count.
            usage: what it took.
            calls: how many calls these were.
            possible_usd: what may have come on top.
        """
        ...

    def failed(self, ticket: str, *, maybe_billed: bool) -> None:
        """No reply arrived: what was reserved is lost, or free again."""
        ...


_open: Purse | None = None
"""The purse of this process' job. Not a context variable: scouts of an exploration are threads."""


@contextmanager
def paying(purse: Purse | None) -> Iterator[None]:
    """Have all model calls paid from a purse while this lasts; ``None`` for none."""
    global _open
    before, _open = _open, purse
    try:
        yield
    finally:
        _open = before


def open_purse() -> Purse | None:
    """The purse that calls are paid from now, if any."""
    return _open


@contextmanager
def paid_session(trace: TraceWriter, seq: int, usd: float, seconds: float) -> Iterator[None]:
    """Reserve all that an agent of its own may spend, since its calls cannot be forbidden; book what it did.

    Args:
        trace: gets its ``usage`` events while this lasts.
        seq: the last event before.
        usd: the most it may spend.
        seconds: the most it may take.

    Raises:
        MoneySpent: the budget over all entries does not cover that.
    """
    purse = open_purse()
    if purse is None:
        yield
        return
    purse.begin()
    before = trace.costs
    ticket = purse.reserve(usd, 0, seconds=max(seconds, 0.0), kind="session", trace=trace.path, seq=seq)
    yield
    now = trace.costs
    used = {name: getattr(now.usage, name) - getattr(before.usage, name) for name in Usage.model_fields}
    known = None if now.usd is None else now.usd - (before.usd or 0.0)
    purse.settle(ticket, known, Usage(**used), calls=now.calls - before.calls)
