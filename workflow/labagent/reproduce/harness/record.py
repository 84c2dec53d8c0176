"""Writes what a tool did into the trace, in the form of the builtin agents: turns, commands, observations."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from pathlib import Path

from labagent.files import sha256_file
from labagent.redaction import redact
from labagent.reproduce.harness.events import Answered, Asked
from labagent.reproduce.loci import LocusReads
from labagent.reproduce.loop import Memory, facts_of
from labagent.reproduce.secrets import redact_file
from labagent.reproduce.turns import Run, Turn, whole_output
from labagent.sandbox import CommandResult, observe
from labagent.trace import TraceWriter

UNFINISHED = "(the tool was ended before this call was)"


@dataclass
class Recorder:
    """Keeps the calls of a tool as turns.

    A call enters the trace when it has ended, so that each command is followed by its observation; ``most``
    are kept, and ``calls`` counts all.
    """

    trace: TraceWriter
    memory: Memory
    loci: LocusReads
    observations: Path
    most: int
    turns: list[Turn] = field(default_factory=list)
    calls: int = 0
    _open: dict[str, tuple[Asked, float]] = field(default_factory=dict)

    def asked(self, event: Asked) -> None:
        """A call began."""
        if event.id in self._open:
            return
        self.calls += 1
        if self.calls <= self.most:
            self._open[event.id] = event, time.monotonic()

    def answered(self, event: Answered) -> None:
        """A call ended; one that never began is none."""
        begun = self._open.pop(event.id, None)
        if begun is not None:
            self._take(begun[0], event, time.monotonic() - begun[1])

    def close(self) -> None:
        """Calls that never ended are kept without an exit status."""
        for asked, started in list(self._open.values()):
            self._take(asked, Answered(asked.id, None, UNFINISHED), time.monotonic() - started)
        self._open.clear()

    def _take(self, asked: Asked, answered: Answered, seconds: float) -> None:
        """A call as a turn: its output on disk, both in the trace, lessons where it failed."""
        number = len(self.turns) + 1
        self.trace.event("command", turn=number, command=asked.command, step="", lesson="", tool=asked.tool)
        file = self.observations / f"turn-{number:04d}.txt"
        file.write_text(answered.output, encoding="utf-8", errors="backslashreplace")
        redact_file(file)
        result = _result(answered, file, seconds)
        kept = {"file": file.name, "sha256": sha256_file(file)}
        self.trace.event("observation", turn=number, **kept, **facts_of(result))
        for read in self.loci.find(whole_output(result)):
            self.trace.event("locus", turn=number, name=read.name, lines=read.lines, of=read.of)
        turn = Turn(number, Run(asked.command), result, file=file.name)
        self.turns.append(self._matched(turn, asked.command, result) if turn.failed else turn)

    def _matched(self, turn: Turn, command: str, result: CommandResult) -> Turn:
        """A failing turn with what the memory knows of it; the tool is not told."""
        match = self.memory.match(command, result)
        known = {"failure_class": match.failure_class, "signature": match.signature}
        self.trace.event("lessons", at="failure", turn=turn.number, ids=[], **known)
        return replace(turn, match=match)


def _result(answered: Answered, file: Path, seconds: float) -> CommandResult:
    """A call's end as that of a command of our own."""
    seen = observe(file)
    return CommandResult(
        status=answered.status,
        timed_out=False,
        signal=None,
        seconds=seconds,
        text=redact(seen.text),
        bytes=seen.bytes,
        omitted=seen.omitted,
        output=file,
    )
