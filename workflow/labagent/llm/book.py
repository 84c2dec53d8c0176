"""The book of what a results folder's model calls cost, which concurrent jobs share.

One small file, replaced as a whole under a lock, so that a process killed at any moment leaves the state
before or after its change. What a dead process had reserved is booked by what its trace says came of it;
where that does not say, the money may have been spent and stays gone.
"""

from __future__ import annotations

import os
import socket
import time
import uuid
from contextlib import AbstractContextManager
from pathlib import Path

from labagent.errors import InfrastructureError, MoneySpent
from labagent.llm.purse import Kind
from labagent.llm.reckoning import Reckoned, booked, came_of, so_far
from labagent.locking import locked, process_mark
from labagent.models.base import first_fault
from labagent.models.run import Usage
from labagent.models.spending import Held, Spending, SpendingRecord

BOOK = "spending.json"
GRACE_SECONDS = 600.0
"""How long after its end a reservation of another machine still counts as alive: clocks differ."""
_SLACK_USD = 1e-9
_LONGEST_PAUSE = 1.0


class Book:
    """The book of a results folder, as one job sees it: a :class:`labagent.llm.purse.Purse`."""

    def __init__(self, results: Path, settings: Spending, who: str) -> None:
        """Name the book; nothing is read yet.

        Args:
            results: the results folder, which holds the book.
            settings: the budget.
            who: the job, as ``stage/<arm or explorer>/…``.
        """
        self.path = results / BOOK
        self._results = results
        self._settings = settings
        self._who = who

    def begin(self) -> None:
        """Begin the book from the folder's traces where there is none.

        Before this job's first request: a request in a trace without a reply counts as lost.
        """
        if not self.path.exists():
            with self._locked():
                if not self.path.exists():
                    so_far(self._results, self._rate).write(self.path)

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
        """Reserve; see :meth:`labagent.llm.purse.Purse.reserve`.

        Raises:
            MoneySpent: the budget does not cover it.
            InfrastructureError: the book cannot be read or written.
        """
        amount = tokens * self._rate if usd is None else usd
        held = self._held(amount, kind, seconds, trace, seq)
        deadline = time.monotonic() + patience
        pause = 0.05
        while True:
            ticket, book = self._try(held)
            if ticket:
                return ticket
            if self._beyond(book.certain_usd + amount) or time.monotonic() >= deadline:
                raise MoneySpent(self._refusal(book, amount))
            time.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE)

    def settle(
        self, ticket: str, usd: float | None, usage: Usage, *, calls: int = 1, possible_usd: float = 0.0
    ) -> None:
        """Book a reply; see :meth:`labagent.llm.purse.Purse.settle`."""
        known = Reckoned(usd=usd or 0.0, usage=usage, calls=calls, possible_usd=possible_usd)
        if usd is None:
            by_tokens = (usage.prompt_tokens + usage.completion_tokens) * self._rate
            known = Reckoned(by_tokens, by_tokens, possible_usd, calls, usage)
        self._close(ticket, known)

    def failed(self, ticket: str, *, maybe_billed: bool) -> None:
        """Book a request without a reply; see :meth:`labagent.llm.purse.Purse.failed`."""
        self._close(ticket, None if maybe_billed else Reckoned())

    @property
    def _rate(self) -> float:
        """US$ of a token whose price is unknown."""
        return self._settings.usd_per_million_tokens / 1_000_000

    def _held(self, amount: float, kind: Kind, seconds: float, trace: Path | None, seq: int) -> Held:
        """A reservation of this process."""
        place = ""
        if trace is not None:
            inside = trace.resolve().is_relative_to(self._results.resolve())
            place = str(trace.resolve().relative_to(self._results.resolve()) if inside else trace.resolve())
        return Held(
            kind=kind,
            usd=amount,
            who=self._who,
            host=socket.gethostname(),
            pid=os.getpid(),
            mark=process_mark(os.getpid()),
            until=time.time() + seconds,
            trace=place,
            seq=seq,
        )

    def _try(self, held: Held) -> tuple[str, SpendingRecord]:
        """Reserve if there is room; the book as it is then."""
        with self._locked():
            book = self._recovered()
            if self._beyond(book.certain_usd + book.held_usd + held.usd):
                return "", book
            ticket = uuid.uuid4().hex[:16]
            book = book.model_copy(update={"held": {**book.held, ticket: held}})
            book.write(self.path)
        return ticket, book

    def _close(self, ticket: str, known: Reckoned | None) -> None:
        """Take a reservation out and book what came of it; ``None``: it may have been spent.

        One that somebody took for a dead process' is booked already.
        """
        with self._locked():
            book = read_book(self.path) or SpendingRecord()
            held = book.held.get(ticket)
            if held is not None:
                lost = Reckoned(possible_usd=held.usd)
                booked(book, ticket, lost if known is None else known).write(self.path)

    def _recovered(self) -> SpendingRecord:
        """The book without reservations of dead processes; begun from the traces where there is none."""
        book = read_book(self.path)
        if book is None:
            return so_far(self._results, self._rate)
        for ticket, held in book.held.items():
            if not is_alive(held):
                trace = self._results / held.trace if held.trace else None
                book = booked(book, ticket, came_of(held, trace, self._rate))
        return book

    def _locked(self) -> AbstractContextManager[None]:
        """The lock of the book."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        return locked(self.path.with_name(f"{BOOK}.lock"))

    def _beyond(self, usd: float) -> bool:
        """Whether a sum is more than the budget."""
        total = self._settings.total_usd
        return total is not None and usd > total + _SLACK_USD

    def _refusal(self, book: SpendingRecord, amount: float) -> str:
        """Why a call is not made, and what to do."""
        return f"{state_of(book, self._settings)}; the next call may cost {amount:.4f}. {ADVICE}"


ADVICE = (
    "Entries without a result are attempted at the next start, once spending.total_usd in config.yaml is "
    "raised (or: snakemake --config spending='{total_usd: AMOUNT}')"
)


def state_of(book: SpendingRecord, settings: Spending) -> str:
    """One line on the budget."""
    lost = f", {book.possible_usd:.4f} more may have been (lost replies)" if book.possible_usd else ""
    held = f", {book.held_usd:.4f} reserved by calls under way" if book.held else ""
    limit = "without a limit" if settings.total_usd is None else f"of {settings.total_usd:g} for all entries"
    return f"US$ {book.spent_usd:.4f} spent{lost}{held}, {limit}"


def read_book(path: Path) -> SpendingRecord | None:
    """The book, or ``None`` where none was begun.

    Raises:
        InfrastructureError: it cannot be read; money is not spent without it.
    """
    try:
        return SpendingRecord.read(path)
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        what = first_fault(error) if isinstance(error, ValueError) else error
        raise InfrastructureError(
            f"{path}: the book of what model calls cost cannot be read: {what}. Mend it, or remove it: it is "
            "then begun anew from the traces of this folder"
        ) from error


def is_alive(held: Held) -> bool:
    """Whether the process of a reservation may still be at it."""
    if held.host != socket.gethostname():
        return time.time() < held.until + GRACE_SECONDS
    return process_mark(held.pid) == held.mark != ""
