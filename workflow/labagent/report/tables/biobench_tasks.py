"""Every answer to BioBench."""

from __future__ import annotations

from collections.abc import Iterator

from labagent.report.benchruns import systems
from labagent.report.study import Study
from labagent.report.tables import Row

TITLE = "BioBench: every task"
CAPTION = "What became of every task in every run; all other tables of BioBench follow from this one."
ORDER = 95
SHOWN = False
COLUMNS = {
    "set": "the task set",
    "condition": "how the question was answered",
    "model": "by which model",
    "seed": "the run",
    "task": "the task",
    "root": "the first task of its conversation",
    "split": "its split",
    "category": "its category",
    "counted": "false where its recorded results are missing",
    "accurate": "the outcome is right and every gold value stands in the answer",
    "outcome_right": "answered, asked back, refused or not found as the task wants",
    "missing_gold": "gold values that do not stand in the answer",
    "strict": "the published strict rule holds; empty for other tasks",
    "route_right": "the route is the task's",
    "tools_right": "the expected tools were called",
    "factual": "factual sentences",
    "cited": "of those, sentences that cite a call",
    "valid": "of those, sentences whose citations are all valid",
    "unflagged": "sentences not said to be factual that give a value the question does not",
    "trace_complete": "the trace's verification finds no hole",
    "failed": "the system failed",
    "echo": "an echo of the question is accurate",
}


def rows(study: Study) -> Iterator[Row]:
    """One row an answer."""
    for system in systems(study):
        for run in system.runs:
            apart = {missing.task for missing in run.missing_records}
            for score in run.scores:
                yield (
                    *(system.bench, system.condition, system.model, run.place.seed, score.task),
                    *(run.roots.get(score.task, score.task), score.split, score.category),
                    *(score.task not in apart, score.accurate, score.outcome_right),
                    *("; ".join(score.missing), score.strict, score.route_right, score.tools_right),
                    *(
                        score.factual,
                        score.cited,
                        score.valid,
                        score.unflagged,
                        score.trace_complete,
                        score.failed,
                    ),
                    score.task in run.echo,
                )
