"""What scoring needs to know of an answer, and a plain form of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

OUTCOMES = ("answer", "ask", "refuse", "not_found", "failed")


class Called(Protocol):
    """A tool call of the answer's trace; ``result`` is JSON, ``None`` where the call failed."""

    @property
    def id(self) -> str:
        """Unique in the trace."""

    @property
    def tool(self) -> str:
        """Registered name."""

    @property
    def result(self) -> Any:
        """What the tool gave."""


class Stated(Protocol):
    """A sentence of the answer. ``factual``: it states a fact and has to cite; ``cites``: call ids."""

    @property
    def text(self) -> str:
        """The sentence."""

    @property
    def factual(self) -> bool:
        """Whether it needs a citation."""

    @property
    def cites(self) -> Sequence[str]:
        """Ids of calls."""


class Answered(Protocol):
    """An answer with its trace."""

    @property
    def text(self) -> str:
        """All of it."""

    @property
    def outcome(self) -> str:
        """One of ``OUTCOMES``."""

    @property
    def route(self) -> str:
        """Which route was taken."""

    @property
    def calls(self) -> Sequence[Called]:
        """Tool calls in order."""

    @property
    def statements(self) -> Sequence[Stated]:
        """The sentences of ``text``."""

    @property
    def trace_complete(self) -> bool:
        """Whether the trace has no hole."""


@dataclass(frozen=True)
class Call:
    """A tool call."""

    id: str
    tool: str
    result: Any = None


@dataclass(frozen=True)
class Statement:
    """A sentence."""

    text: str
    factual: bool = True
    cites: tuple[str, ...] = ()


@dataclass(frozen=True)
class Answer:
    """An answer in memory: of a baseline, or read from another record."""

    text: str
    outcome: Literal["answer", "ask", "refuse", "not_found", "failed"] = "answer"
    route: str = "none"
    calls: tuple[Call, ...] = ()
    statements: tuple[Statement, ...] = ()
    trace_complete: bool = False


def echo(question: str) -> Answer:
    """The baseline that says the question again: what it gets right, a task gives away."""
    return Answer(text=question, statements=(Statement(question),))
