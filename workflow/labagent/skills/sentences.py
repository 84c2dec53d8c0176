"""Prose by sentences: what is stated together, and at which lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from labagent.skills.blocks import prose

ITEM = re.compile(r"\s*(?:(?:[-*+]|\d+[.)])\s|\||#)")
ALONE = re.compile(r"\s*[|#]")
CITATIONS = r"(?>(?:\s*\[E\d+(?:\s*,\s*E\d+)*\])*)"
END = re.compile(rf"[.!?][)\"'*_`]*{CITATIONS}\.?(?=\s|\Z)")
SHORT = re.compile(r"\b(?:e\.g|i\.e|cf|vs|approx|ca|fig|eq|no|resp|al|incl|dr|st|sec|tab)\.$", re.IGNORECASE)
INITIAL = re.compile(r"\b[A-Z]\.$")


@dataclass(frozen=True)
class Sentence:
    """A sentence, or a whole row of a table.

    ``text`` keeps the ends of lines; ``lines`` are the numbers (from 1) of those it stands on, ``column`` is
    where it begins on the first of them; ``header`` is the first row of its table, empty elsewhere.
    """

    text: str
    lines: tuple[int, ...]
    column: int = 0
    header: str = ""

    def line_at(self, offset: int) -> int:
        """The line on which a place of ``text`` stands."""
        return self.lines[self.text.count("\n", 0, offset)]


def paragraphs(text: str) -> Iterator[list[tuple[int, str]]]:
    """Lines outside fences up to the next blank one; items of lists, rows of tables and headings stand alone.

    A frontmatter is left out.
    """
    paragraph: list[tuple[int, str]] = []
    head = text.startswith("---\n")
    for number, line in prose(text):
        if head:
            head = number == 1 or line.rstrip() != "---"
            continue
        apart = paragraph and (paragraph[-1][0] != number - 1 or ALONE.match(paragraph[-1][1]))
        if paragraph and (apart or not line.strip() or ITEM.match(line)):
            yield paragraph
            paragraph = []
        if line.strip():
            paragraph.append((number, line))
    if paragraph:
        yield paragraph


def sentences(text: str) -> Iterator[Sentence]:
    """All sentences of a Markdown text outside its fences and its frontmatter, in order.

    A citation behind the full stop belongs to the sentence before it.
    """
    header, above = "", 0
    for paragraph in paragraphs(text):
        number, line = paragraph[0]
        if line.lstrip().startswith("|"):
            header = header if above == number - 1 and header else line
            above = number
            yield Sentence(line, (number,), header="" if header == line else header)
        else:
            header = ""
            yield from _split(paragraph)


def _split(paragraph: list[tuple[int, str]]) -> Iterator[Sentence]:
    """The sentences of one paragraph."""
    whole = "\n".join(line for _, line in paragraph)
    start = 0
    for stop in (*_ends(whole), len(whole)):
        text = whole[start:stop]
        if text.strip():
            lead = len(text) - len(text.lstrip())
            first = start + lead
            above = whole.count("\n", 0, first)
            lines = tuple(n for n, _ in paragraph[above : above + text.strip().count("\n") + 1])
            yield Sentence(text.strip(), lines, first - (whole.rfind("\n", 0, first) + 1))
        start = stop


def _ends(text: str) -> Iterator[int]:
    """Where sentences end: not behind abbreviations, initials, or the number of an item."""
    for match in END.finditer(text):
        before, after = text[: match.start() + 1], text[match.end() :].lstrip()
        if SHORT.search(before) or (INITIAL.search(before) and after[:1].islower()):
            continue
        if not re.fullmatch(r"\s*\d+\.", before.rsplit("\n", 1)[-1]):
            yield match.end()
