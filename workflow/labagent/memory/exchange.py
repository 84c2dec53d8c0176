"""Lessons on their way from one lab to another: a file of events, checked line by line when it comes in.

A file holds what an arm knows: its lessons, each with every origin, and their outcomes. The receiver
keeps its own judgment: counts of another lab are evidence as far as they say what became of which run, so the
outcomes come along under the sender's name, and a lesson that failed there too often is left out. An import
adds nothing that is there already.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from labagent.errors import MemoryStoreError
from labagent.memory.audit import PLACES
from labagent.memory.fixes import RENDERED_GROUPS, placeholders
from labagent.memory.fold import FOREIGN, fold
from labagent.memory.ids import lesson_id, outcome_event
from labagent.memory.judgment import JUDGMENT
from labagent.memory.log import Event, append_events, encode, read_events, read_lines, store_error
from labagent.memory.store import Memory
from labagent.memory.table import table
from labagent.models.memory import LessonEvent, OutcomeEvent, Provenance
from labagent.redaction import redact

MOST_BYTES = 64 << 20
LONGEST_TEXT = 4000
_LAB = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")
_MACHINE_PATH = re.compile(
    r"(?<![\w./<{-])(?:/(?:home|Users|root|mnt|scratch|work|data\d*|srv|gpfs|lustre|nfs|tmp|var|opt)/[\w.@+-]+"
    r"|[A-Za-z]:\\+\w+|~[\w-]*/)"
)

Published = Callable[[str], bool]


@dataclass(frozen=True)
class Refused:
    """A line that is not taken in, and why."""

    line: int
    reason: str


@dataclass(frozen=True)
class Imported:
    """What an import added, and what it refused."""

    lessons: tuple[LessonEvent, ...]
    outcomes: tuple[OutcomeEvent, ...]
    refused: tuple[Refused, ...]


def export_events(memory: Memory, ids: Sequence[str] = ()) -> list[Event]:
    """What a memory knows, as events: quarantined lessons stay at home, and lines that nobody would take in.

    Args:
        memory: library and arm.
        ids: only these lessons; all of them if empty.

    Raises:
        MemoryStoreError: an id is unknown.
    """
    state = {lesson.id: lesson for lesson in memory.state()}
    if unknown := sorted(set(ids) - state.keys()):
        raise MemoryStoreError(f"no lesson {unknown[0]}; labagent memory list shows them")
    chosen = {name for name in ids or state if state[name].status != "quarantined"}
    events = list(read_events(memory.library, strict=True)) + list(read_events(memory.live))
    fit = [e for e in events if isinstance(e, LessonEvent) and not any(_faults(e, _nothing_published))]
    keys = {e.id: _key(e) for e in fit}
    kept: dict[str, Event] = {}
    for event in events:
        key = keys.get(event.id if isinstance(event, LessonEvent) else event.lesson, "")
        if key in chosen:
            kept[encode(event).decode()] = event
    return [kept[text] for text in sorted(kept)]


def _nothing_published(_text: str) -> bool:
    """Leaving is no matter of the references: what a run may see never held one."""
    return False


def write_export(path: Path, events: Iterable[Event]) -> None:
    """Write a file of events.

    Raises:
        MemoryStoreError: it cannot be written.
    """
    try:
        path.write_bytes(b"".join(encode(event) for event in events))
    except OSError as error:
        raise store_error(path, error) from error


def import_events(memory: Memory, path: Path, *, lab: str, published: Published) -> Imported:
    """Take in a file of another lab.

    Args:
        memory: the arm that learns; its library is not touched.
        path: JSON lines, as :func:`write_export` writes them.
        lab: name of the sender, kept in the provenance (``lab:arm/target/1``).
        published: whether a text holds a published value of a target of this project.

    Returns:
        What is new; and each line that was refused: no event, too long, an unknown class, a fix with places
        nobody can fill, a secret, a path of a machine, a published value, an id that is not its content's.

    Raises:
        MemoryStoreError: the file cannot be read or is too large, the name is none, or the arm's memory
            cannot be written to.
    """
    if not _LAB.fullmatch(lab):
        raise MemoryStoreError(f"{lab!r} is no name of a lab; allowed: letters, digits, dots, _ and -")
    if not path.is_file():
        raise MemoryStoreError(f"{path}: no such file")
    if path.stat().st_size > MOST_BYTES:
        raise MemoryStoreError(f"{path}: larger than {MOST_BYTES >> 20} MB; split it")
    lessons, outcomes, refused = _checked(path, published)
    bad = {x.id for x in fold([], [*lessons, *outcomes]) if x.status == "quarantined"}
    present = {e.id for f in (memory.library, memory.live) for _, e, _ in read_lines(f) if e is not None}
    new_lessons = {e.id: _from(e, lab) for e in lessons if e.id not in bad and e.id not in present}
    wanted = [e for e in outcomes if e.lesson not in bad]
    new_outcomes = {e.id: e for e in (_outcome(event, lab) for event in wanted) if e.id not in present}
    append_events(memory.live, [*new_lessons.values(), *new_outcomes.values()])
    return Imported(tuple(new_lessons.values()), tuple(new_outcomes.values()), tuple(refused))


def _checked(path: Path, published: Published) -> tuple[list[LessonEvent], list[OutcomeEvent], list[Refused]]:
    """The events of a file that may come in, outcomes only of such lessons."""
    lessons: list[LessonEvent] = []
    outcomes: list[tuple[int, OutcomeEvent]] = []
    refused: list[Refused] = []
    for number, event, fault in read_lines(path):
        if event is None:
            refused.append(Refused(number, fault))
        elif isinstance(event, OutcomeEvent):
            outcomes.append((number, event))
        elif reason := next(_faults(event, published), ""):
            refused.append(Refused(number, reason))
        else:
            lessons.append(event)
    known = {event.id for event in lessons}
    strangers = [number for number, event in outcomes if event.lesson not in known]
    refused += [Refused(number, "an outcome of a lesson that is not taken in") for number in strangers]
    return (
        lessons,
        [event for _, event in outcomes if event.lesson in known],
        sorted(refused, key=lambda item: item.line),
    )


def _faults(event: LessonEvent, published: Published) -> Iterator[str]:
    """Why a lesson may not come in."""
    named = [f"{name} {value}" for name, value in [*event.groups.items(), *event.environment.items()]]
    text = "\n".join([event.signature, event.fix, event.why, *named])
    if len(text) > LONGEST_TEXT:
        yield f"its texts have {len(text)} characters; allowed: {LONGEST_TEXT}"
    if event.id != _key(event):
        yield f"its id is {event.id}, that of its content {_key(event)}"
    if event.scope != JUDGMENT and event.failure_class not in table().classes:
        yield f"unknown failure class {event.failure_class!r}; allowed: {', '.join(table().classes)}"
    if not event.fix.strip() or any(ord(c) < 32 and c not in "\n\t" for c in text):
        yield "its fix is empty, or a text holds control characters"
    if strange := placeholders(event.fix) - PLACES - set(RENDERED_GROUPS):
        yield f"unknown place in the fix: {', '.join(sorted(strange))}"
    whole = event.model_dump_json()
    if redact(text) != text or redact(whole) != whole:
        yield "it holds what looks like a secret"
    if found := _MACHINE_PATH.search(f"{text}\n{event.provenance.source}"):
        yield f"it holds a path of a machine: {found[0]}"
    if published(text):
        yield "it holds a published value of a target"


def _key(event: LessonEvent) -> str:
    """The id that follows from a lesson's content."""
    return lesson_id(event.signature, event.fix, event.scope, event.provenance.skill)


def _origin(origin: Provenance, lab: str) -> Provenance:
    """A place of origin under its lab's name; one that has a name keeps it."""
    run = origin.run if FOREIGN in origin.run else f"{lab}{FOREIGN}{origin.run}"
    return origin.model_copy(update={"run": redact(run), "source": redact(origin.source)[:500]})


def _from(event: LessonEvent, lab: str) -> LessonEvent:
    """A lesson as it is kept here."""
    return event.model_copy(update={"provenance": _origin(event.provenance, lab)})


def _outcome(event: OutcomeEvent, lab: str) -> OutcomeEvent:
    """An outcome as it is kept here; its id follows from the name under which it is kept."""
    return outcome_event(
        event.lesson, event.success, provenance=_origin(event.provenance, lab), time=event.time
    )
