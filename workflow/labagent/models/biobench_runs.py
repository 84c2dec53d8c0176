"""What a run of BioBench leaves: its record, its answers line by line, and its scores."""

from __future__ import annotations

from typing import Literal

from labagent.models.asking import AnswerRecord
from labagent.models.base import FileRecord, Record
from labagent.models.biobench import BiobenchSummary, TaskScore
from labagent.models.run import Usage


class AnswerLine(Record):
    """A line of ``answers.jsonl``; ``key`` is what the answer depends on, one with another is made anew."""

    key: str
    answer: AnswerRecord


class RunPlace(Record):
    """Which run: the set, the condition, the model, the seed."""

    set: str
    condition: str
    model: str
    seed: int


class BiobenchRun(FileRecord):
    """``results/biobench/<set>/<condition>/<model>/<seed>/run.json``.

    ``status`` ``capped``: a cap ended it, ``reason`` says which; ``answered`` are the tasks that have an
    answer, of ``tasks`` asked for. ``cost_usd`` is ``None`` where a price is unknown; ``possible_usd``
    bounds what calls without a whole reply may have cost besides.
    """

    place: RunPlace
    key: str
    status: Literal["completed", "capped"]
    reason: str = ""
    tasks: tuple[str, ...]
    answered: int
    calls: int = 0
    usage: Usage = Usage()
    cost_usd: float | None = 0.0
    possible_usd: float = 0.0
    backends: tuple[str, ...] = ()


class MissingRecord(Record):
    """A task that is not counted since what it needs was not recorded; ``reason`` names the calls."""

    task: str
    reason: str


class BiobenchScores(FileRecord):
    """``scores.json`` beside the run: the metrics of each task, and over all that are counted.

    ``roots`` is the first task of the conversation a task belongs to. ``echo`` are tasks an echo of the
    question gets right. ``unanswered`` tasks have no answer (a cap); they count as failures.
    """

    place: RunPlace
    scores: tuple[TaskScore, ...]
    roots: dict[str, str]
    echo: tuple[str, ...] = ()
    echo_strict: tuple[str, ...] = ()
    missing_records: tuple[MissingRecord, ...] = ()
    unanswered: tuple[str, ...] = ()
    summary: BiobenchSummary
    cost_usd: float | None = 0.0
