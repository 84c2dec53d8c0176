"""A search for published values of all targets, made where the references may be read."""

from __future__ import annotations

from bisect import bisect_right
from pathlib import Path

from labagent.audit.numbers import Value, numbers, value_of
from labagent.inputs import load_inputs
from labagent.inputs.selection import awake_references
from labagent.skills.finding import Leak, Scan


def published_values(root: Path) -> Scan:
    """A function that finds published values in a text: each target's quantity once, at its first line.

    Targets of families that run only where they are named count where they are.
    Values of fewer than three significant digits say nothing and are not looked for.

    Args:
        root: the project's folder.

    Raises:
        InputError: the project's tables have faults.
    """
    references = awake_references(load_inputs(root))
    wanted = [
        (target, value)
        for target, quantities in references.items()
        for reference in quantities.values()
        if (value := value_of(reference)) is not None
    ]
    return lambda text: _leaks(text, wanted)


def _leaks(text: str, wanted: list[tuple[str, Value]]) -> list[Leak]:
    """Where values stand."""
    starts = [0, *(at + 1 for at, character in enumerate(text) if character == "\n")]
    found: dict[tuple[str, str], int] = {}
    for number in numbers(text):
        for target, value in wanted:
            if value.is_at(number):
                found.setdefault((target, value.name), bisect_right(starts, number.start))
    return [Leak(target, quantity, line) for (target, quantity), line in found.items()]
