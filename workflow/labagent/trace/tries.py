"""The try folders of an attempt, and which of them came to a result."""

from __future__ import annotations

from pathlib import Path

from labagent.trace.reader import Event

TRACE = "trace.jsonl"
INFRASTRUCTURE = "infrastructure"


def tries_of(folder: Path) -> list[Path]:
    """The try folders of an attempt, oldest first."""
    found = {int(p.name[4:]): p for p in folder.glob("try-*") if p.name[4:].isdecimal() and p.is_dir()}
    return [found[number] for number in sorted(found)]


def has_result(events: list[Event]) -> bool:
    """Whether a try ended with an outcome, not killed and not by a fault of the machinery."""
    return bool(events) and events[-1]["event"] == "end" and events[-1]["status"] != INFRASTRUCTURE
