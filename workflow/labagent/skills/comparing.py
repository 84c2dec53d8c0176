"""The numbers in a quick start's declared outputs, and whether they differ between runs."""

from __future__ import annotations

import csv
import hashlib
import math
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from labagent.models.answers import AnswerError, answer_file, find_key, read_answer_json
from labagent.models.skill import OutputSpec, QuickStart

Numbers = dict[str, float]
DELIMITERS = {".csv": ",", ".tsv": "\t"}
RELATIVE = 1e-9
BEYOND, MOST = 3.0, 0.5
OF_THE_MACHINE = re.compile(r"time|second|elapsed|duration|memory|speed|\bms\b|\bpid\b|date", re.IGNORECASE)


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


def stable_changes(equal: Sequence[Numbers], after: Numbers) -> tuple[int, int]:
    """How many of the numbers that equal runs leave equal have changed, and how many of these there are.

    Args:
        equal: of runs on the same data; the first is what the others are compared with.
        after: of the run with changed data.
    """
    stable = stable_keys(equal)
    return sum(key not in after or not _equal(equal[0][key], after[key]) for key in stable), len(stable)


def varying_changes(equal: Sequence[Numbers], after: Numbers) -> tuple[int, int]:
    """How many of the numbers that differ between equal runs have changed, and how many of these there are.

    One has where it lies outside the range of the equal runs by more than three times that range, and none
    where less than half of them do.

    Args:
        equal: of runs on the same data.
        after: of the run with changed data.
    """
    varying = [key for key in varying_keys(equal) if key in after]
    beyond = [key for key in varying if _lies_beyond([run[key] for run in equal], after[key])]
    return (len(beyond) if len(beyond) >= MOST * len(varying) else 0), len(varying)


def varying_keys(equal: Sequence[Numbers]) -> list[str]:
    """Numbers that all equal runs have and that differ between them, but for times and memory."""
    stable = set(stable_keys(equal))
    shared = (key for key in equal[0] if key not in stable and all(key in run for run in equal))
    return [key for key in shared if not OF_THE_MACHINE.search(key)]


def stable_keys(equal: Sequence[Numbers]) -> list[str]:
    """Numbers that are the same in all equal runs."""
    first, *others = equal
    return [k for k, number in first.items() if all(k in run and _equal(number, run[k]) for run in others)]


def _equal(one: float, other: float) -> bool:
    """Whether two numbers are the same but for rounding."""
    return one == other or math.isclose(one, other, rel_tol=RELATIVE, abs_tol=1e-300)


def _lies_beyond(equal: Sequence[float], new: float) -> bool:
    """Whether a number lies far outside the range of others."""
    low, high = min(equal), max(equal)
    return max(low - new, new - high) > BEYOND * (high - low)
