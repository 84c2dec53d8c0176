"""Reading a trace, also one whose writer was killed."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from labagent.errors import InputError, InputFault
from labagent.trace.chain import link

Event = dict[str, Any]


def read_trace(path: Path) -> list[Event]:
    """The events of a trace, oldest first.

    Args:
        path: a ``trace.jsonl``; a missing file is a trace without events.

    Returns:
        The events. A torn last line (its writer was killed) is left out.

    Raises:
        InputError: the file cannot be read, or a line but the last is no event; it names the line.
    """
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return []
    except OSError as error:
        raise InputError([InputFault(str(path), f"cannot be read: {error.strerror}")]) from error
    return [_event(path, number, line) for number, line in _whole_lines(content)]


def scan_trace(path: Path, key: str = "") -> Iterator[Event]:
    """The events of a trace that have ``key``, one at a time; lines without it are not parsed.

    For reports over many traces: what is held is one line, and a caller may stop after the first.

    Args:
        path: a ``trace.jsonl``; a missing file is a trace without events.
        key: a field at the top of an event; empty for all events.

    Raises:
        InputError: a line that would be given is no event.
    """
    mark = f'"{key}"'.encode() if key else b""
    try:
        stream = path.open("rb")
    except FileNotFoundError:
        return
    with stream:
        for number, line in enumerate(stream, start=1):
            if line.endswith(b"\n") and mark in line and line.strip():
                event = _event(path, number, line.decode("utf-8", errors="replace"))
                if not key or key in event:
                    yield event


def verify_chain(path: Path) -> list[str]:
    """What is wrong with a trace: altered, missing or reordered events, bytes that its writer did not write.

    Returns:
        One message a fault, naming the event's ``seq``; empty when every hash holds. Events cut off at
        the very end cannot be seen from the chain; a finished trace ends with an ``end`` event.
    """
    events = read_trace(path)
    faults = _unlike(path, events)
    previous = ""
    for number, event in enumerate(events, start=1):
        if event.get("seq") != number:
            faults.append(f"event {number}: seq is {event.get('seq')}; an event is missing or was moved")
        if event.get("chain") != link(previous, event):
            faults.append(f"event {number} ({event.get('event')}): its hash does not hold")
        previous = str(event.get("chain"))
    return faults


def _unlike(path: Path, events: list[Event]) -> list[str]:
    """The first line that says what its event does in other bytes than the writer's: it was edited."""
    lines = path.read_bytes().split(b"\n")[:-1] if events else []
    written = [json.dumps(e, ensure_ascii=False).encode("utf-8", "backslashreplace") for e in events]
    for number, (found, made) in enumerate(itertools.zip_longest(lines, written), start=1):
        if found != made:
            return [f"line {number} is not as it was written"]
    return []


def whole_length(content: bytes) -> int:
    """How many bytes of a trace are whole lines; the rest is what a killed writer left."""
    return content.rfind(b"\n") + 1


def _whole_lines(content: bytes) -> list[tuple[int, str]]:
    """The lines that end with a newline, numbered: a writer is done with a line only after its newline."""
    text = content[: whole_length(content)].decode("utf-8", errors="replace")
    return [(number, line) for number, line in enumerate(text.split("\n"), start=1) if line]


def _event(path: Path, number: int, line: str) -> Event:
    """The event on a line."""
    try:
        event = json.loads(line)
    except ValueError as error:
        raise InputError([InputFault(str(path), f"is no JSON: {error}", number)]) from error
    if not isinstance(event, dict) or not isinstance(event.get("event"), str):
        message = 'is no event; allowed: objects with a text "event"'
        raise InputError([InputFault(str(path), message, number)])
    return event
