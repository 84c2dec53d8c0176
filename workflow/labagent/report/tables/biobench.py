"""Accuracy of the answers to BioBench, by condition and model."""

from __future__ import annotations

import math
from collections.abc import Iterator

from labagent.report.benchruns import MEASURES, System, by_seed, by_task, hits, most, systems
from labagent.report.statistics import bootstrap_interval, share_interval, spread
from labagent.report.study import Study
from labagent.report.tables import Cell, Row

TITLE = "BioBench: accuracy"
CAPTION = (
    "Answers to questions with a known answer, by condition and model. An answer is accurate when its "
    "outcome is the right one and every gold value stands in it; strict is the published rule (all keywords "
    "are substrings) on published tasks. Echo says the question again: what it gets right, a task gives "
    "away. Tasks whose recorded results are missing are not counted."
)
ORDER = 90
SHOWN = True
COLUMNS = {
    "set": "the task set",
    "condition": "how questions are answered",
    "model": "by which model; offline: composed without one",
    "seeds": "runs, one a seed",
    "tasks": "tasks that count",
    "missing_records": "tasks that do not count since what they need was not recorded",
    "unanswered": "of the answers that count: not given, since a cap ended the run; they count as failed",
    "answers": "tasks × seeds",
    "accurate": "answers that are accurate",
    "accuracy": "their share",
    "low": "lower end of Wilson's 95 % interval of the share of tasks that are accurate in most seeds",
    "high": "its upper end",
    "boot_low": "lower end of the 95 % bootstrap interval of accuracy, drawing whole conversations",
    "boot_high": "its upper end",
    "floor": "accuracy of the worst seed",
    "sd": "SD of accuracy over seeds (ddof 1)",
    "echo": "tasks that an echo of the question gets right",
    "strict": "answers that pass the published strict rule",
    "strict_of": "answers to published tasks",
    "echo_strict": "published tasks that an echo passes by the strict rule",
    "cost_usd": "known model cost of all runs in US$",
    "note": "what could not be computed, and why",
}


def rows(study: Study) -> Iterator[Row]:
    """One row a system."""
    return (tuple(_record(system)[name] for name in COLUMNS) for system in systems(study))


def _record(system: System) -> dict[str, Cell]:
    """The numbers of one system."""
    answers = system.answers
    accurate = MEASURES["accurate"]
    majorities = list(most(by_task(answers, accurate)).values())
    wilson = share_interval(sum(majorities), len(majorities))
    values = [float(answer.score.accurate) for answer in answers]
    boot = bootstrap_interval(values, [answer.root for answer in answers])
    seeds = [sum(found) / len(found) for found in by_seed(answers, accurate).values()]
    strict, strict_of = hits(answers, MEASURES["strict"])
    counted = {answer.score.task for answer in answers}
    unknown = [run for run in system.runs if run.cost_usd is None]
    notes = [
        boot.note,
        "one seed: no SD" if len(seeds) < 2 else "",
        f"cost of {len(unknown)} runs unknown" if unknown else "",
    ]
    return {
        "set": system.bench,
        "condition": system.condition,
        "model": system.model,
        "seeds": len(system.runs),
        "tasks": len(counted),
        "missing_records": len(system.missing.keys() - counted),
        "unanswered": sum(len(counted & set(run.unanswered)) for run in system.runs),
        "answers": len(answers),
        "accurate": int(sum(values)),
        "accuracy": sum(values) / len(values) if values else None,
        "low": wilson.low,
        "high": wilson.high,
        "boot_low": boot.low,
        "boot_high": boot.high,
        "floor": min(seeds, default=None),
        "sd": spread(seeds),
        "echo": len(counted & set(system.runs[0].echo)),
        "strict": strict if strict_of else None,
        "strict_of": strict_of,
        "echo_strict": len(counted & set(system.runs[0].echo_strict)) if strict_of else None,
        "cost_usd": math.fsum(run.cost_usd or 0.0 for run in system.runs),
        "note": "; ".join(filter(None, notes)),
    }
