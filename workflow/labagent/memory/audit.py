"""Looking after the memory: what deserves a second look, and what is worth keeping for all arms."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from labagent.errors import MemoryStoreError
from labagent.memory.fixes import RENDERED_GROUPS, placeholders
from labagent.memory.judgment import JUDGMENT
from labagent.memory.log import append_events, read_lines
from labagent.memory.store import Memory
from labagent.memory.table import UNKNOWN, table
from labagent.models.memory import Lesson, LessonEvent, Provenance
from labagent.redaction import redact

PLACES = frozenset({"env", "base", "run", "data", "skill", "task", "home"})
"""Places of the machine that a fix may name."""


@dataclass(frozen=True)
class Finding:
    """Something to look at: lesson or file, what is wrong, details."""

    subject: str
    problem: str
    detail: str


def audit(memory: Memory) -> list[Finding]:
    """Lessons without evidence or with poor outcomes, or that cannot help, and lines that are no events."""
    findings = [finding for lesson in memory.state() for finding in _of_lesson(lesson)]
    for path in (memory.library, memory.live):
        for number, event, fault in read_lines(path):
            if event is None:
                findings.append(Finding(f"{path.name}, line {number}", "not an event", fault))
            elif redact(text := event.model_dump_json()) != text:
                findings.append(
                    Finding(f"{path.name}, line {number}", "secret", "holds what looks like a secret")
                )
    return findings


def _of_lesson(lesson: Lesson) -> Iterator[Finding]:
    """What is wrong with one lesson."""
    counts = f"{lesson.successes} good, {lesson.failures} bad: {lesson.signature}"
    if lesson.status == "quarantined":
        yield Finding(lesson.id, "quarantined", counts)
    elif lesson.failures > lesson.successes:
        yield Finding(lesson.id, "poor outcomes", counts)
    if not any(origin.source or origin.turn for origin in lesson.provenance):
        yield Finding(lesson.id, "no evidence", "no origin names a run's turn or how it was verified")
    if lesson.scope != JUDGMENT and lesson.failure_class not in table().classes:
        yield Finding(lesson.id, "unknown class", lesson.failure_class)
    if lesson.failure_class == UNKNOWN:
        yield Finding(lesson.id, "unknown failure", lesson.signature)
    if strange := placeholders(lesson.fix) - PLACES - set(RENDERED_GROUPS):
        yield Finding(lesson.id, "unknown place in the fix", f"{', '.join(sorted(strange))}: {lesson.fix}")


def promote(memory: Memory, ids: Sequence[str]) -> list[LessonEvent]:
    """Copy lessons of an arm into the library.

    Args:
        memory: of the arm.
        ids: which lessons.

    Returns:
        The events added; none for lessons that the library has already.

    Raises:
        MemoryStoreError: an id is unknown, or the lesson is quarantined.
    """
    lessons = {lesson.id: lesson for lesson in memory.state()}
    for name in ids:
        if name not in lessons:
            raise MemoryStoreError(f"no lesson {name}; labagent memory list --arm {memory.arm} shows them")
        if lessons[name].status == "quarantined":
            raise MemoryStoreError(f"lesson {name} is quarantined: it failed more often than it helped")
    present = {event.id for _, event, _ in read_lines(memory.library) if event is not None}
    chosen = [lessons[name] for name in dict.fromkeys(ids) if name not in present]
    events = [_event(lesson) for lesson in chosen]
    append_events(memory.library, events)
    return events


def _event(lesson: Lesson) -> LessonEvent:
    """A lesson as the library keeps it: with its first origin and its counts in words."""
    first = lesson.provenance[0]
    runs = len({origin.run for origin in lesson.provenance})
    source = f"learned in {runs} run(s); applied later: {lesson.successes} good, {lesson.failures} bad"
    return LessonEvent(
        id=lesson.id,
        time=0.0,
        failure_class=lesson.failure_class,
        signature=lesson.signature,
        fix=lesson.fix,
        scope=lesson.scope,
        why=lesson.why,
        environment=lesson.environment,
        groups=lesson.groups,
        provenance=Provenance(run=first.run, turn=first.turn, skill=first.skill, source=source),
    )
