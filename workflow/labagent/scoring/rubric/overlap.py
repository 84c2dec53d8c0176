"""How far an answer says what a criterion's fully correct wording says.

A passage is a few consecutive statements. A term of the wording is *found* in a passage where it stands in
the same sense, and *denied* where it stands only negated, or its opposite stands in its place. The share of
found terms (names and numbers count double) decides the level; a passage that denies a term earns nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Annotated, Literal

from pydantic import Field

from labagent.models.base import Record
from labagent.scoring.rubric.words import Statement, Term, same_number, statements, words

SHINGLE = 8
COPIED = 0.8
LEAST_WORDS = 12
LEAST_EACH = 4
EXCERPT = 160
FEW = 3
WEIGHTS = {"number": 2.0, "name": 2.0, "word": 1.0}
Share = Annotated[float, Field(ge=0, le=1)]


class Thresholds(Record):
    """What a level needs. ``anchors`` are the names and numbers of a wording.

    ``passage``: consecutive statements read together. ``prose``: least share of words without content in a
    passage of twelve words or more, or of several lines of less than four; below it is a list of terms,
    no statement.
    """

    a: Share = 0.6
    a_anchors: Share = 0.75
    b: Share = 0.35
    b_anchors: Share = 0.4
    passage: Annotated[int, Field(ge=1, le=20)] = 5
    prose: Share = 0.15


@dataclass(frozen=True)
class Wanted:
    """The terms of a wording that count.

    ``anchors``: places of names and numbers. ``required``: places of those that must all be found, where the
    task text gives nearly everything. ``decides``: whether any term is not given by the task text.
    """

    terms: tuple[Term, ...]
    weights: tuple[float, ...]
    anchors: frozenset[int]
    required: frozenset[int] = frozenset()
    decides: bool = True

    @cached_property
    def total(self) -> float:
        """Sum of all weights."""
        return sum(self.weights)

    @cached_property
    def near(self) -> frozenset[str]:
        """Keys of the terms and of their opposites."""
        opposites = words().opposites
        keys = {term.key for term in self.terms}
        return frozenset(keys.union(*(opposites.get(key, ()) for key in keys)))

    @cached_property
    def has_numbers(self) -> bool:
        """Whether a number is wanted."""
        return any(term.kind == "number" for term in self.terms)


@dataclass(frozen=True)
class Found:
    """The best passage for a wording: shares of all terms and of the anchors, and an excerpt."""

    level: Literal["A", "B", "C"]
    verdict: Literal["met", "partly", "missed", "contradicted"]
    share: float = 0.0
    anchors: float = 0.0
    excerpt: str = ""

    @property
    def rank(self) -> tuple[bool, bool, float]:
        """What makes one passage better than another."""
        return self.level == "A", self.level != "C", self.share


@dataclass
class Hits:
    """What one statement says of a wording: places of terms found, and denied."""

    found: set[int] = field(default_factory=set)
    denied: set[int] = field(default_factory=set)


def wanted_terms(wording: str, given: frozenset[tuple[str, str]]) -> Wanted:
    """The terms of a wording.

    Args:
        wording: that of the fully correct level.
        given: kind and key of what stands in the task text: repeating it shows nothing. Where fewer than
            three terms would be left, all count, and those that are left must be found.
    """
    seen: dict[tuple[str, str], Term] = {}
    for statement in statements(wording):
        for term in statement.terms:
            seen.setdefault((term.kind, term.key), term)
    telling = {term for place, term in seen.items() if place not in given}
    few = len(telling) < FEW
    terms = tuple(term for term in seen.values() if few or term in telling)
    return Wanted(
        terms,
        tuple(WEIGHTS[term.kind] for term in terms),
        anchors=frozenset(i for i, term in enumerate(terms) if term.kind != "word"),
        required=frozenset(i for i, term in enumerate(terms) if few and term in telling),
        decides=bool(telling),
    )


def compare(
    wanted: Wanted, answer: Sequence[Statement], trace: Sequence[Statement], thresholds: Thresholds
) -> Found:
    """The level an answer reaches on one wording.

    The best passage of answer and trace counts. Where a single statement of the answer denies the wording, it
    earns nothing whatever stands beside it: saying both is no answer.
    """
    said = [[_hits(wanted, s) for s in part] for part in (answer, trace)]
    best = worst = Found("C", "missed")
    for part, hits in zip((answer, trace), said, strict=True):
        for start, end, hit in _passages(hits, thresholds.passage):
            rated = _rate(wanted, hit, thresholds)
            before = worst if hit.denied else best
            if rated.rank > before.rank and _is_prose(part[start:end], thresholds.prose):
                rated = replace(rated, excerpt=" ".join(s.text for s in part[start:end])[:EXCERPT])
                best, worst = (best, rated) if hit.denied else (rated, worst)
    for statement, hit in zip(answer, said[0], strict=True):
        if hit.denied:
            whole = Hits(hit.found | hit.denied, hit.denied)
            if _rate(wanted, whole, thresholds).level != "C":
                return Found("C", "contradicted", best.share, best.anchors, statement.text[:EXCERPT])
    if best.level == "C" and worst.level != "C":
        return Found("C", "contradicted", worst.share, worst.anchors, worst.excerpt)
    return best


def copied(wording: str, text: frozenset[tuple[str, ...]], given: frozenset[tuple[str, ...]]) -> bool | None:
    """Whether a text holds a wording word for word; ``None`` for one too short to tell.

    Args:
        wording: that of a level.
        text: shingles of answer and trace.
        given: shingles of the task text, which anybody may repeat.
    """
    own = shingles(list(statements(wording))) - given
    if len(own) < 5:
        return None
    return len(own & text) >= COPIED * len(own)


def shingles(part: Sequence[Statement]) -> frozenset[tuple[str, ...]]:
    """All runs of eight consecutive words or numbers."""
    flat = [word for statement in part for word in statement.plain]
    return frozenset(tuple(flat[i : i + SHINGLE]) for i in range(len(flat) - SHINGLE + 1))


def given_terms(part: Sequence[Statement]) -> frozenset[tuple[str, str]]:
    """Kind and key of every term of a text."""
    return frozenset((term.kind, term.key) for statement in part for term in statement.terms)


def _hits(wanted: Wanted, statement: Statement) -> Hits:
    """What a statement says of each wanted term."""
    hits = Hits()
    if not any(
        term.key in wanted.near or (term.kind == "number" and wanted.has_numbers) for term in statement.terms
    ):
        return hits
    said: dict[str, set[bool]] = {}
    numbers = []
    for term in statement.terms:
        if term.kind == "number":
            numbers.append(term)
        else:
            said.setdefault(term.key, set()).add(term.negated)
    opposites = words().opposites
    for place, term in enumerate(wanted.terms):
        if term.kind == "number":
            senses = {t.negated for t in numbers if same_number(term.key, t.key)}
        else:
            senses = said.get(term.key, set())
        if term.negated in senses:
            hits.found.add(place)
        elif senses:
            hits.denied.add(place)
        elif term.kind == "word":
            other = {sense for key in opposites.get(term.key, ()) for sense in said.get(key, ())}
            if term.negated in other:
                hits.denied.add(place)
    return hits


def _passages(hits: Sequence[Hits], most: int) -> Iterator[tuple[int, int, Hits]]:
    """Runs of at most ``most`` statements that begin and end with one that says something."""
    for start, first in enumerate(hits):
        if not first.found and not first.denied:
            continue
        found: set[int] = set()
        denied: set[int] = set()
        for end in range(start, min(start + most, len(hits))):
            last = hits[end]
            if not last.found and not last.denied:
                continue
            found |= last.found
            denied |= last.denied
            yield start, end + 1, Hits(set(found), denied - found)


def _is_prose(part: Sequence[Statement], least: float) -> bool:
    """Whether statements are more than a list of terms."""
    count = sum(s.words for s in part)
    short = count < LEAST_WORDS and (len(part) == 1 or count >= LEAST_EACH * len(part))
    return short or sum(s.stops for s in part) >= least * count


def _rate(wanted: Wanted, hit: Hits, limits: Thresholds) -> Found:
    """The level of a passage."""
    share = sum(wanted.weights[i] for i in hit.found) / wanted.total if wanted.terms else 0.0
    anchors = len(hit.found & wanted.anchors) / len(wanted.anchors) if wanted.anchors else 1.0
    if not wanted.required <= hit.found:
        return Found("C", "missed", share, anchors)
    if share >= limits.a and anchors >= limits.a_anchors:
        return Found("A", "met", share, anchors)
    if share >= limits.b and anchors >= limits.b_anchors:
        return Found("B", "partly", share, anchors)
    return Found("C", "missed", share, anchors)
