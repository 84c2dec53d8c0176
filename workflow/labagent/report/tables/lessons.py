"""What the memory did for runs: failing commands and lessons, in earlier and in later runs of an arm."""

from collections.abc import Iterator
from dataclasses import dataclass

from pydantic import ValidationError

from labagent.files import read_jsonl
from labagent.models.memory import OutcomeEvent
from labagent.report.study import Attempt, Study
from labagent.report.tables import Row
from labagent.trace import scan_trace

TITLE = "Lessons at work"
CAPTION = (
    "Failing commands and lessons of each arm's runs in the order in which they began: all runs, the first "
    "half (a middle one counts there), and the later half, which could know what the first had learnt. A "
    "lesson applied before its failure shows up leaves no failing command."
)
ORDER = 55
SHOWN = True
COLUMNS = {
    "arm": "the arm",
    "memory": "live, frozen or off",
    "runs": "all, first or later, by when they began",
    "count": "how many runs, all attempts; those in which nothing ran are left out",
    "failing_turns": "commands that failed",
    "failing_turns_per_run": "mean of that over the runs",
    "lessons_shown": "lessons shown, at the start and at failures",
    "lessons_applied": "lessons applied, by the outcomes the runs recorded",
    "lessons_cleared": "of those, lessons that cleared the failure, or prevented it",
    "lessons_written": "new lessons taken into the memory",
}


@dataclass(frozen=True)
class Use:
    """One run's failing commands and lessons; ``began`` is in seconds since the epoch."""

    began: float
    failing: int
    shown: int
    applied: int
    cleared: int
    written: int


def rows(study: Study) -> Iterator[Row]:
    """Three rows an arm, in the order of the config."""
    for arm in study.arms:
        attempts = [attempt for entry in study.of_arm[arm] for attempt in entry.attempts]
        uses = sorted(filter(None, map(_use, attempts)), key=lambda use: use.began)
        middle = (len(uses) + 1) // 2
        memory = study.inputs.config.arms[arm].memory
        for name, part in (("all", uses), ("first", uses[:middle]), ("later", uses[middle:])):
            yield arm, memory, name, *_sums(part)


def _sums(uses: list[Use]) -> Row:
    """Counts over runs."""
    failing = sum(use.failing for use in uses)
    return (
        len(uses),
        failing,
        failing / len(uses) if uses else None,
        sum(use.shown for use in uses),
        sum(use.applied for use in uses),
        sum(use.cleared for use in uses),
        sum(use.written for use in uses),
    )


def _use(attempt: Attempt) -> Use | None:
    """What one attempt did with lessons; nothing where no command ran."""
    if attempt.run is None or not attempt.run.try_folder:
        return None
    folder = attempt.folder / attempt.run.try_folder
    outcomes = _outcomes(attempt)
    began = next((event.get("time", 0.0) for event in scan_trace(folder / "trace.jsonl")), 0.0)
    return Use(
        began=began,
        failing=attempt.run.failing_turns,
        shown=attempt.run.lessons_shown,
        applied=len(outcomes),
        cleared=sum(outcome.success for outcome in outcomes),
        written=attempt.run.lessons_written,
    )


def _outcomes(attempt: Attempt) -> list[OutcomeEvent]:
    """What came of the lessons that an attempt applied."""
    found = {}
    for path in sorted(attempt.folder.glob("try-*/lessons.jsonl")):
        for value in read_jsonl(path, torn_tail=True):
            try:
                outcome = OutcomeEvent.model_validate(value)
            except ValidationError:
                continue  # lessons stand in the same file
            found[outcome.id] = outcome
    return list(found.values())
