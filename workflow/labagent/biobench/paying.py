"""What one run may spend: every request is checked against its caps and written down before it is made.

The ledger is a trace (``model.jsonl``) that all tries of a run share: a killed try's costs stay in it, also
where the trace of the task that it was at is made anew.
"""

from __future__ import annotations

import time
from pathlib import Path

from labagent.errors import ModelBudgetUp, MoneySpent
from labagent.explore.agent.allowance import Allowance, CapReached
from labagent.llm.purse import Kind, Purse
from labagent.models.run import Usage
from labagent.trace import Costs, TraceWriter, lost_call, read_trace, sum_costs

LEDGER = "model.jsonl"
NO_LIMIT = 1 << 62


class RunPurse:
    """A run's purse. What it pays is paid from ``inner``, too, where there is one.

    ``reached`` says which cap forbade a request, empty as long as none did; whatever became of that request's
    answer, it is none that counts.
    """

    def __init__(
        self, folder: Path, usd: float, tokens: int | None, seconds: float, inner: Purse | None
    ) -> None:
        """Open the ledger of ``folder``, and book the request that a killed try left open."""
        self._path = folder / LEDGER
        events = read_trace(self._path)
        self._before, lost = sum_costs(events), lost_call(events)
        self._writer: TraceWriter | None = None
        self._allowance = Allowance(NO_LIMIT, usd, tokens, time.monotonic() + seconds)
        self._inner = inner
        self._open: dict[str, tuple[float | None, int]] = {}
        self.reached = ""
        self.refused: MoneySpent | None = None
        if lost != Costs():
            self._lost(lost.possible_usd, lost.possible_tokens, "the try before was killed")

    @property
    def costs(self) -> Costs:
        """All that was spent, over all tries."""
        return self._before if self._writer is None else self._writer.costs

    def close(self) -> None:
        """Close the ledger."""
        if self._writer is not None:
            self._writer.close()

    def check_time(self) -> None:
        """Note when the run's time is over."""
        if self._allowance.seconds_left <= 0 and not self.reached:
            self.reached = "the run's time is over"

    def begin(self) -> None:
        """Make ready what it is paid from."""
        if self._inner is not None:
            self._inner.begin()

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
        """See :meth:`labagent.llm.purse.Purse.reserve`.

        Raises:
            ModelBudgetUp: a cap of this run does not allow it.
            MoneySpent: the budget over all entries does not cover it.
        """
        try:
            self._allowance.check(self.costs, tokens, usd)
        except CapReached as cap:
            self.reached = f"{cap.name}: {cap}"
            raise ModelBudgetUp(self.reached) from cap
        ticket = f"r{len(self._open)}-{time.monotonic_ns()}"
        if self._inner is not None:
            try:
                ticket = self._inner.reserve(
                    usd, tokens, seconds=seconds, patience=patience, kind=kind, trace=trace, seq=seq
                )
            except MoneySpent as spent:
                self.refused = spent
                raise
        self._open[ticket] = (usd, tokens)
        self._trace.event("request", possible_usd=usd, possible_tokens=tokens)
        return ticket

    def settle(
        self, ticket: str, usd: float | None, usage: Usage, *, calls: int = 1, possible_usd: float = 0.0
    ) -> None:
        """See :meth:`labagent.llm.purse.Purse.settle`; on disk when this returns."""
        self._open.pop(ticket, None)
        self._trace.event("usage", usage=usage.model_dump(), cost_usd=usd)
        if self._inner is not None:
            self._inner.settle(ticket, usd, usage, calls=calls, possible_usd=possible_usd)

    def failed(self, ticket: str, *, maybe_billed: bool) -> None:
        """See :meth:`labagent.llm.purse.Purse.failed`."""
        usd, tokens = self._open.pop(ticket, (0.0, 0))
        if maybe_billed:
            self._lost(usd, tokens, "no whole reply")
        else:
            self._lost(0.0, 0, "refused by the service")
        if self._inner is not None:
            self._inner.failed(ticket, maybe_billed=maybe_billed)

    @property
    def _trace(self) -> TraceWriter:
        """The ledger; a run without a model has none."""
        if self._writer is None:
            self._writer = TraceWriter(self._path)
        return self._writer

    def _lost(self, usd: float | None, tokens: int, reason: str) -> None:
        """Book what may have been spent for nothing."""
        self._trace.event("retry", reason=reason, possible_usd=usd, possible_tokens=tokens)
