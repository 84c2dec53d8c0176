"""The budget over all entries of a results folder, and the book that is kept of it."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from labagent.models.base import FileRecord, Record
from labagent.models.run import Usage


class Spending(Record):
    """``spending`` of the config: what all model calls of a results folder may cost together.

    ``total_usd`` ``None``: no limit; the book is kept all the same. ``usd_per_million_tokens`` is what
    tokens count where a price is unknown.
    """

    total_usd: Annotated[float, Field(ge=0)] | None = None
    usd_per_million_tokens: Annotated[float, Field(gt=0)] = 10.0


class Held(Record):
    """Money reserved for a call that is under way, or for the session of an agent of its own.

    ``who`` is the job (``reproduce/<arm>/<target>/<attempt>``), ``host``, ``pid`` and ``mark`` (of
    :func:`labagent.locking.process_mark`) its process; ``until`` is when the call is over for certain, for
    those who cannot look at the process. ``trace`` (below the results folder where it lies there) and
    ``seq`` say after which event it was reserved: that is where what came of it stands.
    """

    kind: Literal["call", "session"] = "call"
    usd: float
    who: str
    host: str
    pid: int
    mark: str
    until: float
    trace: str = ""
    seq: int = 0


class SpendingRecord(FileRecord):
    """``results/spending.json``: all that model calls of this folder have cost, whatever became of them.

    ``spent_usd`` counts replies; ``estimated_usd`` is the part of it whose price is unknown, by its tokens.
    ``possible_usd`` bounds what calls may have cost besides whose reply never arrived. ``by`` is both by
    stage and arm or explorer (``reproduce/gpt``). ``held`` are reservations by their id.
    """

    spent_usd: float = 0.0
    estimated_usd: float = 0.0
    possible_usd: float = 0.0
    calls: int = 0
    usage: Usage = Usage()
    by: dict[str, float] = {}
    held: dict[str, Held] = {}

    @property
    def certain_usd(self) -> float:
        """What is gone, or has to be taken for gone."""
        return self.spent_usd + self.possible_usd

    @property
    def held_usd(self) -> float:
        """What is reserved."""
        return sum(held.usd for held in self.held.values())
