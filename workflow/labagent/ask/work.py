"""Working on one question: calls, what they gave, what is to be said of it. Nothing outlives the question."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from labagent.models.asking import AnswerOutcome, CallRecord, PlanStep, Statement

if TYPE_CHECKING:
    from labagent.ask.slots import Slots
    from labagent.tools.calling import Caller

Status = Literal["ok", "empty", "error", "skipped"]
MOST_CALLS = 16
"""Calls of one step: several entities are looked up in the same step, each by a call or two."""


@dataclass(frozen=True)
class Told:
    """A call to be put into words; ``focus`` is what of it matters here (fields of a composing module)."""

    call: CallRecord
    focus: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Done:
    """What a step came to."""

    status: Status
    note: str = ""


@dataclass(frozen=True)
class Step:
    """A step of a plan. ``needs`` are names of steps without whose success it is skipped."""

    name: str
    act: Callable[[Work], Done]
    needs: tuple[str, ...] = ()


@dataclass
class Work:
    """The state of one question. ``found`` holds what steps found for later ones, by step."""

    slots: Slots
    caller: Caller
    told: list[Told | Statement] = field(default_factory=list)
    found: dict[str, Any] = field(default_factory=dict)
    outcome: AnswerOutcome = "answer"
    steps: list[PlanStep] = field(default_factory=list)
    _ids: list[str] = field(default_factory=list)

    def call(self, tool: str, **arguments: Any) -> CallRecord:
        """Call a tool, within the bound of calls of one step."""
        if len(self._ids) >= MOST_CALLS:
            raise BoundReached(f"more than {MOST_CALLS} calls in one step")
        done = self.caller.call(tool, {k: v for k, v in arguments.items() if v not in (None, "")})
        self._ids.append(done.id)
        return done

    def tell(self, call: CallRecord, **focus: Any) -> None:
        """Have a call put into words."""
        self.told.append(Told(call, focus))

    def say(self, en: str, zh: str, *cites: CallRecord, factual: bool | None = None) -> None:
        """Say a sentence in the question's language; it is factual where it cites."""
        text = zh if self.slots.language == "zh" else en
        ids = tuple(dict.fromkeys(c.id for c in cites))
        self.told.append(Statement(text=text, factual=bool(ids) if factual is None else factual, cites=ids))

    def end(self, outcome: AnswerOutcome) -> None:
        """What becomes of the question; of several the gravest counts."""
        order: tuple[AnswerOutcome, ...] = ("answer", "not_found", "ask", "refuse", "failed")
        self.outcome = max(self.outcome, outcome, key=order.index)

    def settle(self) -> None:
        """What was not found, or could not be reached, does not undo what a step has found."""
        if self.outcome in ("not_found", "failed") and any(s.status == "ok" for s in self.steps):
            self.outcome = "answer"

    def run(self, steps: Sequence[Step], most: int) -> None:
        """Carry out a plan: at most ``most`` steps, each only where those it needs came out."""
        for number, step in enumerate(steps):
            missing = [n for n in step.needs if not self._succeeded(n)]
            self._ids = []
            if number >= most:
                done = Done("skipped", f"only {most} steps are allowed")
            elif missing:
                done = Done("skipped", f"needs {', '.join(missing)}, which gave nothing to go on with")
            else:
                try:
                    done = step.act(self)
                except BoundReached as reached:
                    done = Done("error", str(reached))
            self.steps.append(
                PlanStep(name=step.name, calls=tuple(self._ids), status=done.status, note=done.note)
            )

    def _succeeded(self, name: str) -> bool:
        """Whether a step came out."""
        return any(step.name == name and step.status == "ok" for step in self.steps)


class BoundReached(Exception):
    """A step would call more tools than a step may."""


def outcome_of(call: CallRecord) -> AnswerOutcome:
    """What a failed call means for the question."""
    code = call.error.code if call.error else ""
    if code in ("mismatch", "range", "input", "limit", "arguments"):
        return "refuse"
    if code == "ambiguous":
        return "ask"
    return "not_found" if code == "not_found" else "failed"
