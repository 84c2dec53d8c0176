"""What passes between the loop and an agent: actions one way, turns the other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal, Protocol

from labagent.models.memory import Match
from labagent.sandbox.types import CommandResult


@dataclass(frozen=True)
class Run:
    """Run one shell command.

    ``says`` is the text around it. ``step`` names the step of a skill it carries out, ``lesson`` the lesson
    whose fix it is, ``repairs`` the failing turn it is meant to repair (at the start: the turn that found the
    failure); all three are empty where the agent does not say. ``looks`` says that it only looks for fixes.
    """

    command: str
    says: str = ""
    step: str = ""
    lesson: str = ""
    repairs: int = 0
    looks: bool = False


@dataclass(frozen=True)
class Say:
    """Text alone: a final status, or nothing the loop can use."""

    says: str


@dataclass(frozen=True)
class GiveUp:
    """The agent cannot go on."""

    reason: str


Action = Run | Say | GiveUp
WHOLE_BYTES = 1 << 20


def whole_output(result: CommandResult) -> str:
    """All of an output of ordinary size; head and tail of a very long one."""
    if not result.omitted or result.bytes > WHOLE_BYTES:
        return result.text
    return result.output.read_text("utf-8", errors="replace")


@dataclass(frozen=True)
class Turn:
    """One turn as the agent sees it afterwards.

    ``notice`` says why nothing was run (``unusable``) or what a finished run lacks (``missing``). ``match``
    is what the memory says of a failing command; ``file`` is the whole output's name.
    """

    number: int
    action: Action
    result: CommandResult | None = None
    match: Match | None = None
    notice: Literal["", "unusable", "missing"] = ""
    reason: str = ""
    file: str = ""

    @property
    def failed(self) -> bool:
        """Whether a command was run and did not exit with 0."""
        return self.result is not None and self.result.status != 0


@dataclass(frozen=True)
class WorstCase:
    """The most that the next action may cost; ``usd`` is ``None`` where the price is unknown."""

    tokens: int = 0
    usd: float | None = 0.0


def _always(worst: WorstCase) -> bool:
    """Whatever it costs."""
    return True


@dataclass
class View:
    """What an agent may know: the turns so far, the seconds left of its wall time, and what it can afford."""

    turns: list[Turn] = field(default_factory=list)
    seconds_left: float = 0.0
    affordable: Callable[[WorstCase], bool] = _always


class Agent(Protocol):
    """Decides what to do next; everything else is the loop's."""

    def worst_case(self, view: View) -> WorstCase:
        """The most that :meth:`act` may cost now."""
        ...

    def act(self, view: View) -> Action:
        """The next action.

        Raises:
            InfrastructureError: the agent's model service failed.
            ModelTimeUp: the wall time ended while the model was asked.
            ModelBudgetUp: calls failed that may have been billed, and no other is affordable.
        """
        ...
