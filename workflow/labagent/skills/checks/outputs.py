"""The outputs that the quick start declares are there, can be read, and hold finite numbers."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from labagent.models.answers import AnswerError, answer_file, find_key, read_answer_json
from labagent.models.skill import OutputSpec
from labagent.skills.finding import Context, Finding, Skipped
from labagent.skills.read import QUICKSTART

ID, TIER, ORDER = "outputs", 3, 30
DELIMITERS = {".csv": ",", ".tsv": "\t"}


def check(context: Context) -> Iterator[Finding]:
    """Each declared output; values themselves are never reported."""
    if context.output is None or context.skill.quickstart is None:
        raise Skipped("the quick start did not run")
    text = (context.folder / QUICKSTART).read_text(encoding="utf-8-sig").split("\n")
    for spec in context.skill.quickstart.outputs:
        line = next((n for n, row in enumerate(text, 1) if spec.file in row), None)
        for message in faults(context.output, spec):
            yield Finding(message, QUICKSTART, line)


def faults(folder: Path, spec: OutputSpec) -> Iterator[str]:
    """What is wrong with one output file."""
    try:
        path = answer_file(folder, spec.file)
        if path.suffix in DELIMITERS:
            yield from _table_faults(path, spec)
        elif path.suffix == ".json" or spec.keys:
            value = read_answer_json(path, spec.file)
            for key in spec.keys:
                yield from _number_faults(find_key(value, key, spec.file), f'{spec.file}: "{key}"')
    except AnswerError as error:
        yield error.reason.split("; its keys")[0]


def _number_faults(value: Any, place: str) -> Iterator[str]:
    """Numbers below a value: at least one, all finite."""
    numbers = list(_numbers(value))
    if not numbers:
        yield f"{place} holds no number"
    if any(not math.isfinite(number) for number in numbers):
        yield f"{place} holds a number that is not finite"


def _numbers(value: Any) -> Iterator[float]:
    """All numbers in a JSON value."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            yield from _numbers(item)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield float(value)


def _table_faults(path: Path, spec: OutputSpec) -> Iterator[str]:
    """A table: its columns, at least one row, no infinite number in the columns declared."""
    with path.open(encoding="utf-8-sig", newline="") as stream:
        rows = list(csv.DictReader(stream, delimiter=DELIMITERS[path.suffix]))
    if not rows:
        yield f"{spec.file} has no rows"
        return
    for column in spec.columns:
        if column not in rows[0]:
            yield f'{spec.file} has no column "{column}"; it has: {", ".join(map(str, rows[0]))}'
        elif any(_infinite(row[column]) for row in rows):
            yield f'{spec.file}: column "{column}" holds a number that is not finite'


def _infinite(cell: str | None) -> bool:
    """Whether a cell is an infinite number; text and missing values are not."""
    try:
        return math.isinf(float(cell or "0"))
    except ValueError:
        return False
