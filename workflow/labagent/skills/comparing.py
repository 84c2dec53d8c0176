"""The numbers in a quick start's declared outputs, and whether they differ between runs."""

from __future__ import annotations

import csv
import hashlib
import math
from pathlib import Path
from typing import Any

from labagent.models.answers import AnswerError, answer_file, find_key, read_answer_json
from labagent.models.skill import OutputSpec, QuickStart

Numbers = dict[str, float]
DELIMITERS = {".csv": ",", ".tsv": "\t"}
RELATIVE = 1e-9
BEYOND, MOST = 3.0, 0.5


def output_numbers(folder: Path, start: QuickStart) -> Numbers:
    """All numbers of the declared outputs, by file and place; a file without any gives its hash."""
    found: Numbers = {}
    for spec in start.outputs:
        try:
            found |= _of_file(folder, spec)
        except AnswerError:
            continue
    return found


def _of_file(folder: Path, spec: OutputSpec) -> Numbers:
    """The numbers of one output: of its keys or columns where it declares some."""
    path = answer_file(folder, spec.file)
    if path.suffix in DELIMITERS:
        return _of_table(path, spec)
    if path.suffix == ".json" or spec.keys:
        value = read_answer_json(path, spec.file)
        parts = {key: find_key(value, key, spec.file) for key in spec.keys} or {"": value}
        return {f"{spec.file}:{k}": n for name, part in parts.items() for k, n in _flat(part, name)}
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    return {spec.file: float(int(digest[:12], 16))}


def _flat(value: Any, name: str) -> list[tuple[str, float]]:
    """The numbers of a JSON value with their paths."""
    if isinstance(value, dict):
        return [pair for key, item in value.items() for pair in _flat(item, f"{name}.{key}")]
    if isinstance(value, list):
        return [pair for at, item in enumerate(value) for pair in _flat(item, f"{name}.{at}")]
    if isinstance(value, int | float) and not isinstance(value, bool):
        return [(name, float(value))]
    return []


def _of_table(path: Path, spec: OutputSpec) -> Numbers:
    """The numeric cells of a table, by column and row."""
    with path.open(encoding="utf-8-sig", newline="", errors="replace") as stream:
        rows = list(csv.DictReader(stream, delimiter=DELIMITERS[path.suffix]))
    found: Numbers = {}
    for at, row in enumerate(rows):
        for column in spec.columns or tuple(k for k in row if k is not None):
            try:
                found[f"{spec.file}:{column}.{at}"] = float(row.get(column) or "")
            except (TypeError, ValueError):
                continue
    return found


def changed_keys(before: Numbers, again: Numbers, after: Numbers) -> tuple[int, int]:
    """How many numbers changed, of how many that equal runs leave equal.

    A method that draws random numbers without a seed leaves none equal. Then a number counts when it lies
    outside the two equal runs by more than three times their distance, and only where at least half do.

    Args:
        before: of the first run.
        again: of an equal run.
        after: of the run with changed data.

    Returns:
        The count, and the number of those that were compared.
    """
    stable = [key for key, number in before.items() if key in again and _equal(number, again[key])]
    if stable:
        return sum(key not in after or not _equal(before[key], after[key]) for key in stable), len(stable)
    shared = [key for key in before if key in again and key in after]
    beyond = [
        k for k in shared if _distance(before[k], again[k], after[k]) > BEYOND * abs(before[k] - again[k])
    ]
    return (len(beyond) if shared and len(beyond) >= MOST * len(shared) else 0), len(shared)


def _equal(one: float, other: float) -> bool:
    """Whether two numbers are the same but for rounding."""
    return one == other or math.isclose(one, other, rel_tol=RELATIVE, abs_tol=1e-300)


def _distance(one: float, other: float, new: float) -> float:
    """How far a number lies outside two others."""
    return max(min(one, other) - new, new - max(one, other), 0.0)
