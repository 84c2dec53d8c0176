"""Sequences inside a sentence, for callers that route questions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from labagent.tools.sequences.letters import ALPHABETS, AMINO_ACIDS, GAPS
from labagent.tools.sequences.words import reads_like_words

RUN = re.compile(r"[A-Za-z0-9_*.~-]+")
PIECE = re.compile(r"[A-Za-z0-9_]+|[*.~-]+")
FEWEST_BASES = 9
FEWEST_SMALL_BASES = 12
FEWEST_RESIDUES = 12
FEWEST_SMALL_RESIDUES = 20
CORE = 0.8
STOP_OR_GAP = "".join(GAPS) + "*"


@dataclass(frozen=True)
class Embedded:
    """A run of letters that can be a sequence; ``start`` counts from 0."""

    start: int
    letters: str


def find_sequences(text: str) -> list[Embedded]:
    """Words that are sequences: 9 bases or 12 amino acids at least, in capitals (small: 12 bases, 20
    residues; bases in both, as where repeats are masked: 12).

    Words of fewer letters, and runs of amino acids' letters that read like English, are left alone.
    """
    return [found for run in RUN.finditer(text) for found in _in_run(run[0], run.start())]


def _in_run(run: str, start: int) -> Iterator[Embedded]:
    """Sequences in a run of letters, gaps and stops; parts of it in capitals, with their gaps, stay
    together."""
    pieces = list(PIECE.finditer(run))
    begin = 0
    while begin < len(pieces):
        end = begin + 1
        if not _small(pieces[begin][0]):
            while end < len(pieces) and _capitals(pieces[end][0]) and _capitals(pieces[begin][0]):
                end += 1
        word = run[pieces[begin].start() : pieces[end - 1].end()]
        if end < len(pieces) and pieces[end][0].startswith("*") and end == begin + 1:
            word += pieces[end][0]
        made = _sequence(word, start + pieces[begin].start())
        if made is not None:
            yield made
        begin = end


def _capitals(piece: str) -> bool:
    """Whether a piece is all capitals, or gaps and stops."""
    return not any(c.islower() or c.isdigit() or c == "_" for c in piece)


def _small(piece: str) -> bool:
    """Whether a piece is all small letters."""
    return piece.isalpha() and piece.islower()


def _sequence(word: str, start: int) -> Embedded | None:
    """A word as a sequence, without the punctuation around it, or ``None``."""
    word = word.rstrip("".join(GAPS))
    start += len(word) - len(word.lstrip(STOP_OR_GAP))
    word = word.lstrip(STOP_OR_GAP)
    return Embedded(start, word) if is_sequence(word) else None


def is_sequence(word: str) -> bool:
    """Whether a word, gaps and stops in it allowed, is a sequence and no English word."""
    letters = "".join(c for c in word if c not in STOP_OR_GAP)
    if not letters.isascii() or not letters.isalpha():
        return False
    small, upper = letters.islower(), set(letters.upper())
    if not small and not letters.isupper():
        return upper <= set("ACGTUN") and len(letters) >= FEWEST_SMALL_BASES
    if upper <= set("ACGTUN") and len(letters) >= (FEWEST_SMALL_BASES if small else FEWEST_BASES):
        return True
    core = sum(letters.upper().count(base) for base in "ACGTUN")
    if (
        not small
        and len(letters) >= FEWEST_SMALL_BASES
        and upper <= ALPHABETS["dna"]
        and core >= CORE * len(letters)
    ):
        return True  # bases with a few IUPAC codes
    if len(letters) < (FEWEST_SMALL_RESIDUES if small else FEWEST_RESIDUES) or len(upper) <= 5:
        return False
    alphabet = AMINO_ACIDS | {"X"} if small else ALPHABETS["protein"]
    return upper <= alphabet and not reads_like_words(letters)
