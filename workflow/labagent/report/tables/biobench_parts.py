"""BioBench by split and category."""

from __future__ import annotations

from collections.abc import Iterator

from labagent.report.benchruns import MEASURES, Answer, by_task, hits, most, parts_of, systems
from labagent.report.statistics import share_interval
from labagent.report.study import Study
from labagent.report.tables import Cell, Row
from labagent.report.tables.biobench_process import counts

TITLE = "BioBench: by split and category"
CAPTION = "The same measures on parts of the task sets; every task is in one split and in one category."
ORDER = 92
SHOWN = True
COLUMNS = {
    "set": "the task set",
    "condition": "how questions are answered",
    "model": "by which model",
    "kind": "split or category",
    "part": "which one",
    "answers": "answers that count",
    "accurate": "answers that are accurate",
    "low": "lower end of Wilson's 95 % interval of the share of tasks that are accurate in most seeds",
    "high": "its upper end",
    "strict": "answers that pass the published strict rule, of published tasks",
    "tools": "answers with the expected tools",
    "factual": "factual sentences",
    "cited": "of those, sentences that cite a call",
    "valid": "of those, sentences whose citations are all valid",
    "trace": "answers with a complete trace",
    "failed": "answers that failed",
}


def rows(study: Study) -> Iterator[Row]:
    """One row a part of a system's answers."""
    for system in systems(study):
        names = {"set": system.bench, "condition": system.condition, "model": system.model}
        for kind, part, answers in parts_of(system.answers):
            record = {**names, "kind": kind, "part": part, **_counts(answers)}
            yield tuple(record[name] for name in COLUMNS)


def _counts(answers: list[Answer]) -> dict[str, Cell]:
    """The numbers of a part."""
    majorities = list(most(by_task(answers, MEASURES["accurate"])).values())
    wilson = share_interval(sum(majorities), len(majorities))
    strict, published = hits(answers, MEASURES["strict"])
    return {
        **counts(answers),
        "accurate": hits(answers, MEASURES["accurate"])[0],
        "low": wilson.low,
        "high": wilson.high,
        "strict": strict if published else None,
    }
