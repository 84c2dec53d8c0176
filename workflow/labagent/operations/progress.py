"""How far a run is: read from the records and locks that its jobs leave, nothing is written."""

from __future__ import annotations

import fcntl
import json
import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from labagent.inputs import Inputs
from labagent.llm.book import BOOK, read_book
from labagent.models.spending import SpendingRecord
from labagent.operations.states import OVER, STATES
from labagent.reproduce.guard import HOLDER, LOCK
from labagent.workflow.paths import Paths

Place = tuple[str, str, int]


@dataclass(frozen=True)
class AttemptState:
    """One attempt: where it is, and what its record says of costs."""

    place: Place
    state: str
    wall_seconds: float | None = None
    finished: float | None = None
    ended_by: str = ""
    cost_usd: float = 0.0
    score: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Progress:
    """A run as it is now. Entries count by their first attempt.

    ``mean_seconds`` is what an attempt of an arm has taken; ``entries`` are counts by arm and state.
    """

    entries: dict[str, Counter[str]]
    attempts: dict[str, Counter[str]]
    mean_seconds: dict[str, float]
    running: tuple[str, ...]
    book: SpendingRecord

    @property
    def total(self) -> Counter[str]:
        """Entries of all arms by state."""
        return sum(self.entries.values(), Counter())

    def attempts_left(self, arm: str) -> int:
        """Attempts of an arm that have no result yet."""
        return sum(count for state, count in self.attempts[arm].items() if state not in OVER | {"to_score"})

    @property
    def seconds_of_work(self) -> float | None:
        """Run time that is left, if one attempt ran at a time; unknown where no attempt has ended yet."""
        known = [mean for mean in self.mean_seconds.values() if mean > 0]
        if not known:
            return None
        usual = sum(known) / len(known)
        left = {arm: self.attempts_left(arm) for arm in self.attempts}
        return sum(count * (self.mean_seconds.get(arm) or usual) for arm, count in left.items())


@dataclass(frozen=True)
class Estimate:
    """When a run that is under way ends, if it goes on as since its start.

    ``at_once`` is how many attempts ran at a time on average; both are unknown before the first ended.
    """

    at_once: float | None
    seconds_left: float | None


def read_progress(inputs: Inputs, results: Path) -> tuple[Progress, list[AttemptState]]:
    """Read how far a run is.

    Args:
        inputs: which entries are planned.
        results: the run's folder of results.

    Raises:
        InfrastructureError: the book of costs cannot be read.
    """
    paths = Paths(str(results))
    attempts = [attempt_state(paths, place) for place in inputs.entries()]
    entries: dict[str, Counter[str]] = {arm: Counter() for arm in inputs.selected_arms}
    tries: dict[str, Counter[str]] = {arm: Counter() for arm in inputs.selected_arms}
    seconds: dict[str, list[float]] = {arm: [] for arm in inputs.selected_arms}
    for attempt in attempts:
        arm, _, number = attempt.place
        tries[arm][attempt.state] += 1
        if number == 1:
            entries[arm][attempt.state] += 1
        if attempt.wall_seconds is not None:
            seconds[arm].append(attempt.wall_seconds)
    progress = Progress(
        entries=entries,
        attempts=tries,
        mean_seconds={arm: sum(found) / len(found) if found else 0.0 for arm, found in seconds.items()},
        running=tuple("/".join(map(str, a.place)) for a in attempts if a.state == "running"),
        book=read_book(results / BOOK) or SpendingRecord(spent_usd=sum(a.cost_usd for a in attempts)),
    )
    return progress, attempts


def estimate(progress: Progress, attempts: list[AttemptState], started: float, now: float) -> Estimate:
    """When a run ends.

    Args:
        progress: how far it is.
        attempts: its attempts.
        started: when its workflow began, in seconds since the epoch.
        now: the time now.
    """
    ended = [a for a in attempts if a.finished is not None and a.finished >= started and a.wall_seconds]
    work = progress.seconds_of_work
    if not ended or work is None or now <= started:
        return Estimate(None, None)
    at_once = sum(a.wall_seconds or 0.0 for a in ended) / (now - started)
    return Estimate(at_once, work / at_once)


def attempt_state(paths: Paths, place: Place) -> AttemptState:
    """Where an attempt is, by its score, its record, its lock and its tries, whichever is there."""
    arm, target, number = place
    values = {"arm": arm, "target": target, "attempt": number}
    record = Path(paths.run.format(**values))
    run = _json(record)
    if run is None:
        return AttemptState(place, _without_record(record.parent))
    score = _json(Path(paths.score.format(**values)))
    return AttemptState(
        place,
        _state(score),
        wall_seconds=run.get("wall_seconds"),
        finished=record.stat().st_mtime,
        ended_by=str(run.get("ended_by", "")),
        cost_usd=run.get("cost_usd") or 0.0,
        score=score or {},
    )


def _state(score: dict[str, Any] | None) -> str:
    """The state of an attempt that has a result."""
    if score is None:
        return "to_score"
    if score.get("tainted"):
        return "tainted"
    status = str(score.get("status"))
    return "done" if status == "scored" else status if status in STATES else "failed"


def _without_record(folder: Path) -> str:
    """The state of an attempt without a result."""
    try:
        names = os.listdir(folder)  # noqa: PTH208 (names are enough, of thousands of folders)
    except OSError:
        return "waiting"
    if HOLDER in names and is_held(folder / LOCK):
        return "running"
    return "interrupted" if any(name.startswith("try-") for name in names) else "waiting"


def is_held(lock: Path) -> bool:
    """Whether a process holds a lock file; looked at with a shared lock, which changes nothing."""
    try:
        descriptor = os.open(lock, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    finally:
        os.close(descriptor)
    return False


def _json(path: Path) -> dict[str, Any] | None:
    """A record's values; ``None`` where there is none, or it is no JSON."""
    try:
        value = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return None
    return value if isinstance(value, dict) else None


def matching(attempts: list[AttemptState], wanted: frozenset[str]) -> Iterator[AttemptState]:
    """Attempts in some states."""
    return (attempt for attempt in attempts if attempt.state in wanted)
