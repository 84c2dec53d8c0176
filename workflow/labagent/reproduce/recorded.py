"""A recorded try, as a replay takes it: the machine, the lessons, what commands printed, and the end."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from labagent.errors import InputError, InputFault
from labagent.llm.recording import CALLS
from labagent.models.base import first_fault
from labagent.models.config import Budget
from labagent.models.run import RunRecord, Usage
from labagent.reproduce.caps import Cap, Caps
from labagent.reproduce.knowledge import FROZEN
from labagent.reproduce.turns import WorstCase
from labagent.sandbox.types import CommandResult
from labagent.trace import Costs, read_trace
from labagent.trace.steady import steady
from labagent.trace.tries import TRACE, has_result, tries_of

SAME = ("status", "timed_out", "signal", "limit")


@dataclass(frozen=True)
class RecordedTry:
    """A try that ended with an outcome. ``events`` are its whole trace."""

    folder: Path
    events: tuple[dict[str, Any], ...]

    @property
    def start(self) -> dict[str, Any]:
        """What it started from."""
        return self.events[0]

    @property
    def end(self) -> dict[str, Any]:
        """How it ended."""
        return self.events[-1]

    @property
    def name(self) -> str:
        """``<arm>/<target>/<attempt>``."""
        return f"{self.start['arm']}/{self.start['target']}/{self.start['attempt']}"

    @property
    def mark(self) -> str:
        """The line that ends it."""
        return str(self.start["mark"])

    @property
    def budget(self) -> Budget:
        """Its caps; they stand in the prompt."""
        return Budget.model_validate(self.start["budget"])

    @property
    def earlier(self) -> Costs:
        """What tries before it had spent of the caps."""
        kept = dict(self.start.get("earlier") or {})
        return Costs(**{**kept, "usage": Usage(**kept["usage"])}) if kept else Costs()

    @property
    def facts(self) -> dict[str, Any]:
        """The machine as it was found."""
        return next((dict(e["facts"]) for e in self.events if e["event"] == "probe"), {})

    @property
    def memory(self) -> Path:
        """The lessons as they were frozen."""
        return self.folder / FROZEN

    @property
    def calls(self) -> Path:
        """Its recorded calls."""
        return self.folder / CALLS

    @cached_property
    def observations(self) -> dict[int, dict[str, Any]]:
        """What each turn's command printed."""
        return {e["turn"]: e for e in self.events if e["event"] == "observation"}

    @property
    def turns(self) -> int:
        """Turns taken."""
        return max((int(event.get("turn", 0)) for event in self.events), default=0)

    @property
    def asked_at_the_end(self) -> bool:
        """Whether the time ended while a model was asked."""
        kinds = [event["event"] for event in self.events]
        turned = max((i for i, event in enumerate(self.events) if event.get("turn")), default=0)
        return "request" in kinds[turned:]

    def shown(self, turn: int, result: CommandResult, folder: Path) -> CommandResult:
        """What an agent is shown of a command that was run again.

        Where it differs from what was recorded in times and the like alone, it is what was recorded: so the
        next request is the recorded one.

        Args:
            turn: its number.
            result: what it printed now.
            folder: the folder of the try that ran it.
        """
        before = self.observations.get(turn)
        if before is None or any(before[name] != getattr(result, name) for name in SAME):
            return result
        if steady(before["text"], str(self.folder)) != steady(result.text, str(folder)):
            return result
        text = before["text"].replace(str(self.folder), str(folder))
        longer = len(text.encode(errors="replace")) - len(before["text"].encode(errors="replace"))
        return replace(result, text=text, bytes=before["bytes"] + longer, omitted=before["omitted"])


@dataclass
class ReplayCaps(Caps):
    """The caps of a replay: money and turns as always; time ends where it ended in the recording."""

    recorded: RecordedTry | None = None
    turn: int = field(default=0, init=False)
    asked: int = field(default=0, init=False)

    @property
    def seconds_left(self) -> float:
        """All of the wall time, then nothing."""
        assert self.recorded is not None
        if self.recorded.end["ended_by"] != "wall_seconds" or self.turn <= self.recorded.turns:
            return self.budget.wall_seconds
        return 0.0 if self.asked > int(self.recorded.asked_at_the_end) else self.budget.wall_seconds

    def command_seconds(self) -> float:
        """Time limit of the next command; one that was stopped at the wall is stopped there again."""
        assert self.recorded is not None
        before = self.recorded.observations.get(self.turn, {})
        if before.get("timed_out"):
            return max(min(float(before["seconds"]), self.budget.command_seconds), 0.1)
        return self.budget.command_seconds

    def binding(self, turns: int, next_action: WorstCase) -> Cap | None:
        """The cap that forbids the next action; see :meth:`Caps.binding`."""
        self.asked = self.asked + 1 if turns + 1 == self.turn else 1
        self.turn = turns + 1
        return super().binding(turns, next_action)


def read_recorded(place: Path) -> RecordedTry:
    """The try to replay.

    Args:
        place: an attempt's folder (the try its ``run.json`` names), a try's folder, or a file in either.

    Raises:
        InputError: nothing is there, nothing ran, or the try did not end with an outcome.
    """
    folder = place.parent if place.is_file() else place
    record = folder / "run.json"
    if record.is_file():
        name = _record(record).try_folder
        if not name:
            raise InputError(
                [InputFault(str(record), "nothing ran in this attempt, so nothing can be replayed")]
            )
        folder = folder / name
    elif tries := tries_of(folder):
        folder = tries[-1]
    events = tuple(read_trace(folder / TRACE))
    if not events:
        raise InputError(
            [InputFault(str(place), "no trace here; give results/runs/<arm>/<target>/<attempt>")]
        )
    if not has_result(list(events)):
        message = "this try was killed or failed with the machinery; only one that ended can be replayed"
        raise InputError([InputFault(str(folder), message)])
    recorded = RecordedTry(folder.resolve(), events)
    if not recorded.memory.is_file():
        raise InputError([InputFault(str(recorded.memory), "is not there; a replay shows the lessons in it")])
    return recorded


def _record(path: Path) -> RunRecord:
    """A run's record."""
    try:
        return RunRecord.read(path)
    except ValueError as error:
        raise InputError([InputFault(str(path), f"is no record of a run: {first_fault(error)}")]) from error
