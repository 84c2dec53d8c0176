"""Systems of BioBench compared task by task."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from labagent.report import statistics
from labagent.report.benchruns import MEASURES, Measure, System, by_task, most, pairs, systems
from labagent.report.study import Study
from labagent.report.tables import Cell, Row

TITLE = "BioBench: pairs"
CAPTION = (
    "Pairs that differ in the condition or in the model alone, on the tasks that count for both. McNemar's "
    "test is of the majority over seeds; label swap and bootstrap are of the difference of the shares of "
    "seeds and swap or draw whole conversations. Holm's correction is over the pairs of a set, within one "
    "measure."
)
ORDER = 93
SHOWN = True
COMPARED = ("accurate", "strict", "tools", "valid")
TESTS = ("p_exact", "p_mid", "p_label_swap")
COLUMNS = {
    "set": "the task set",
    "measure": "accurate, strict, tools, or valid: all factual sentences cite validly",
    "a": "condition and model",
    "b": "the other",
    "tasks": "tasks both have the measure for",
    "clusters": "conversations they belong to",
    "both": "tasks on which it holds for both in most seeds",
    "only_a": "for a alone",
    "only_b": "for b alone",
    "neither": "for none",
    "difference": "mean over tasks of a's share of seeds minus b's",
    "ci_low": "lower end of its 95 % bootstrap interval, drawing whole conversations",
    "ci_high": "its upper end",
    "p_exact": "McNemar's exact test, two-sided",
    "p_mid": "its mid-p",
    "p_label_swap": "label-swap permutation, whole conversations, two-sided",
    "p_exact_holm": "p_exact after Holm's correction",
    "p_mid_holm": "p_mid after Holm's correction",
    "p_label_swap_holm": "p_label_swap after Holm's correction",
    "note": "what could not be computed, and why",
}
Record = dict[str, Cell]


def rows(study: Study) -> Iterator[Row]:
    """One row a pair and measure."""
    found = systems(study)
    made = [
        record for a, b in pairs(found) for name in COMPARED if (record := _record(a, b, name)) is not None
    ]
    for key in dict.fromkeys((record["set"], record["measure"]) for record in made):
        family = [record for record in made if (record["set"], record["measure"]) == key]
        for test in TESTS:
            _correct(family, test)
    return (tuple(record[name] for name in COLUMNS) for record in made)


def _correct(family: Sequence[Record], test: str) -> None:
    """Holm's correction of one test over all pairs."""
    p_values = [p if isinstance(p := record[test], float) else None for record in family]
    for record, corrected in zip(family, statistics.holm(p_values), strict=True):
        record[f"{test}_holm"] = corrected


def _record(a: System, b: System, name: str) -> Record | None:
    """One pair in one measure; nothing where it applies to no task of both."""
    measure = MEASURES[name]
    first, second = by_task(a.answers, measure), by_task(b.answers, measure)
    shared = [task for task in first if task in second]
    if not shared:
        return None
    root = {answer.score.task: answer.root for answer in a.answers}
    clusters = [root[task] for task in shared]
    differences = [_share(first[task]) - _share(second[task]) for task in shared]
    swap = statistics.label_swap(differences, clusters)
    interval = statistics.bootstrap_interval(differences, clusters)
    return {
        "set": a.bench,
        "measure": name,
        "a": f"{a.condition}, {a.model}",
        "b": f"{b.condition}, {b.model}",
        "tasks": len(shared),
        "clusters": len(set(clusters)),
        "difference": math.fsum(differences) / len(differences),
        "ci_low": interval.low,
        "ci_high": interval.high,
        "p_label_swap": swap.p,
        **_mcnemar(a, b, measure, shared),
        "note": "; ".join(dict.fromkeys(filter(None, (swap.note, interval.note)))),
    }


def _mcnemar(a: System, b: System, measure: Measure, shared: Sequence[str]) -> Record:
    """The majorities over seeds, paired."""
    first, second = (most(by_task(system.answers, measure)) for system in (a, b))
    test = statistics.mcnemar([first[task] for task in shared], [second[task] for task in shared])
    return {
        "both": test.both,
        "only_a": test.only_first,
        "only_b": test.only_second,
        "neither": test.neither,
        "p_exact": test.p,
        "p_mid": test.p_mid,
    }


def _share(values: Sequence[bool]) -> float:
    """The share that holds."""
    return sum(values) / len(values)
