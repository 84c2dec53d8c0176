"""Points of a rubric, by how far a written answer and its trace say what the fully correct wording says.

Two files are required: the answer and the trace. The quantity whose file is the answer is the share of the
rubric's points, the one whose file is the trace is 1 where a trace was written. See
``labagent.scoring.rubric.overlap`` for how a level is found; no model is asked.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

from pydantic import Field, ValidationError

from labagent.errors import InfrastructureError
from labagent.models.answers import AnswerError, answer_file, read_bytes
from labagent.models.base import Record
from labagent.models.family import Family
from labagent.models.score import CriterionScore
from labagent.models.tables import Quantity, Reference, Target
from labagent.scoring.attempt import Attempt, Measurement, Unscorable
from labagent.scoring.rubric.overlap import (
    Thresholds,
    compare,
    copied,
    given_terms,
    shingles,
    wanted_terms,
)
from labagent.scoring.rubric.sheet import Criterion, Rubric, read_rubric
from labagent.scoring.rubric.words import Statement, statements

MAX_BYTES = 512 << 10


class Settings(Record):
    """``settings`` of a family with this scorer.

    ``answer`` and ``trace`` name the two files; ``trace_words``: the least number of words of a trace;
    ``types``: the kinds of task there are, any where it is empty.
    """

    answer: str = "answer.txt"
    trace: str = "trace.md"
    trace_words: Annotated[int, Field(ge=1)] = 30
    types: tuple[str, ...] = ()
    thresholds: Thresholds = Thresholds()


def check(
    family: Family, target: Target, references: Mapping[str, Reference], labels: Path | None
) -> list[str]:
    """Faults in the settings, the contract and the rubric."""
    try:
        settings = Settings.model_validate(family.settings)
    except ValidationError as error:
        return [f"settings.{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors()]
    files = sorted(quantity.file for quantity in target.answer)
    faults = []
    if files != sorted((settings.answer, settings.trace)) or any(q.key for q in target.answer):
        faults.append(f"answer must name {settings.answer} and {settings.trace}, each without a key")
    if labels is None:
        return [*faults, f"has no rubric; expected rubrics/{target.target}.yaml beside its table"]
    try:
        rubric = read_rubric(labels)
    except InfrastructureError as error:
        return [*faults, str(error)]
    if settings.types and rubric.type not in settings.types:
        allowed = ", ".join(settings.types)
        faults.append(f'rubric: type "{rubric.type}" is not known; allowed: {allowed}')
    return faults


def measure(attempt: Attempt, quantity: Quantity) -> Measurement:
    """The share of points (answer) or 1 (trace); see ``labagent.scoring.attempt.Scorer``."""
    settings = Settings.model_validate(attempt.family.settings)
    trace = _read(attempt.output, settings.trace)
    count = sum(s.words for s in trace)
    if count < settings.trace_words:
        raise Unscorable(f"{settings.trace}: has {count} words; a trace has {settings.trace_words} at least")
    if quantity.file == settings.trace:
        return Measurement(value=1.0, basis="computed")
    if attempt.labels is None:
        raise Unscorable(f"{attempt.target.target} has no rubric")
    rubric = read_rubric(attempt.labels)
    rows = score_text(rubric, _read(attempt.output, settings.answer), trace, _task(attempt), settings)
    earned, most = (math.fsum(getattr(row, name) for row in rows) for name in ("earned", "points"))
    if most <= 0:
        raise Unscorable("the task text holds every criterion's wording", rows)
    value = min(max(earned / most, 0.0), 1.0)
    return Measurement(value=value, basis="computed", criteria=rows, group=rubric.type)


def score_text(
    rubric: Rubric,
    answer: list[Statement],
    trace: list[Statement],
    task: list[Statement],
    settings: Settings,
) -> list[CriterionScore]:
    """The points of every criterion.

    Raises:
        Unscorable: the text holds most of the rubric word for word.
    """
    _refuse_copy(rubric, answer, trace, task)
    given = given_terms(task)
    return [_row(c, answer, trace, given, settings.thresholds) for c in rubric.criteria]


def _row(
    criterion: Criterion,
    answer: list[Statement],
    trace: list[Statement],
    given: frozenset[tuple[str, str]],
    thresholds: Thresholds,
) -> CriterionScore:
    """The points of one criterion.

    A penalty is not decided: a text does not say that it invented nothing. Nor is a wording that the task
    text holds whole: it tells nobody from one who repeats the task.
    """
    fields = {"criterion": criterion.id, "title": criterion.title[:120], "points": max(criterion.most, 0.0)}
    if criterion.is_penalty:
        return CriterionScore(**fields, level="A", earned=criterion.most, verdict="undecided")
    wanted = wanted_terms(criterion.levels["A"].text, given)
    if not wanted.decides:
        said = "the task text holds every term of the wording"
        return CriterionScore(
            **{**fields, "points": 0.0}, level="", earned=0.0, verdict="undecided", evidence=said
        )
    found = compare(wanted, answer, trace, thresholds)
    shares = f"{found.share:.0%} of terms, {found.anchors:.0%} of names and numbers"
    return CriterionScore(
        **fields,
        level=found.level,
        earned=criterion.lower(found.level).points,
        verdict=found.verdict,
        evidence=f"{shares}: {found.excerpt}" if found.excerpt else shares,
    )


def _refuse_copy(
    rubric: Rubric, answer: list[Statement], trace: list[Statement], task: list[Statement]
) -> None:
    """Refuse a text that holds the rubric: nobody writes several of its wordings by chance."""
    given, text = shingles(task), shingles(answer) | shingles(trace)
    wordings = {(c.id, name): level.text for c in rubric.criteria for name, level in c.levels.items()}
    told = {place: copied(wording, text, given) for place, wording in wordings.items()}
    long = {place[0] for place, known in told.items() if known is not None}
    held = sorted({place[0] for place, known in told.items() if known})
    if len(held) >= 2 and 2 * len(held) >= len(long):
        raise Unscorable(f"holds the rubric's own wording of {', '.join(held)}: copied text is not scored")


def _read(folder: Path, name: str) -> list[Statement]:
    """The statements of an answer file."""
    try:
        content = read_bytes(answer_file(folder, name), MAX_BYTES)
    except OSError as error:
        raise AnswerError(f"{name}: cannot be read ({error.strerror})") from error
    if len(content) > MAX_BYTES:
        raise Unscorable(f"{name}: is larger than {MAX_BYTES >> 10} KiB; a written answer is short")
    try:
        return list(statements(content.decode("utf-8-sig")))
    except UnicodeDecodeError as error:
        raise Unscorable(f"{name}: is not UTF-8 text (byte {error.start})") from error


def _task(attempt: Attempt) -> list[Statement]:
    """The statements of the task text, which is the user's own."""
    try:
        return list(statements(Path(attempt.target.task).read_text(encoding="utf-8-sig")))
    except (OSError, UnicodeDecodeError):
        return []
