"""Text as statements of terms: numbers, names and content words, each with its sense.

Nothing here guesses: a table of words (``words.yaml``), a crude stem, and what digits were printed.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import Literal

import yaml

Kind = Literal["number", "name", "word"]
REACH = 12
"""Words that a negation reaches at most, within its clause."""
LONGEST = 60
"""Tokens of a statement; a longer one is cut, so that no list of terms passes for one sentence."""

_TOKEN = re.compile(
    r"(?P<number>(?<![\w.])[-+]?(?:\d{1,3}(?:,\d{3})+|\d{1,30})(?:\.\d{1,30})?(?:e[-+]?\d{1,2})?%?(?!\w))"
    r"|(?P<word>[^\W\d_]\w{0,79}(?:[-'’]\w{1,79}){0,4})|(?P<mark>[,;:()])",
    re.IGNORECASE,
)
_POWER = re.compile(r"\s?[x×*]\s?10\^?\(?([-+]?\d{1,3})\)?")
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+|\s[|•]\s|(?<=;)\s+")
_SUFFIXES = (
    *("ations", "ation", "ments", "ment", "nesses", "ness", "ingly", "edly", "ings", "ing"),
    *("ies", "ied", "ed", "es", "ly", "s"),
)


@dataclass(frozen=True)
class Words:
    """The table of words; ``opposites`` are stems."""

    stop: frozenset[str]
    before: frozenset[str]
    after: frozenset[str]
    false_terms: frozenset[str]
    breaks: frozenset[str]
    opposites: dict[str, frozenset[str]]


@dataclass(frozen=True)
class Term:
    """Something a statement speaks of; ``key`` compares equal where it is the same thing."""

    kind: Kind
    key: str
    negated: bool = False


@dataclass(frozen=True)
class Statement:
    """A sentence, a line or a cell: its text, its terms, and how many of its words have no content."""

    text: str
    terms: tuple[Term, ...]
    words: int
    stops: int
    plain: tuple[str, ...]


@lru_cache(maxsize=1)
def words() -> Words:
    """The table of words."""
    table = yaml.safe_load(resources.files(__package__).joinpath("words.yaml").read_text("utf-8"))
    opposites: dict[str, set[str]] = {}
    for one, other in table["opposites"]:
        opposites.setdefault(stem(one), set()).add(stem(other))
        opposites.setdefault(stem(other), set()).add(stem(one))
    return Words(
        stop=frozenset(table["stop"].split()),
        before=frozenset(map(str, table["before"])),
        after=frozenset(table["after"]),
        false_terms=frozenset(table["false_terms"]),
        breaks=frozenset(table["breaks"]),
        opposites={key: frozenset(values) for key, values in opposites.items()},
    )


def stem(word: str) -> str:
    """A word without its ending: ``increases``, ``increased``, ``increasing`` → ``increas``."""
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 3 and not word.endswith("ss"):
            word = word[: -len(suffix)] + ("y" if suffix in ("ies", "ied") else "")
            break
    return word[:-1] if len(word) > 4 and word.endswith("e") else word


def statements(text: str) -> Iterator[Statement]:
    """The statements of a text, in its order."""
    clean = unicodedata.normalize("NFKC", text).replace("−", "-").replace("–", "-")
    clean = _POWER.sub(r"e\1", "".join(c if c.isprintable() or c == "\n" else " " for c in clean))
    for part in _SENTENCE.split(clean):
        found = [(str(m.lastgroup), m[0]) for m in _TOKEN.finditer(part or "")]
        for start in range(0, len(found), LONGEST):
            piece = found[start : start + LONGEST]
            if any(kind != "mark" for kind, _ in piece):
                yield _statement(part, piece)


def same_number(wanted: str, given: str) -> bool:
    """Whether a number is the wanted one, to the decimals that either was printed with.

    Two digits must be told; integers are equal or not.
    """
    one, other = _value(wanted), _value(given)
    if not (math.isfinite(one) and math.isfinite(other)):
        return wanted == given
    scale = max(abs(one), abs(other))
    if abs(one - other) <= 1e-9 * scale:
        return True
    if "." not in wanted and "e" not in wanted and not wanted.endswith("%"):
        return False
    coarse = max(_unit(wanted), _unit(given))
    return abs(one - other) <= coarse / 2 * (1 + 1e-9) and scale >= 10 * coarse


def is_name(token: str) -> bool:
    """Whether a word is an identifier: it holds a digit, an underscore or two capitals."""
    return any(c.isdigit() or c == "_" for c in token) or sum(c.isupper() for c in token) >= 2


def _statement(text: str, tokens: list[tuple[str, str]]) -> Statement:
    """Terms of one statement, with what is negated in it."""
    table = words()
    lower = [token.lower().replace("’", "'") for _, token in tokens]
    spoken = [w for (kind, _), w in zip(tokens, lower, strict=True) if kind == "word"]
    terms = []
    for (kind, token), low, negated in zip(tokens, lower, _senses(tokens, lower), strict=True):
        if kind == "mark" or _is_negator(low) or low in table.stop:
            continue
        if kind == "number":
            terms.append(Term("number", low.lstrip("+").replace(",", ""), negated))
        elif is_name(token):
            terms.append(Term("name", re.sub(r"[-_']", "", low), negated))
        elif len(low) > 1:
            terms.append(Term("word", stem(re.sub(r"[-']", "", low)), negated))
    return Statement(
        text=" ".join(text.split()),
        terms=tuple(terms),
        words=len(spoken),
        stops=sum(w in table.stop or _is_negator(w) for w in spoken),
        plain=tuple(low for (kind, _), low in zip(tokens, lower, strict=True) if kind != "mark"),
    )


def _senses(tokens: list[tuple[str, str]], lower: list[str]) -> list[bool]:
    """For each token whether it stands negated: twice negated is not."""
    table = words()
    flips = [0] * len(lower)
    for place, low in enumerate(lower):
        if _is_negator(low) and not (low == "not" and lower[place + 1 : place + 2] == ["only"]):
            for after in range(place + 1, min(place + 1 + REACH, len(lower))):
                if tokens[after][0] == "mark" or lower[after] in table.breaks:
                    break
                flips[after] += 1
        wrong = low == "false" and not table.false_terms.intersection(lower[place + 1 : place + 2])
        if low in table.after or wrong:
            for before in range(place):
                flips[before] += 1 + flips[place]
    return [count % 2 == 1 for count in flips]


def _is_negator(low: str) -> bool:
    """Whether a word negates what follows."""
    return low in words().before or low.endswith("n't")


def _value(number: str) -> float:
    """A printed number; percent as its fraction."""
    return float(number.rstrip("%")) / (100.0 if number.endswith("%") else 1.0)


def _unit(number: str) -> float:
    """One unit of the last printed digit."""
    mantissa, _, power = number.rstrip("%").partition("e")
    places = len(mantissa.partition(".")[2])
    unit = 10.0 ** (int(power or 0) - places)
    return unit / 100.0 if number.endswith("%") else unit
