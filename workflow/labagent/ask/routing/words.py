"""The words of a question: what is left of it without its sequences, of bounded length, each place known."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass

Span = tuple[int, int]
LONGEST = 4_000
"""Characters of words that are read: a question is shorter; what is pasted behind it is not needed to route
it."""
GAP = "  "
SURROGATES = re.compile("[\ud800-\udfff]")
SPACE = re.compile(r"\s{4,}")
CHINESE = re.compile("[\u3400-\u9fff]")
FULL = str.maketrans("？！（）【】“”‘’＝", "?!()[]\"\"''=")
"""Punctuation that means the same; one character each, so that places stay."""


def clean(text: str) -> str:
    """The text without lone surrogates, which no record and no stream can hold; each place stays."""
    return SURROGATES.sub("\ufffd", text)


@dataclass(frozen=True)
class Words:
    """Words without sequences; ``cut`` says that there were more of them than are read."""

    text: str
    cut: bool
    _starts: tuple[int, ...]
    _shifts: tuple[int, ...]

    def place(self, at: int) -> int:
        """Where a place of ``text`` is in the question."""
        return at + self._shifts[bisect_right(self._starts, at) - 1]


def words_of(text: str, spans: list[Span]) -> Words:
    """The words of a text around its sequences; long stretches of white space are left out too."""
    spans = _with_space(text, sorted(spans))
    parts: list[str] = []
    starts, shifts = [0], [0]
    length = at = 0
    for start, end in [*spans, (len(text), len(text))]:
        if start < at:
            continue
        parts.append(text[at:start])
        length += start - at
        if end > start:
            parts.append(GAP)
            length += len(GAP)
            starts.append(length)
            shifts.append(end - length)
        at = end
    whole = "".join(parts).translate(FULL)
    kept = whole[:LONGEST]
    return Words(kept, bool(whole[LONGEST:].strip()), tuple(starts), tuple(shifts))


def _with_space(text: str, spans: list[Span]) -> list[Span]:
    """Spans, and the white space between them that is longer than a gap."""
    space = (m.span() for m in SPACE.finditer(blank(text, spans)))
    ends = sorted([*spans, *space])
    met: list[Span] = []
    for start, end in ends:
        if met and start < met[-1][1]:
            met[-1] = (met[-1][0], max(end, met[-1][1]))
        else:
            met.append((start, end))
    return met


def blank(text: str, spans: list[Span]) -> str:
    """The text with these places blank; everything else stays where it is."""
    parts, at = [], 0
    for start, end in sorted(spans):
        if start >= at:
            parts += [text[at:start], " " * (end - start)]
            at = end
    return "".join([*parts, text[at:]])


def is_chinese(text: str) -> bool:
    """Whether a text has Chinese characters."""
    return bool(CHINESE.search(text))
