"""Statements of scouts held against the passages they were shown; what is not said there is dropped."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from labagent.models.exploration import Dropped, Found
from labagent.models.skill import Evidence, Source

NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?:[eE]-?\d+)?(?![\w]|\.\d)")
TELLING = re.compile(r"\w{3,}|\d")
CITED = re.compile(r"\[?(?:E\d+(?:, *)?)+\]")


class Passage(Protocol):
    """A hit of the index: an address, and the text that stands there."""

    @property
    def source(self) -> Source:
        """Where it stands."""
        ...

    @property
    def text(self) -> str:
        """What stands there."""
        ...


@dataclass(frozen=True)
class Claim:
    """A scout's statement before it is looked up."""

    statement: str
    hit: str
    terms: tuple[str, ...]


def why_not(claim: Claim, shown: Mapping[str, Passage]) -> str:
    """Why a claim does not hold; empty where it does.

    It must name a passage that was shown, each term must occur there, at least one of them in the statement,
    and so must every figure of the statement.
    """
    passage = shown.get(claim.hit)
    if passage is None:
        return f'"{claim.hit}" is no passage that was shown'
    text = " ".join(passage.text.split())
    for term in claim.terms:
        if not TELLING.search(term) or " ".join(term.split()) not in text:
            return f'"{term}" does not occur in {claim.hit}'
    stated = " ".join(claim.statement.split()).casefold()
    if not any(" ".join(term.split()).casefold() in stated for term in claim.terms):
        return "none of its terms occurs in the statement"
    figures = set(NUMBER.findall(text))
    strange = [figure for figure in NUMBER.findall(claim.statement) if figure not in figures]
    return f'the figure "{strange[0]}" does not occur in {claim.hit}' if strange else ""


def narrowed(passage: Passage, terms: Iterable[str]) -> Source:
    """The address of the fewest lines of a passage, in one piece, that hold all terms."""
    source = passage.source
    if source.lines is None:
        return source
    lines, wanted = passage.text.split("\n"), [" ".join(term.split()) for term in terms]
    best = (0, len(lines) - 1)
    for first in range(len(lines)):
        for last in range(first, min(len(lines), first + best[1] - best[0])):
            text = " ".join(" ".join(lines[first : last + 1]).split())
            if all(term in text for term in wanted):
                best = (first, last)
                break
    start = source.lines[0]
    return source.model_copy(update={"lines": (start + best[0], start + best[1])})


@dataclass
class Book:
    """All evidence of an exploration, each place and wording once, numbered in the order of taking in."""

    found: list[Found] = field(default_factory=list)
    dropped: list[Dropped] = field(default_factory=list)
    _known: set[str] = field(default_factory=set)

    def take(self, claims: Iterable[tuple[Claim, Passage]], perspective: str, round_: int) -> int:
        """Take in claims that hold; returns how many were new."""
        before = len(self.found)
        for claim, passage in claims:
            source = narrowed(passage, claim.terms)
            key = source.model_dump_json()
            if key in self._known:
                continue
            self._known.add(key)
            self.found.append(
                Found(
                    id=f"E{len(self.found) + 1}",
                    statement=CITED.sub("", claim.statement).strip() or claim.terms[0],
                    source=source,
                    terms=claim.terms,
                    perspective=perspective,
                    round=round_,
                )
            )
        return len(self.found) - before

    def evidence(self, cited: set[str]) -> list[Evidence]:
        """The pieces that a draft cites, as a skill's evidence."""
        return [
            Evidence(id=item.id, statement=item.statement, source=item.source, terms=item.terms)
            for item in self.found
            if item.id in cited
        ]


def place(source: Source) -> str:
    """An address as one word."""
    text = f"{source.kind}:{source.path}"
    for mark, value in (("p", source.page), ("cell", source.cell), ("issue", source.issue)):
        text += f"#{mark}{value}" if value is not None else ""
    text += f".{source.comment}" if source.comment else ""
    return text + (f"@{source.lines[0]}-{source.lines[1]}" if source.lines else "")
