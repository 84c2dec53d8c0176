"""Sequences inside a sentence, for callers that route questions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from labagent.tools.sequences.letters import ALPHABETS, GAPS

WORD = re.compile(r"(?<![A-Za-z0-9_])[A-Z*.~-]*[A-Z][A-Z*.~-]*(?![A-Za-z0-9_])")
LOWER = re.compile(r"(?<![A-Za-z0-9_])[acgtun]{12,}(?![A-Za-z0-9_])")
FEWEST_BASES = 9
FEWEST_RESIDUES = 12
STOP_OR_GAP = "".join(GAPS) + "*"


@dataclass(frozen=True)
class Embedded:
    """A run of letters that can be a sequence; ``start`` counts from 0."""

    start: int
    letters: str


def find_sequences(text: str) -> list[Embedded]:
    """Words that are sequences: 9 bases or 12 amino acids at least, in capitals (12 bases: also small).

    Words of fewer letters, and words of small letters that are amino acids only by chance, are left alone.
    """
    found = [*_upper(text), *(Embedded(m.start(), m[0]) for m in LOWER.finditer(text))]
    return sorted(found, key=lambda f: f.start)


def _upper(text: str) -> Iterator[Embedded]:
    """Runs of capitals, without the punctuation around them."""
    for match in WORD.finditer(text):
        word = match[0].rstrip(".-~")
        start = match.start() + len(word) - len(word.lstrip(STOP_OR_GAP))
        word = word.lstrip(STOP_OR_GAP)
        letters = set(word) - set(STOP_OR_GAP)
        count = sum(c.isalpha() for c in word)
        bases = letters <= set("ACGTUN") and count >= FEWEST_BASES
        if bases or (letters <= ALPHABETS["protein"] and count >= FEWEST_RESIDUES and len(letters) > 5):
            yield Embedded(start, word)
