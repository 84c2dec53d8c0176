"""Reading a trace, also one whose writer was killed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from labagent.trace.chain import link

Event = dict[str, Any]


def read_trace(path: Path) -> list[Event]:
    """The events of a trace, oldest first.

    Args:
        path: a ``trace.jsonl``; a missing file is a trace without events.

    Returns:
        The events. A torn last line (its writer was killed) is left out.

    Raises:
        json.JSONDecodeError: a line that is not the last one does not parse.
    """
    if not path.exists():
        return []
    return [json.loads(line) for line in _whole_lines(path.read_bytes())]


def scan_trace(path: Path, key: str = "") -> Iterator[Event]:
    """The events of a trace that have ``key``, one at a time; lines without it are not parsed.

    For reports over many traces: what is held is one line, and a caller may stop after the first.

    Args:
        path: a ``trace.jsonl``; a missing file is a trace without events.
        key: a field at the top of an event; empty for all events.
    """
    mark = f'"{key}"'.encode() if key else b""
    try:
        stream = path.open("rb")
    except FileNotFoundError:
        return
    with stream:
        for line in stream:
            if line.endswith(b"\n") and mark in line and line.strip():
                event = json.loads(line.decode("utf-8", errors="replace"))
                if not key or key in event:
                    yield event


def verify_chain(path: Path) -> list[str]:
    """What is wrong with a trace: altered, missing or reordered events.

    Returns:
        One message a fault, naming the event's ``seq``; empty when every hash holds. Events cut off at
        the very end cannot be seen from the chain; a finished trace ends with an ``end`` event.
    """
    faults = []
    previous = ""
    for number, event in enumerate(read_trace(path), start=1):
        if event.get("seq") != number:
            faults.append(f"event {number}: seq is {event.get('seq')}; an event is missing or was moved")
        if event.get("chain") != link(previous, event):
            faults.append(f"event {number} ({event.get('event')}): its hash does not hold")
        previous = str(event.get("chain"))
    return faults


def whole_length(content: bytes) -> int:
    """How many bytes of a trace are whole lines; the rest is what a killed writer left."""
    return content.rfind(b"\n") + 1


def _whole_lines(content: bytes) -> list[str]:
    """The lines that end with a newline: a writer is done with a line only after its newline."""
    text = content[: whole_length(content)].decode("utf-8", errors="replace")
    return [line for line in text.split("\n") if line]
