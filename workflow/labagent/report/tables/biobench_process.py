"""How the answers to BioBench came about: tools, citations, traces, failures."""

from __future__ import annotations

from collections.abc import Iterator

from labagent.report.benchruns import MEASURES, Answer, System, hits, systems
from labagent.report.statistics import share_interval
from labagent.report.study import Study
from labagent.report.tables import Cell, Row

TITLE = "BioBench: how answers came about"
CAPTION = (
    "Tools are right when every expected one was called by its exact name, and none where nothing is asked. "
    "A citation is valid when the cited call is in the trace, succeeded, and its result holds the sentence's "
    "numbers, identifiers, variants and sequences. A trace is complete when its verification finds no hole."
)
ORDER = 91
SHOWN = True
COUNTS = {
    "answers": "answers that count",
    "routes": "answers whose route is the task's",
    "tools": "answers with the expected tools",
    "tools_low": "lower end of Wilson's 95 % interval of their share",
    "factual": "factual sentences of all answers",
    "cited": "of those, sentences that cite a call",
    "valid": "of those, sentences whose citations are all valid",
    "unflagged": "sentences not said to be factual that give a value the question does not",
    "answers_factual": "answers with a factual sentence",
    "answers_valid": "of those, answers all of whose factual sentences cite validly",
    "trace": "answers with a complete trace",
    "failed": "answers that failed",
}
COLUMNS = {
    "set": "the task set",
    "condition": "how questions are answered",
    "model": "by which model",
    **COUNTS,
}


def rows(study: Study) -> Iterator[Row]:
    """One row a system."""
    return (tuple(_record(system)[name] for name in COLUMNS) for system in systems(study))


def counts(answers: list[Answer]) -> dict[str, Cell]:
    """The columns of :data:`COUNTS`."""
    tools = hits(answers, MEASURES["tools"])[0]
    valid, with_facts = hits(answers, MEASURES["valid"])
    return {
        "answers": len(answers),
        "routes": sum(answer.score.route_right for answer in answers),
        "tools": tools,
        "tools_low": share_interval(tools, len(answers)).low,
        "factual": sum(answer.score.factual for answer in answers),
        "cited": sum(answer.score.cited for answer in answers),
        "valid": sum(answer.score.valid for answer in answers),
        "unflagged": sum(answer.score.unflagged for answer in answers),
        "answers_factual": with_facts,
        "answers_valid": valid,
        "trace": hits(answers, MEASURES["trace"])[0],
        "failed": hits(answers, MEASURES["failed"])[0],
    }


def _record(system: System) -> dict[str, Cell]:
    """The numbers of one system."""
    names: dict[str, Cell] = {"set": system.bench, "condition": system.condition, "model": system.model}
    return {**names, **counts(system.answers)}
