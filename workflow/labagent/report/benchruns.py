"""Scored runs of BioBench, as the report's tables read them: systems, what counts, parts of the tasks.

A system is a condition with a model; its runs are its seeds. A task whose recorded results are missing in a
run is no answer of it, neither right nor wrong.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from labagent.models.biobench import TaskScore
from labagent.models.biobench_runs import BiobenchScores
from labagent.report.statistics import majority
from labagent.report.study import Study, read_record

Measure = Callable[[TaskScore], bool | None]
ALL = "all"


def _cited(score: TaskScore) -> bool | None:
    """Whether every factual sentence cites; nothing where there is none."""
    return score.cited == score.factual if score.factual else None


def _valid(score: TaskScore) -> bool | None:
    """Whether every factual sentence cites validly; nothing where there is none."""
    return score.valid == score.factual if score.factual else None


MEASURES: Mapping[str, Measure] = {
    "accurate": lambda score: score.accurate,
    "strict": lambda score: score.strict,
    "tools": lambda score: score.tools_right,
    "cited": _cited,
    "valid": _valid,
    "trace": lambda score: score.trace_complete,
    "failed": lambda score: score.failed,
}
"""What is measured of one answer; ``None`` where it does not apply."""


@dataclass(frozen=True)
class Answer:
    """One answer that counts."""

    seed: int
    root: str
    score: TaskScore


@dataclass(frozen=True)
class System:
    """A condition with a model on a task set; ``runs`` by seed."""

    bench: str
    condition: str
    model: str
    runs: tuple[BiobenchScores, ...]

    @property
    def answers(self) -> list[Answer]:
        """Its answers that count, by seed, in the order of tasks."""
        found = []
        for run in self.runs:
            apart = {m.task for m in run.missing_records}
            found += [
                Answer(run.place.seed, run.roots.get(score.task, score.task), score)
                for score in run.scores
                if score.task not in apart
            ]
        return found

    @property
    def missing(self) -> dict[str, str]:
        """Tasks that no run counts, and tasks that some runs do not, each with a reason."""
        return {m.task: m.reason for run in self.runs for m in run.missing_records}


def systems(study: Study) -> list[System]:
    """All systems that were scored, by set, condition, model."""
    found: dict[tuple[str, str, str], list[BiobenchScores]] = defaultdict(list)
    for path in sorted((study.results / "biobench").glob("*/*/*/*/scores.json")):
        if scores := read_record(BiobenchScores, path):
            place = scores.place
            found[place.set, place.condition, place.model].append(scores)
    return [
        System(*names, tuple(sorted(runs, key=lambda run: run.place.seed)))
        for names, runs in sorted(found.items())
    ]


def pairs(found: Sequence[System]) -> Iterator[tuple[System, System]]:
    """Systems of one set that differ in the condition or in the model alone."""
    return (
        (a, b)
        for a, b in combinations(found, 2)
        if a.bench == b.bench and (a.condition == b.condition) != (a.model == b.model)
    )


def by_task(answers: Sequence[Answer], measure: Measure) -> dict[str, list[bool]]:
    """Outcomes over seeds by task, in the order of tasks."""
    found: dict[str, list[bool]] = defaultdict(list)
    for answer in answers:
        if (value := measure(answer.score)) is not None:
            found[answer.score.task].append(value)
    return found


def by_seed(answers: Sequence[Answer], measure: Measure) -> dict[int, list[bool]]:
    """Outcomes over tasks by seed."""
    found: dict[int, list[bool]] = defaultdict(list)
    for answer in answers:
        if (value := measure(answer.score)) is not None:
            found[answer.seed].append(value)
    return found


def most(outcomes: Mapping[str, Sequence[bool]]) -> dict[str, bool]:
    """The majority over seeds by task."""
    return {task: majority(values) for task, values in outcomes.items()}


def parts_of(answers: Sequence[Answer]) -> Iterator[tuple[str, str, list[Answer]]]:
    """(kind, part, answers) for every split and every category."""
    for kind in ("split", "category"):
        values = sorted({getattr(answer.score, kind) for answer in answers})
        for value in values:
            yield kind, value, [a for a in answers if getattr(a.score, kind) == value]


def hits(answers: Sequence[Answer], measure: Measure) -> tuple[int, int]:
    """How many answers hold, of how many that the measure applies to."""
    values = [v for a in answers if (v := measure(a.score)) is not None]
    return sum(values), len(values)
