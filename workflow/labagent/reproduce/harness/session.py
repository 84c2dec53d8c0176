"""One try by an agent of its own: started once, read while it runs, ended where a cap binds."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from labagent.llm.purse import paid_session
from labagent.llm.service import load_litellm, price_of
from labagent.models.config import Harness, ModelSettings, Price
from labagent.models.memory import Lesson
from labagent.models.skill import Skill
from labagent.redaction import redact
from labagent.reproduce.attempt import Attempt
from labagent.reproduce.caps import Cap, Caps
from labagent.reproduce.finish import missing_answers
from labagent.reproduce.harness.adapters import load_adapter
from labagent.reproduce.harness.command import STDERR, shell_line
from labagent.reproduce.harness.events import Answered, Asked, Done, Event, Said, Total, Used
from labagent.reproduce.harness.meter import Meter
from labagent.reproduce.harness.places import locate
from labagent.reproduce.harness.prompt import prompt
from labagent.reproduce.harness.record import Recorder
from labagent.reproduce.harness.tail import MAX_OUTPUT, Tail
from labagent.reproduce.harness.transcript import keep
from labagent.reproduce.loci import LocusReads
from labagent.reproduce.loop import Ending, Memory
from labagent.reproduce.tries import TRANSCRIPT
from labagent.reproduce.turns import Turn
from labagent.reproduce.workspace import Workspace
from labagent.sandbox import CommandResult, Guest
from labagent.trace import TraceWriter

if TYPE_CHECKING:
    from labagent.reproduce.harness.adapters import Reader

SHOWN = 2000
"""Characters of a tool's last words."""
MAX_BESIDE = 16
"""Files beside the transcript that are read."""


class Session:
    """A tool at work on one attempt."""

    def __init__(
        self,
        attempt: Attempt,
        workspace: Workspace,
        *,
        memory: Memory,
        trace: TraceWriter,
        caps: Caps,
        skill: Skill | None,
        lessons: Sequence[Lesson],
        probe: dict[str, Any],
    ) -> None:
        """Lay the prompt out; nothing is started yet.

        Args:
            attempt: what is attempted; its harness says with what.
            workspace: where.
            memory: says what a failing call is.
            trace: gets calls, costs and the end.
            caps: what ends it.
            skill: the skill it is given, if any.
            lessons: what it is told at the start.
            probe: facts of the machine, for the prompt.
        """
        assert attempt.harness is not None
        self._harness: Harness = attempt.harness
        self._adapter = load_adapter(self._harness.adapter)
        self._reader: Reader = self._adapter.Reader()
        self._attempt, self._workspace = attempt, workspace
        self._trace, self._caps = trace, caps
        self._text = workspace.neutral(prompt(attempt, workspace, skill, lessons, probe))
        (workspace.folder / "task" / "prompt.md").write_text(self._text, encoding="utf-8")
        self._recorder = Recorder(
            trace, memory, LocusReads(skill), workspace.observations, attempt.budget.turns
        )
        self._meter = Meter(trace, _prices(self._harness))
        self._raw = workspace.folder / TRANSCRIPT
        self._tail = Tail(self._raw)
        self._beside: dict[Path, Tail] = {}
        self._cap: Cap | None = None
        self._done: Done | None = None
        self._said = ""

    @property
    def turns(self) -> list[Turn]:
        """The tool's calls so far."""
        return self._recorder.turns

    @property
    def model(self) -> str:
        """The model that the transcript names last."""
        return self._meter.model

    def run(self) -> Ending:
        """Start the tool and follow it to its end.

        Raises:
            InfrastructureError: the sandbox failed, or no money is left for all entries.
        """
        words = self._harness.command or self._adapter.COMMAND
        program, reason = locate(words[0], self._workspace.sandbox, self._workspace.private / "which")
        if not program:
            return Ending("failed", "harness_missing", f"{reason}; {self._adapter.INSTALL}")
        if self._adapter.COMMAND and self._harness.price is None:
            load_litellm()  # takes seconds, in which nobody would look at the tool
        self._caps.started = time.monotonic()
        cap = self._caps.exceeded(0) or self._spent_before()
        if cap is not None:
            return self._capped(cap)
        start = self._trace.event(
            "harness", adapter=self._harness.adapter, command=list(words), env=list(self._harness.env)
        )
        with paid_session(self._trace, start["seq"], self._usd_left(), self._caps.seconds_left):
            try:
                result = self._follow([program, *words[1:]])
            finally:
                self._end_reading()
        return self._ending(result)

    def _usd_left(self) -> float:
        """What tries before this one left of the attempt's budget."""
        spent = self._caps.spent()
        return max(self._attempt.budget.usd - (spent.usd or 0.0) - spent.possible_usd, 0.0)

    def _spent_before(self) -> Cap | None:
        """The cap on money where tries before this one left nothing of it."""
        spent = self._caps.spent()
        usd = (spent.usd or 0.0) + spent.possible_usd
        if usd and usd >= self._attempt.budget.usd:
            return Cap("usd", f"US$ {usd:.4f} spent of {self._attempt.budget.usd:g} by tries before")
        return None

    def _follow(self, words: Sequence[str]) -> CommandResult:
        """Run the tool as one command."""
        return self._workspace.sandbox.run(
            shell_line(words, self._values()),
            output=self._raw,
            seconds=max(self._caps.seconds_left, 0.1),
            guest=Guest(self._variables(), self._look),
        )

    def _values(self) -> dict[str, str]:
        """What stands in the places of the command."""
        budget, path = self._attempt.budget, self._workspace.sandbox.path
        return {
            "prompt": self._text,
            "prompt_file": path("/task/prompt.md"),
            "task_file": path("/task/task.md"),
            "protocol_file": path("/task/protocol.json"),
            "skill": path("/skill") if self._attempt.skill else "",
            "usd": f"{self._usd_left():.4f}",
            "turns": str(budget.turns),
            "seconds": f"{max(self._caps.seconds_left, 0.0):.0f}",
        }

    def _variables(self) -> dict[str, str]:
        """Variables of the tool alone: its adapter's, the config's, and the allowed ones of this process."""
        allowed = {name: os.environ[name] for name in self._harness.env if name in os.environ}
        return {**self._adapter.VARIABLES, **self._harness.variables, **allowed}

    def _look(self) -> tuple[str, str]:
        """Read what is new; the limit that ends the tool, if one does."""
        self._read()
        self._meter.flush()
        if self._tail.size() > MAX_OUTPUT:
            return "output", f"it printed more than {MAX_OUTPUT >> 20} MB"
        self._cap = self._caps.exceeded(self._recorder.calls)
        return (self._cap.name, self._cap.reason) if self._cap else ("", "")

    def _read(self, *, to_end: bool = False) -> None:
        """Take in new lines of the transcript and of the files beside it."""
        for line in self._tail.objects(to_end=to_end):
            self._take(line, beside=False)
        for tail in self._files_beside():
            for line in tail.objects(to_end=to_end):
                self._take(line, beside=True)

    def _files_beside(self) -> list[Tail]:
        """Files that the tool writes in its home; never one that a link leads to."""
        home = (self._workspace.private / "home").resolve()
        for pattern in self._adapter.BESIDE:
            for path in home.glob(pattern):
                if len(self._beside) < MAX_BESIDE and path.resolve() == path:
                    self._beside.setdefault(path, Tail(path))
        return list(self._beside.values())

    def _take(self, line: dict[str, Any], *, beside: bool) -> None:
        """The events of one line; a line that is not of the tool's format is passed over."""
        for event in self._events(line, beside):
            match event:
                case Asked():
                    self._recorder.asked(event)
                case Answered():
                    self._recorder.answered(event)
                case Used():
                    self._meter.used(event)
                case Total():
                    self._meter.total(event)
                case Done():
                    self._done = event
                case Said():
                    self._said = event.text or self._said

    def _events(self, line: dict[str, Any], beside: bool) -> Iterator[Event]:
        """What the adapter makes of a line."""
        try:
            yield from list(self._reader.read(line, beside=beside))
        except (AttributeError, KeyError, TypeError, ValueError, RecursionError):
            self._tail.unread += 1

    def _end_reading(self) -> None:
        """All that is left to read, the last costs, and the transcript as it is kept."""
        self._read(to_end=True)
        self._recorder.close()
        self._meter.close()
        if self._said:
            self._trace.event("final", turn=len(self.turns), text=self._said[-SHOWN:])
        keep(self._raw)

    def _ending(self, result: CommandResult) -> Ending:
        """How the run ended."""
        if self._cap is None and result.limit in ("", "seconds"):
            self._cap = self._caps.exceeded(self._recorder.calls)
            if self._cap and self._cap.name == "wall_seconds" and not result.timed_out:
                self._cap = None
        if self._cap or result.timed_out:
            wall = Cap("wall_seconds", f"the wall time of {self._attempt.budget.wall_seconds:g} s is over")
            return self._capped(self._cap or wall)
        done = self._done
        if done and done.cap:
            return self._capped(Cap(done.cap, f"the tool says: {done.reason}"))
        if result.limit:
            return Ending("failed", "harness", f"the tool used more than its limit of {result.limit}")
        if result.status or (done and not done.ok):
            return Ending("failed", "harness", self._why(result.status))
        faults = missing_answers(self._workspace.output, self._attempt.answer)
        if faults:
            return Ending("failed", "no_answer", "; ".join(faults))
        return Ending("completed", "success")

    def _capped(self, cap: Cap) -> Ending:
        """The end by a cap."""
        self._trace.event("cap", name=cap.name, reason=cap.reason)
        return Ending("capped", cap.name, cap.reason)

    def _why(self, status: int | None) -> str:
        """A failed tool in its own words."""
        said = self._done.reason if self._done and not self._done.ok else ""
        path = self._workspace.private / "tmp" / STDERR
        errors = (
            ""
            if path.is_symlink() or not path.is_file()
            else path.read_bytes()[-SHOWN:].decode("utf-8", "replace")
        )
        parts = [f"exit status {status}", said.strip(), redact(errors).strip()]
        return ": ".join(part for part in parts if part)[:SHOWN]


def _prices(harness: Harness) -> Callable[[str], Price | None]:
    """Prices by the name of a model: the configured one for all, else litellm's table."""

    @cache
    def price(model: str) -> Price | None:
        if harness.price is not None:
            return harness.price
        if not model:
            return None
        return price_of(ModelSettings(model=model))

    return price
