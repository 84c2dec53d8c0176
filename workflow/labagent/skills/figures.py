"""Figures in text: found, and held against each other with the ways one number can be written."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

MINUS = "-−⁻"
DIGITS = r"(?:\d{1,3}(?:[,\u202f\u00a0 ]\d{3})+(?!\d)|\d+(?:_\d{3})*)"
POWER = rf"10(?:(?:\^|\*\*)\{{?[{MINUS}]?\d+\}}?|[⁺⁻]?[⁰¹²³⁴-⁹]+)"
PLAIN = rf"(?:{DIGITS}(?:\.\d+)?|\.\d+)"
ONES = "zero one two three four five six seven eight nine ten eleven twelve".split()
TENS = {"fifteen": 15, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "eighty": 80}
SMALL = {**{word: number for number, word in enumerate(ONES)}, **TENS}
LARGE = {"hundred": 100, "thousand": 1000, "million": 1_000_000}
WORD = rf"\b(?:(?:(?:{'|'.join(SMALL)})[ -])?(?:{'|'.join(LARGE)})|{'|'.join(SMALL)})\b"
FIGURE = re.compile(
    rf"(?<![\w.])(?P<mantissa>{PLAIN}(?=\s?[×x*]\s?10[\^*⁺⁻⁰¹²³⁴-⁹])|)(?:\s?[×x*]\s?)?(?P<power>{POWER})"
    rf"|(?<![\w.])(?P<plain>(?>{PLAIN}(?:[eE][+{MINUS}]?\d+)?))(?!\.\d)"
    rf"|(?P<word>{WORD})",
    re.IGNORECASE,
)
RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
NEAR = 1e-9


@dataclass(frozen=True)
class Figure:
    """A number in a text: its size without sign, digits that count, decimals, and where it stands."""

    value: float
    digits: int
    decimals: int
    percent: bool
    start: int
    end: int


def figures(text: str) -> Iterator[Figure]:
    """All figures of a text: 10,000, 1e-7, 1E-07, .05, 5 %, 5 × 10⁻⁸, 10^-3, and words up to a million."""
    for match in FIGURE.finditer(text):
        value, written = _read(match)
        mantissa = re.split(r"[eE]", written)[0]
        digits = re.sub(r"\D", "", mantissa).lstrip("0")
        decimals = len(mantissa.partition(".")[2])
        percent = re.match(r"\s?(?:%|per ?cent)", text[match.end() :]) is not None
        yield Figure(value, len(digits), decimals, percent, match.start(), match.end())


def says(text: str, figure: Figure) -> bool:
    """Whether a text holds a figure, as written, as a share of hundred, or with more digits."""
    return any(same(figure, found) for found in figures(text))


def same(stated: Figure, found: Figure) -> bool:
    """Whether a stated figure is the one found, or that one rounded to two or more digits with decimals."""
    wanted = {stated.value}
    if stated.percent != found.percent:
        wanted = {stated.value / 100 if stated.percent else stated.value * 100}
    if any(_near(value, found.value) for value in wanted):
        return True
    rounds = stated.decimals > 0 and stated.digits > 1 and stated.percent == found.percent
    return rounds and _near(float(f"{found.value:.{stated.digits - 1}e}"), stated.value)


def _near(one: float, other: float) -> bool:
    """Whether two numbers are one but for how floats are stored."""
    return abs(one - other) <= NEAR * max(abs(one), abs(other))


def _read(match: re.Match[str]) -> tuple[float, str]:
    """The size of a match, and its digits as written."""
    if match["word"]:
        parts = re.split(r"[ -]", match["word"].casefold())
        value = 1
        for part in parts:
            value *= SMALL[part] if part in SMALL else LARGE[part]
        return float(value), str(value)
    if match["power"]:
        raised = match["power"].translate(RAISED)[2:].replace("−", "-").strip("^*{}")
        mantissa = re.sub(r"[,_\s]", "", match["mantissa"] or "1")
        return float(f"{mantissa}e{raised}"), mantissa
    plain = re.sub(r"[,_\s]", "", match["plain"]).replace("−", "-").replace("⁻", "-")
    return float(plain), plain
