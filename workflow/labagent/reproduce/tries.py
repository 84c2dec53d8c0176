"""Tries of an attempt: one that was killed stays, with its trace and what it cost."""

from __future__ import annotations

import itertools
import shutil
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from labagent.files import read_json
from labagent.reproduce.secrets import redact_file, redact_folder
from labagent.trace import Costs, lost_call, read_trace, sum_costs
from labagent.trace.tries import INFRASTRUCTURE, TRACE, has_result, tries_of

__all__ = [
    "INFRASTRUCTURE",
    "PRIVATE",
    "TRACE",
    "TRANSCRIPT",
    "Tally",
    "open_try",
    "superseded",
    "tally",
    "tries_of",
    "unfinished",
]

PRIVATE = "private"
TRANSCRIPT = "transcript.jsonl"
"""What an agent of its own printed, in a try's folder."""


@dataclass(frozen=True)
class Tally:
    """Sums over the traces of tries."""

    tries: int = 0
    turns: int = 0
    failing_turns: int = 0
    lessons_shown: int = 0
    wall_seconds: float = 0.0
    costs: Costs = field(default_factory=Costs)

    def __add__(self, other: Tally) -> Tally:
        """Both sums together."""
        return Tally(
            tries=self.tries + other.tries,
            turns=self.turns + other.turns,
            failing_turns=self.failing_turns + other.failing_turns,
            lessons_shown=self.lessons_shown + other.lessons_shown,
            wall_seconds=self.wall_seconds + other.wall_seconds,
            costs=self.costs + other.costs,
        )


def open_try(folder: Path) -> Path:
    """A new, empty try folder; what a killed one kept for itself alone is removed, and secrets it left."""
    existing = tries_of(folder)
    for old in existing:
        shutil.rmtree(old / PRIVATE, ignore_errors=True)
        if not has_result(read_trace(old / TRACE)):
            for part in ("output", "observations"):
                redact_folder(old / part)
            if (old / TRANSCRIPT).is_file():
                redact_file(old / TRANSCRIPT)
    number = int(existing[-1].name[4:]) + 1 if existing else 1
    path = folder / f"try-{number}"
    path.mkdir(parents=True)
    return path


def unfinished(folder: Path) -> list[Path]:
    """The tries whose costs belong to the result still to come: those since the last result.

    A result that is made again on purpose does not pay for the one before.
    """
    found: list[Path] = []
    for path in tries_of(folder):
        found = [] if has_result(read_trace(path / TRACE)) else [*found, path]
    return found


def superseded(folder: Path) -> Tally:
    """Sums over the tries of earlier results: those that :func:`unfinished` leaves out.

    ``tries`` counts results instead; one that ran nothing has no try, but a record that was put aside.
    """
    left = unfinished(folder)
    before = [path for path in tries_of(folder) if path not in left]
    with_result = sum(has_result(read_trace(path / TRACE)) for path in before)
    aside = (read_json(path) for path in folder.glob("earlier-*/run.json"))
    without_try = sum(not record.get("try_folder") for record in aside)
    return replace(tally(before), tries=with_result + without_try)


def tally(folders: Iterable[Path]) -> Tally:
    """Sums over the traces of some tries."""
    total = Tally()
    for folder in folders:
        total += _tally(read_trace(folder / TRACE))
    return total


def _tally(events: list[dict[str, Any]]) -> Tally:
    """Sums over one trace."""
    observed = [event for event in events if event["event"] == "observation"]
    shown = [event for event in events if event["event"] == "lessons"]
    return Tally(
        tries=1,
        turns=max((event.get("turn", 0) for event in events), default=0),
        failing_turns=sum(event["status"] != 0 for event in observed),
        lessons_shown=sum(len(event["ids"]) for event in shown),
        wall_seconds=_lasted([event["time"] for event in events]),
        costs=sum_costs(events) + lost_call(events),
    )


def _lasted(times: list[float]) -> float:
    """Seconds from the first to the last event; a clock that was set back in between takes none away."""
    return sum(max(0.0, after - before) for before, after in itertools.pairwise(times))
