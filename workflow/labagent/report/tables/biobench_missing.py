"""Tasks of BioBench that do not count, since what they need was not recorded."""

from __future__ import annotations

from collections.abc import Iterator

from labagent.report.benchruns import systems
from labagent.report.study import Study
from labagent.report.tables import Row

TITLE = "BioBench: tasks without recorded results"
CAPTION = (
    "Where answers come from recorded results alone, a task may need one that is not there: the right tools "
    "were called, and no look-up found a record. Such a task is neither right nor wrong."
)
ORDER = 94
SHOWN = True
COLUMNS = {
    "set": "the task set",
    "condition": "how questions are answered",
    "model": "by which model",
    "seed": "the run",
    "task": "the task",
    "reason": "the look-ups that found no record",
}


def rows(study: Study) -> Iterator[Row]:
    """One row a task and run."""
    return (
        (system.bench, system.condition, system.model, run.place.seed, missing.task, missing.reason)
        for system in systems(study)
        for run in system.runs
        for missing in run.missing_records
    )
