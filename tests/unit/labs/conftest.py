"""What the tests of the bundled labs share: the tables, and the search for a value in text."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from labagent.inputs.load import Inputs, load_inputs

ROOT = Path(__file__).parents[3]
NUMBER = re.compile(r"(?<![\d.])(?P<digits>\d+(?:\.\d+)?|\.\d+)(?:[eE](?P<power>[-+]?\d{1,2}))?(?!\d|\.\d)")
LEAST = 3  # significant digits below which a number says nothing (a count of 7, an alpha of 0.05)

Search = Callable[[str, float, int], list[str]]


@pytest.fixture(scope="session")
def inputs() -> Inputs:
    return load_inputs(ROOT)


@pytest.fixture(scope="session")
def find_value() -> Search:
    return find


def find(text: str, value: float, published: int) -> list[str]:
    """Numbers of ``text`` that are ``value``: exact, rounded or cut to three digits or more, or more precise.

    ``published``: significant digits of the value as published.
    """
    if published < LEAST or value == 0:
        return []
    return [shown for shown, number, digits in numbers(text) if _same(number, digits, abs(value), published)]


def numbers(text: str) -> Iterator[tuple[str, float, int]]:
    """Each number of a text: as written, its size, and its significant digits."""
    for match in NUMBER.finditer(text):
        digits = match["digits"].replace(".", "").lstrip("0")
        if len(digits) >= LEAST:
            yield match[0], float(match["digits"] + "e" + (match["power"] or "0")), len(digits)


def significant(written: str) -> int:
    """Significant digits of a number as written in a table."""
    return len(written.lower().partition("e")[0].lstrip("-").replace(".", "").lstrip("0"))


def _same(number: float, digits: int, value: float, published: int) -> bool:
    """Whether two numbers agree to the digits both have."""
    shared = min(digits, published)
    forms = {_rounded(value, shared), _cut(value, shared)}
    return bool({_rounded(number, shared), _cut(number, shared)} & forms)


def _rounded(number: float, digits: int) -> float:
    """A number to so many significant digits."""
    return float(f"{number:.{digits - 1}e}")


def _cut(number: float, digits: int) -> float:
    """A number cut, not rounded, to so many significant digits."""
    if number == 0:
        return 0.0
    power = digits - 1 - math.floor(math.log10(number))
    return _rounded(math.floor(number * 10.0**power + 1e-9) / 10.0**power, digits)
