"""Compaction: an arm's events folded into one line a lesson, from which each of them can be had again.

A snapshot line holds what its events have in common once, of each event when and where it was learned, each
outcome with its id, and the lesson that they fold to. So a lesson that no later event touches is read as it
stands, and one that is touched is folded from all its events: the state is always that of all events.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from labagent.errors import InfrastructureError
from labagent.locking import locked
from labagent.memory.fold import fold
from labagent.memory.ids import lesson_id
from labagent.memory.log import (
    LOCK_SECONDS,
    SNAPSHOT,
    Event,
    decode_snapshot,
    encode,
    parse_line,
    raw_lines,
    store_error,
)
from labagent.models.memory import Lesson, LessonEvent, OutcomeEvent

OWN = ("time", "provenance")
"""What differs between events of one lesson; the rest is written once, or as a difference."""


@dataclass(frozen=True)
class Compacted:
    """What a compaction did; ``unreadable`` lines stay as they are."""

    events: int
    lessons: int
    unreadable: int
    bytes_before: int
    bytes_after: int


def state_of(library: Sequence[Event], live: Path) -> tuple[Lesson, ...]:
    """The lessons of a library and an arm's events, sorted by id.

    Args:
        library: the reviewed events.
        live: the arm's file, with or without snapshot lines.

    Raises:
        MemoryStoreError: the file cannot be read.
    """
    events, snapshots = _split(live)
    touched = _names([*library, *events])
    whole = []
    for line in snapshots:
        if line["lesson"] is None or touched & {line["key"], *line["ids"]}:
            events += decode_snapshot(line)
        else:
            whole.append(Lesson.model_validate(line["lesson"]))
    if len(whole) == len(snapshots) == 0:
        return fold(library, events)
    return tuple(sorted([*fold(library, events), *whole], key=lambda lesson: lesson.id))


def compact(path: Path, *, expand: bool = False) -> Compacted:
    """Fold an arm's events into snapshot lines; writers wait, readers see the file before or after.

    Args:
        path: the arm's file.
        expand: the other way: write every event as a line of its own again.

    Raises:
        MemoryStoreError: the file cannot be read or written.
        InfrastructureError: no space is left, another process holds the lock, or the state would not be the
            same; the file is then as it was.
    """
    try:
        with locked(path.with_name(path.name + ".lock"), LOCK_SECONDS):
            for left in path.parent.glob(f".{path.name}.*"):
                left.unlink()  # of a compaction that was killed
            return _compact(path, expand)
    except OSError as error:
        raise store_error(path, error) from error


def _compact(path: Path, expand: bool) -> Compacted:
    """The same under the lock."""
    events: dict[bytes, Event] = {}
    unreadable: list[bytes] = []
    size = 0
    for line in raw_lines(path):
        size += len(line) + 1
        for event, _ in parse_line(line):
            if event is None:
                unreadable.append(line)
            else:
                events[encode(event)] = event
    ordered = [events[key] for key in sorted(events, key=lambda key: (events[key].time, key))]
    lines = [encode(event) for event in ordered] if expand else list(_encoded(ordered))
    data = b"".join([*lines, *(line + b"\n" for line in unreadable)])
    again = [e for line in lines for e, _ in parse_line(line.rstrip(b"\n")) if e is not None]
    if {encode(event) for event in again} != events.keys():
        raise InfrastructureError(f"{path}: some events would be lost; nothing was changed")
    _replace(path, data)
    return Compacted(
        events=len(ordered),
        lessons=len({e.id for e in ordered if isinstance(e, LessonEvent)}),
        unreadable=len(unreadable),
        bytes_before=size,
        bytes_after=len(data),
    )


def _replace(path: Path, data: bytes) -> None:
    """Put new content in a file's place, on disk before it is there."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        Path(name).chmod(0o644)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _split(path: Path) -> tuple[list[Event], list[dict[str, Any]]]:
    """The events that stand by themselves, and the snapshot lines."""
    events: list[Event] = []
    snapshots: list[dict[str, Any]] = []
    for line in raw_lines(path):
        if SNAPSHOT in line and (found := _snapshot(line)) is not None:
            snapshots.append(found)
        else:
            events += [event for event, _ in parse_line(line) if event is not None]
    return events, snapshots


def _snapshot(line: bytes) -> dict[str, Any] | None:
    """A snapshot line's value; ``None`` for any other line."""
    try:
        value = json.loads(line)
    except ValueError:
        return None
    return value if isinstance(value, dict) and value.get("event") == "snapshot" else None


def _names(events: Iterable[Event]) -> set[str]:
    """Every name by which events may mean a lesson."""
    found = set()
    for event in events:
        if isinstance(event, OutcomeEvent):
            found.add(event.lesson)
        else:
            found |= {event.id, _key(event)}
    return found


def _key(event: LessonEvent) -> str:
    """The id of the lesson that an event is about."""
    return lesson_id(event.signature, event.fix, event.scope, event.provenance.skill)


def _encoded(events: Sequence[Event]) -> Iterator[bytes]:
    """Events as snapshot lines, one a lesson, sorted by its id."""
    keys = {e.id: _key(e) for e in events if isinstance(e, LessonEvent)}
    groups: dict[str, list[Event]] = defaultdict(list)
    for event in events:
        name = event.id if isinstance(event, LessonEvent) else event.lesson
        groups[_key(event) if isinstance(event, LessonEvent) else keys.get(name, name)].append(event)
    for key in sorted(groups):
        line = _line(key, groups[key])
        yield (json.dumps(line, sort_keys=True, ensure_ascii=False, separators=(",", ":")) + "\n").encode()


def _line(key: str, events: Sequence[Event]) -> dict[str, Any]:
    """The snapshot line of one lesson; outcomes of a lesson that stands elsewhere have none."""
    lessons = [e for e in events if isinstance(e, LessonEvent)]
    folded = fold([], events)
    common = {k: v for k, v in lessons[0].model_dump(mode="json").items() if k not in OWN} if lessons else {}
    return {
        "event": "snapshot",
        "key": key,
        "ids": sorted({e.id for e in lessons} - {key}),
        "lesson": folded[0].model_dump(mode="json") if len(folded) == 1 else None,
        "common": common,
        "lessons": [_lesson_row(event, common) for event in lessons],
        "outcomes": [_outcome_row(event, key) for event in events if isinstance(event, OutcomeEvent)],
    }


def _lesson_row(event: LessonEvent, common: dict[str, Any]) -> list[Any]:
    """When and where a lesson was learned, and in what the event differs from the first."""
    value = event.model_dump(mode="json")
    differs = {k: v for k, v in value.items() if k not in OWN and v != common[k]}
    origin = event.provenance
    row = [event.time, origin.run, origin.turn, origin.skill, origin.source]
    return [*row, differs] if differs else row


def _outcome_row(event: OutcomeEvent, key: str) -> list[Any]:
    """An outcome without what its line says."""
    origin = event.provenance
    row = [event.id, event.time, event.success, origin.run, origin.turn, origin.skill, origin.source]
    return [*row, event.lesson] if event.lesson != key else row
