"""Where a run's answers lie, and reading them."""

from __future__ import annotations

from pathlib import Path

from labagent.files import read_jsonl
from labagent.models.asking import AnswerRecord
from labagent.models.biobench_runs import AnswerLine

ANSWERS, RUN, TASKS = "answers.jsonl", "run.json", "tasks"


def read_answers(folder: Path) -> dict[str, AnswerRecord]:
    """The answers of a run by task; what a killed writer left of a line is passed over."""
    path = folder / ANSWERS
    values = read_jsonl(path, torn_tail=True) if path.is_file() else ()
    lines = (AnswerLine.model_validate(value) for value in values)
    return {line.answer.id: line.answer for line in lines}


def task_folder(folder: Path, task: str) -> Path:
    """Where an answer's trace lies."""
    return folder / TASKS / task
