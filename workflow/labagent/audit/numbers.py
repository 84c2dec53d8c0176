"""Numbers of a text that are a published value: as published, rounded, cut, with more digits, in per cent."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass

from labagent.models.tables import Reference

LEAST = 3
"""Significant digits below which a number says nothing: a count of 7, an alpha of 0.05."""

_NUMBER = re.compile(
    r"(?<![\d.])(?P<digits>\d[\d_]*(?:\.\d+)?|\.\d+)(?:[eE](?P<power>[-+]?\d{1,2}))?(?!\d|\.\d)"
    r"(?P<percent>\s{0,2}(?:%|percent|/\s{0,2}100(?!\d)|\*\s{0,2}0?\.01(?!\d)|\*\s{0,2}1e-0?2))?"
)
# What stands before a version or inside a name: numpy==1.26, gene1566.
_VERSION = re.compile(r"[A-Za-z][\w.\]-]*(?:[=<>~!]=|@|-v?)$")


@dataclass(frozen=True)
class Number:
    """A number of a text: its size without a sign, its significant digits, and where it stands."""

    size: float
    digits: int
    start: int
    end: int


@dataclass(frozen=True)
class Value:
    """A published value that can be told from others by its digits."""

    name: str
    size: float
    digits: int

    def is_at(self, number: Number, least: int = LEAST) -> bool:
        """Whether a number is this value, to the digits both have, of which ``least`` are asked for."""
        if abs(number.size - self.size) > self.size / 10:
            return False
        if number.size == self.size:
            return True
        shared = min(number.digits, self.digits)
        if shared < min(least, self.digits):
            return False
        forms = {_rounded(self.size, shared), _cut(self.size, shared)}
        return bool({_rounded(number.size, shared), _cut(number.size, shared)} & forms)


def value_of(reference: Reference) -> Value | None:
    """A reference as a value to look for; ``None`` where it is too short to say anything (0, 1, 0.5, 15)."""
    size = abs(reference.value)
    digits = significant(f"{size:.{reference.decimals}f}" if reference.decimals is not None else repr(size))
    return Value(reference.quantity, size, digits) if digits >= LEAST else None


def numbers(text: str, least: int = LEAST) -> Iterator[Number]:
    """Numbers of a text with at least so many significant digits, signs and versions left out."""
    for match in _NUMBER.finditer(text):
        written = match["digits"].replace("_", "")
        digits = significant(written)
        start = match.start()
        whole = "." not in written
        if digits < least or (whole and text[start - 1 : start].isalpha()):
            continue
        if _VERSION.search(text[max(0, start - 60) : start]):
            continue
        size = float(f"{written}e{match['power'] or 0}")
        yield Number(size, digits, start, match.end())
        if match["percent"]:
            yield Number(size / 100, digits, start, match.end())


def significant(written: str) -> int:
    """Significant digits of a number as written; the zeros that end a whole number are none."""
    digits = written.replace(".", "").lstrip("0")
    return len(digits if "." in written else digits.rstrip("0"))


def _rounded(number: float, digits: int) -> float:
    """A number to so many significant digits."""
    return float(f"{number:.{digits - 1}e}")


def _cut(number: float, digits: int) -> float:
    """A number cut, not rounded, to so many significant digits."""
    if number == 0 or not math.isfinite(number):
        return 0.0
    power = digits - 1 - math.floor(math.log10(number))
    return _rounded(math.floor(number * 10.0**power + 1e-9) / 10.0**power, digits)
