"""What an attempt knows of failures: lessons frozen at its start, and those it leaves."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Mapping, Sequence

from labagent.errors import InfrastructureError, MemoryStoreError
from labagent.files import append_jsonl, sha256_file
from labagent.memory import (
    Memory,
    at_start,
    environment_fingerprint,
    lesson_event,
    match,
    normalize_fix,
    outcome_event,
    read_frozen,
    render_fix,
)
from labagent.models.memory import Lesson, LessonEvent, Match, OutcomeEvent, Provenance
from labagent.reproduce.attempt import Attempt
from labagent.reproduce.disclosure import why_not
from labagent.reproduce.lessons import Learned, learn
from labagent.reproduce.turns import Turn, whole_output
from labagent.reproduce.workspace import Workspace
from labagent.sandbox import CommandResult
from labagent.trace import TraceWriter

FROZEN = "memory.json"
LESSONS = "lessons.jsonl"
# A version in a fix belongs to the one package it was found for.
VERSIONED = re.compile(r"[=<>~!]=?\s*\d")
PLACES = {
    **{"env": "/env/run", "base": "/env/base", "run": "/run", "data": "/data", "skill": "/skill"},
    **{"home": "/home/agent", "task": "/task", "observations": "/observations"},
}


class Knowledge:
    """The memory as one attempt sees it: a copy that does not change while it runs."""

    def __init__(self, attempt: Attempt, workspace: Workspace) -> None:
        """Freeze the memory into the try's folder.

        Args:
            attempt: says which memory, and how much of it is shown.
            workspace: gives the places a fix speaks of.

        Raises:
            MemoryStoreError: the memory cannot be read.
        """
        choice = attempt.memory
        self._memory = Memory(arm=attempt.arm, mode=choice.mode, library=choice.library, live=choice.events)
        self._choice = choice
        self._folder = workspace.folder
        self._run = f"{attempt.arm}/{attempt.target}/{attempt.number}"
        self._skill = attempt.selection.skill or ""
        self._answer = attempt.answer
        self._family = attempt.family
        self._environment = environment_fingerprint(
            python=attempt.environment.python, builder=attempt.environment.builder
        )
        self._paths = {name: workspace.sandbox.path(place) for name, place in PLACES.items()}
        self.sha256 = self._freeze(attempt)
        self._lessons = read_frozen(self._folder / FROZEN)

    def _freeze(self, attempt: Attempt) -> str:
        """The state as this attempt sees it, in its folder: the memory's, or the one of a replayed try."""
        frozen = self._folder / FROZEN
        if attempt.replay is None:
            return self._memory.freeze(frozen)
        shutil.copyfile(attempt.replay.memory, frozen)
        return sha256_file(frozen)

    def at_start(self) -> tuple[Lesson, ...]:
        """The lessons worth knowing before anything failed."""
        chosen = at_start(
            self._lessons,
            skill=self._skill,
            limit=self._choice.at_start,
            environment=self._environment,
            family=self._family,
        )
        return tuple(self._rendered(lesson, lesson.groups) for lesson in chosen)

    def match(self, command: str, result: CommandResult) -> Match:
        """What the memory says of a failed command; fixes are ready to be run here."""
        found = match(
            whole_output(result),
            self._lessons,
            command=command,
            status=result.status,
            skill=self._skill,
            environment=self._environment,
            limit=self._choice.at_failure,
        )
        lessons = tuple(self._rendered(lesson, found.groups) for lesson in found.lessons)
        return found.model_copy(update={"lessons": lessons})

    def keep(self, turns: Sequence[Turn], trace: TraceWriter) -> int:
        """Write what the turns teach: into the try's folder first, then, where the arm learns, its memory.

        Returns:
            How many new lessons the memory took in. A memory that cannot be written to does not undo the
            run: it is reported in the trace and the log.
        """
        learned, applied = learn(turns)
        lessons = [lesson for item in learned if (lesson := self._lesson(item, turns, trace))]
        outcomes = [outcome_event(a.lesson, a.success, provenance=self._source(a.turn)) for a in applied]
        events: list[LessonEvent | OutcomeEvent] = [*lessons, *outcomes]
        append_jsonl(self._folder / LESSONS, [event.model_dump(mode="json") for event in events])
        for event in events:
            trace.event("lesson", kind=event.event, id=event.id, turn=event.provenance.turn)
        try:
            self._memory.append(events)
        except (MemoryStoreError, InfrastructureError) as error:
            trace.event("memory", reason=str(error))
            print(f"labagent: lessons are kept in {self._folder / LESSONS} alone: {error}", file=sys.stderr)
            return 0
        return len(lessons) if self._choice.mode == "live" else 0

    def _lesson(self, item: Learned, turns: Sequence[Turn], trace: TraceWriter) -> LessonEvent | None:
        """A lesson as an event, its fix free of this machine's places; none where it would tell too much."""
        found = next(turn.match for turn in turns if turn.number == item.turn and turn.match)
        particular = item.scope != "operational" or VERSIONED.search(item.fix)
        fix = normalize_fix(item.fix, paths=self._paths, groups=None if particular else found.groups)
        if reason := why_not(fix, self._answer, self._folder / "output"):
            trace.event("withheld", turn=item.turn, reason=reason)
            return None
        return lesson_event(
            found,
            fix,
            provenance=self._source(item.turn),
            scope=item.scope,
            environment=self._environment,
        )

    def _source(self, turn: int) -> Provenance:
        """Where a lesson comes from."""
        return Provenance(run=self._run, turn=turn, skill=self._skill)

    def _rendered(self, lesson: Lesson, groups: Mapping[str, str]) -> Lesson:
        """A lesson whose fix can be run as it stands; one with an open place is shown as it is."""
        try:
            return lesson.model_copy(update={"fix": render_fix(lesson.fix, groups, self._paths)})
        except MemoryStoreError:
            return lesson
