"""The loop of an attempt: one command a turn, under caps, until the answer is there.

An agent says what to do; the loop runs it, keeps the trace, asks the memory about failures, and decides
when the run is over.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol

from labagent.errors import ModelBudgetUp, ModelTimeUp
from labagent.files import sha256_file
from labagent.models.memory import Match
from labagent.models.run import EndedBy, RunStatus
from labagent.models.tables import Quantity
from labagent.redaction import redact
from labagent.reproduce.caps import Caps
from labagent.reproduce.finish import Final, find_final, missing_answers
from labagent.reproduce.loci import LocusReads
from labagent.reproduce.secrets import redact_file
from labagent.reproduce.turns import Action, Agent, GiveUp, Run, Turn, View, whole_output
from labagent.sandbox.types import CommandResult, Sandbox
from labagent.trace import TraceWriter

MAX_UNUSABLE = 5


class Memory(Protocol):
    """What the loop asks of the memory."""

    def match(self, command: str, result: CommandResult) -> Match:
        """The class, signature and lessons of a failed command."""
        ...


@dataclass(frozen=True)
class Ending:
    """How a run ended."""

    status: RunStatus
    ended_by: EndedBy
    reason: str = ""


@dataclass
class Loop:
    """One try of an attempt.

    ``answer`` is the contract, ``output`` the folder it is about; ``loci`` tells which step files a command
    printed, ``shown`` what of a result an agent sees (a replay shows what was recorded).
    """

    agent: Agent
    sandbox: Sandbox
    memory: Memory
    trace: TraceWriter
    caps: Caps
    mark: str
    answer: tuple[Quantity, ...]
    output: Path
    observations: Path
    loci: LocusReads = field(default_factory=lambda: LocusReads(None))
    shown: Callable[[int, CommandResult], CommandResult] = lambda turn, result: result
    view: View = field(default_factory=View)

    @property
    def turns(self) -> list[Turn]:
        """The turns so far."""
        return self.view.turns

    def run(self) -> Ending:
        """Take turns until the run is over.

        Raises:
            InfrastructureError: the model service or the sandbox failed.
        """
        self.view.affordable = self.caps.affords
        while True:
            cap = self.caps.binding(len(self.view.turns), self.agent.worst_case(self.view))
            if cap is not None:
                self.trace.event("cap", name=cap.name, reason=cap.reason)
                return Ending("capped", cap.name, cap.reason)
            self.view.seconds_left = self.caps.seconds_left
            try:
                action = self.agent.act(self.view)
            except (ModelTimeUp, ModelBudgetUp):
                continue  # to the cap that binds now
            turn = self._take(len(self.view.turns) + 1, action)
            self.view.turns.append(turn)
            ending = self._ending(turn)
            if ending is not None:
                return ending

    def _take(self, number: int, action: Action) -> Turn:
        """Carry out an action."""
        if isinstance(action, Run):
            return self._checked(self._command(number, action))
        if isinstance(action, GiveUp):
            self.trace.event("final", turn=number, text=action.reason)
            return Turn(number, action)
        usable = find_final(action.says, self.mark) is not None
        self.trace.event("final" if usable else "unusable", turn=number, text=action.says)
        return self._checked(Turn(number, action, notice="" if usable else "unusable"))

    def _command(self, number: int, action: Run) -> Turn:
        """Run one command; what it printed is on disk and in the trace before anyone sees it."""
        self.trace.event(
            "command", turn=number, command=action.command, step=action.step, lesson=action.lesson
        )
        file = self.observations / f"turn-{number:04d}.txt"
        result = self.sandbox.run(action.command, output=file, seconds=self.caps.command_seconds())
        redact_file(file)
        result = replace(result, text=redact(result.text))
        kept = {"file": file.name, "sha256": sha256_file(file)}
        self.trace.event("observation", turn=number, **kept, **facts_of(result))
        for read in self.loci.find(whole_output(result)):
            self.trace.event("locus", turn=number, name=read.name, lines=read.lines, of=read.of)
        turn = Turn(number, action, self.shown(number, result), file=file.name)
        return replace(turn, match=self._lessons(turn)) if turn.failed else turn

    def _lessons(self, turn: Turn) -> Match:
        """What the memory knows of a failure."""
        assert turn.result is not None and isinstance(turn.action, Run)
        match = self.memory.match(turn.action.command, turn.result)
        self.trace.event(
            "lessons",
            at="failure",
            turn=turn.number,
            failure_class=match.failure_class,
            signature=match.signature,
            ids=[lesson.id for lesson in match.lessons],
        )
        return match

    def _checked(self, turn: Turn) -> Turn:
        """A turn that claims success, held to the answer contract."""
        final = self._final(turn)
        if final is None or final.word != "SUCCESS":
            return turn
        faults = missing_answers(self.output, self.answer)
        if not faults:
            return turn
        self.trace.event("missing", turn=turn.number, faults=faults)
        return replace(turn, notice="missing", reason="; ".join(faults))

    def _ending(self, turn: Turn) -> Ending | None:
        """How the run ends after this turn, if it does."""
        if isinstance(turn.action, GiveUp):
            return Ending("failed", "agent", turn.action.reason)
        if turn.notice == "unusable":
            return self._nonsense()
        if turn.notice == "missing":
            before = any(t.notice == "missing" for t in self.view.turns[:-1])
            return Ending("failed", "no_answer", turn.reason) if before else None
        final = self._final(turn)
        if final is None:
            return None
        if final.word == "SUCCESS":
            return Ending("completed", "success")
        return Ending("failed", "agent", final.reason or "gave up")

    def _nonsense(self) -> Ending | None:
        """The end of a run whose agent no longer makes sense."""
        last = self.view.turns[-MAX_UNUSABLE:]
        if len(last) == MAX_UNUSABLE and all(turn.notice == "unusable" for turn in last):
            return Ending("failed", "nonsense", f"{MAX_UNUSABLE} replies in a row held no command")
        return None

    def _final(self, turn: Turn) -> Final | None:
        """The final status in a command's output, else in what the agent says."""
        if turn.result is not None and (final := find_final(turn.result.text, self.mark)):
            return final
        return None if isinstance(turn.action, GiveUp) else find_final(turn.action.says, self.mark)


def facts_of(result: CommandResult) -> dict[str, object]:
    """A command's result as the trace holds it."""
    return {
        "status": result.status,
        "timed_out": result.timed_out,
        "signal": result.signal,
        "limit": result.limit,
        "seconds": round(result.seconds, 3),
        "bytes": result.bytes,
        "omitted": result.omitted,
        "text": result.text,
    }
