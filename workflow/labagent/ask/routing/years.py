"""Years of publication in a question, as ranges. Nothing here reads the clock: "last five years" is kept as
it is."""

from __future__ import annotations

import re
from dataclasses import dataclass

FIRST, EVER = 1800, 3000
"""PubMed's oldest records are of the 18th century; 3000 stands for "no end" in its ranges."""
YEAR = r"(?:1[89]\d\d|20\d\d)"
TO = r"\s*(?:-|–|—|~|to|through|until|till|and|到|至|和|－)\s*"
ROWS: tuple[tuple[str, str], ...] = (
    (
        "range",
        rf"(?:between|from|in|during|within|over|从|自|"
        rf"在)?\s*\(?(?<!\d)(?P<a>{YEAR})\s*年?{TO}(?P<b>{YEAR})(?!\d)\s*(?:年(?:之间|间|期间)?|之间)?\)?",
    ),
    (
        "since",
        rf"(?:since|starting(?: in| from)?|as of|自从?|从)\s*(?P<a>{YEAR})(?!\d)\s*年?\s*(?:onwards?|on\b|"
        rf"以来|起|"
        rf"开始|以后|之后|至今|到现在)?(?!的)",
    ),
    (
        "since",
        rf"from\s*(?P<a>{YEAR})(?!\d)\s*(?:onwards?|on\b|forwards?|and (?:later|after)|"
        rf"(?:up )?(?:to|until|till|through) (?:now|today|date|(?:the )?present))",
    ),
    (
        "since",
        rf"(?<!\d)(?P<a>{YEAR})\s*(?:年\s*)?(?:以来|起|开始|至今|to present|to date|to now|onwards?|or later|"
        rf"and later)",
    ),
    ("after", rf"(?:after|later than|newer than|post-?)\s*(?P<a>{YEAR})(?!\d)"),
    ("after", rf"(?<!\d)(?P<a>{YEAR})\s*年?\s*(?:之后|以后|后)"),
    ("before", rf"(?:before|prior to|earlier than|older than|pre-)\s*(?P<a>{YEAR})(?!\d)"),
    ("before", rf"(?<!\d)(?P<a>{YEAR})\s*年?\s*(?:之前|以前|前)"),
    ("until", rf"(?:until|till|up to|through|by the end of|截至|到)\s*(?P<a>{YEAR})(?!\d)\s*年?"),
    ("decade", r"(?:in |during |of )?(?:the )?(?P<a>(?:19|20)\d0)s\b"),
    (
        "only",
        rf"(?:published in|in|from|of|during|year|dated)?\s*\(?(?<![\w.])(?P<a>{YEAR})(?![\w-]|"
        rf"\.\d)\s*年?\)?",
    ),
    ("only", rf"(?<!\d)(?P<a>{YEAR})\s*年"),
)
PATTERNS = tuple((kind, re.compile(rf"(?<![A-Za-z]){body}", re.IGNORECASE)) for kind, body in ROWS)
LAST = re.compile(
    r"(?:in |from |of |over |within )?(?:the )?(?:last|past|recent) (?P<n>\d{1,2}|two|three|five|ten) years?|"
    r"(?:近|最近|过去)(?P<zh>\d{1,2}|[两三五十])年",
    re.IGNORECASE,
)
NUMBERS = {"two": 2, "three": 3, "five": 5, "ten": 10, "两": 2, "三": 3, "五": 5, "十": 10}


@dataclass(frozen=True)
class Years:
    """Years of publication, both included; ``span`` is where they stand."""

    first: int
    last: int
    span: tuple[int, int]


def find_years(text: str) -> list[Years]:
    """Ranges of years of a text, each place read once, the most telling form first."""
    taken: list[tuple[int, int]] = []
    found = []
    for kind, pattern in PATTERNS:
        for match in pattern.finditer(text):
            if any(a < match.end() and match.start() < b for a, b in taken):
                continue
            taken.append(match.span())
            first, last = _bounds(kind, int(match["a"]), match)
            if first <= last:
                found.append(Years(first, last, match.span()))
    return _met(sorted(found, key=lambda y: y.span))


def _met(found: list[Years]) -> list[Years]:
    """Two open ranges that bound each other (after 2010 but before 2015) are one."""
    if len(found) == 2:
        first, last = max(y.first for y in found), min(y.last for y in found)
        if {found[0].first == FIRST, found[1].first == FIRST} == {True, False} and first <= last < EVER:
            return [Years(first, last, (found[0].span[0], found[1].span[1]))]
    return found


def _bounds(kind: str, year: int, match: re.Match[str]) -> tuple[int, int]:
    """First and last year."""
    if kind == "range":
        other = int(match["b"])
        return min(year, other), max(year, other)
    bounds = {
        "since": (year, EVER),
        "after": (year + 1, EVER),
        "before": (FIRST, year - 1),
        "until": (FIRST, year),
        "decade": (year, year + 9),
    }
    return bounds.get(kind, (year, year))


def last_years(text: str) -> tuple[int, tuple[int, int]] | None:
    """How many years back a text asks for, and where it says so."""
    match = LAST.search(text)
    if match is None:
        return None
    word = match["n"] or match["zh"]
    return (int(word) if word.isdigit() else NUMBERS[word.lower()]), match.span()


def as_query(years: Years) -> str:
    """A range in PubMed's syntax."""
    return f"{years.first}:{years.last}[dp]"
