"""The event log: a JSON-lines file that many processes append to and that no crash can spoil.

A batch is one write under a lock, on disk before the call returns, and read back. A process killed while
writing leaves at most one torn line: the next writer ends it, readers pass over it.
"""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from labagent.errors import InfrastructureError, MemoryStoreError
from labagent.locking import locked
from labagent.models.base import first_fault
from labagent.models.memory import LessonEvent, OutcomeEvent, Provenance

Event = LessonEvent | OutcomeEvent
SNAPSHOT = b'"event":"snapshot"'
"""Stands in every snapshot line."""

LOCK_SECONDS = 120.0
_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


def append_events(path: Path, events: Sequence[LessonEvent | OutcomeEvent]) -> None:
    """Append a batch: all of it is in the file, whole and once, when this returns.

    Raises:
        MemoryStoreError: the place cannot be written to (read-only, no permission).
        InfrastructureError: the disk is full, or another process holds the lock for two minutes. Nothing of
            the batch stays in the file.
    """
    if not events:
        return
    lines = b"".join(encode(event) for event in events)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with locked(path.with_name(path.name + ".lock"), LOCK_SECONDS):
            _append(path, lines)
    except OSError as error:
        raise store_error(path, error) from error


def read_events(path: Path, *, strict: bool = False) -> Iterator[LessonEvent | OutcomeEvent]:
    """The events of a file; none where there is no file.

    Args:
        path: a JSON-lines file.
        strict: for files people edit: a line that is no event is an error, not passed over.

    Raises:
        MemoryStoreError: the file cannot be read, or ``strict`` and a line is no event.
    """
    for number, event, fault in read_lines(path):
        if event is not None:
            yield event
        elif strict:
            raise MemoryStoreError(f"{path}, line {number}: not a lesson or outcome event: {fault}")


def read_lines(path: Path) -> Iterator[tuple[int, LessonEvent | OutcomeEvent | None, str]]:
    """The events of each line that is not blank: number, event or ``None``, and what is wrong with it.

    A snapshot line gives all its events.
    """
    for number, line in enumerate(raw_lines(path, blank=True), start=1):
        if line.strip():
            for event, fault in parse_line(line):
                yield number, event, fault


def raw_lines(path: Path, *, blank: bool = False) -> Iterator[bytes]:
    """The lines of a file, none where there is no file; ``blank`` ones only where asked for.

    Raises:
        MemoryStoreError: it cannot be read.
    """
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return
    except OSError as error:
        raise store_error(path, error) from error
    yield from (line for line in data.split(b"\n") if blank or line.strip())


def parse_line(line: bytes) -> list[tuple[Event | None, str]]:
    """The event of a line, those of a snapshot line, or ``None`` and why it is none."""
    try:
        value: Any = json.loads(line)
        kind = value.get("event") if isinstance(value, dict) else None
        if kind == "snapshot":
            return [(event, "") for event in decode_snapshot(value)]
        if kind not in {"lesson", "outcome"}:
            return [(None, f'"event" is {kind!r}; allowed: lesson, outcome, snapshot')]
        return [((LessonEvent if kind == "lesson" else OutcomeEvent).model_validate(value), "")]
    except (ValueError, KeyError, TypeError) as error:
        fault = first_fault(error) if isinstance(error, ValueError) else repr(error)
        return [(None, " ".join(fault.split())[:300])]


def decode_snapshot(line: dict[str, Any]) -> list[Event]:
    """The events of a snapshot line (:mod:`labagent.memory.snapshot`).

    Raises:
        ValueError, KeyError, TypeError: it is none.
    """
    events: list[Event] = []
    for time, run, turn, skill, source, *differs in line["lessons"]:
        origin = {"run": run, "turn": turn, "skill": skill, "source": source}
        value = {**line["common"], **(differs[0] if differs else {}), "time": time, "provenance": origin}
        events.append(LessonEvent.model_validate(value))
    for name, time, success, run, turn, skill, source, *lesson in line["outcomes"]:
        origin = {"run": run, "turn": turn, "skill": skill, "source": source}
        events.append(
            OutcomeEvent(
                id=name,
                time=time,
                success=success,
                lesson=lesson[0] if lesson else line["key"],
                provenance=Provenance.model_validate(origin),
            )
        )
    return events


def encode(event: Event) -> bytes:
    """An event as one line."""
    return (json.dumps(event.model_dump(mode="json"), sort_keys=True, ensure_ascii=False) + "\n").encode()


def _append(path: Path, lines: bytes) -> None:
    """Write under the lock; on failure cut the file back to what it was."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o644)
    try:
        size = os.fstat(descriptor).st_size
        torn = size > 0 and os.pread(descriptor, 1, size - 1) != b"\n"
        data = (b"\n" if torn else b"") + lines
        try:
            _write_all(descriptor, data)
            os.fsync(descriptor)
            if os.pread(descriptor, len(data), size) != data:
                raise OSError(
                    errno.EIO, "what was written is not what is in the file: the lock does not hold here"
                )
        except OSError:
            os.ftruncate(descriptor, size)
            raise
    finally:
        os.close(descriptor)


def _write_all(descriptor: int, data: bytes) -> None:
    """One write; the rest of a short one after it."""
    left = memoryview(data)
    while left:
        left = left[os.write(descriptor, left) :]


def store_error(path: Path, error: OSError) -> MemoryStoreError | InfrastructureError:
    """A clear error for what the file system refused."""
    if error.errno in _FULL:
        return InfrastructureError(
            f"{path}: no space left on the device; free some and start again ({error})"
        )
    if error.errno == errno.EIO:
        return InfrastructureError(f"{path}: {error}")
    hint = "memory.folder in the config must be writable, or the arm's memory frozen or off"
    return MemoryStoreError(f"{path}: cannot be read or written ({error.strerror}); {hint}")
