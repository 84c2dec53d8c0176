"""Reading sequences from text: FASTA, GenBank, EMBL/UniProt flat files, numbered blocks, raw letters.

One record at a time: memory holds one, never the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from labagent.errors import ToolError
from labagent.tools.sequences.letters import GAPS

Format = Literal["fasta", "genbank", "embl", "raw"]
SPACE = re.compile(r"[\s\u00a0\u200b\ufeff]+")
LETTER = re.compile(r"[A-Za-z*.~-]+")
NUMBER = re.compile(r"\d+$")
ALLOWED = "letters, gaps (- . ~), stops (*), white space and line numbers"


@dataclass
class RawRecord:
    """A record as it stands: ``parts`` are its letters with gaps, as written; ``line`` counts from 1."""

    format: Format
    line: int
    header: str = ""
    name: str = ""
    declared: str = ""
    parts: list[str] = field(default_factory=list)
    numbered: bool = False
    lines: list[list[str]] = field(default_factory=list)

    @property
    def letters(self) -> str:
        """All letters and gaps in the case they have."""
        return "".join(self.parts)


def read_fasta_file(path: Path) -> Iterator[RawRecord]:
    """The records of a file in any of the formats, streamed.

    Raises:
        ToolError: ``input``, with line and character, at the record that has it.
    """
    with path.open(encoding="utf-8-sig", errors="replace") as stream:
        yield from read_records(stream)


def read_text(text: str) -> Iterator[RawRecord]:
    """The records of a text; see ``read_records``."""
    return read_records(re.split(r"\r\n|\r|\n", text.lstrip("\ufeff")))


def read_records(lines: Iterable[str]) -> Iterator[RawRecord]:
    """The records of ``lines``. A line that begins with ``>``, ``LOCUS`` or ``ID`` opens one.

    Raises:
        ToolError: ``input``: a character that no sequence has; the message names line and character.
    """
    record: RawRecord | None = None
    reading = True  # annotation lines of flat files are not sequence
    for number, line in enumerate(lines, start=1):
        line = line.rstrip("\r\n")
        if record is not None and record.format == "fasta" and LETTER.fullmatch(line):
            record.parts.append(line)  # nearly every line of a large file
            continue
        opened = _opened(line, number, record)
        if opened is not None:
            if record is not None:
                yield record
            record, reading = opened, opened.format == "fasta"
        elif record is not None and record.format in ("genbank", "embl") and not reading:
            reading = _annotation(record, line)
        elif line.startswith("//"):
            if record is not None:
                yield record
            record, reading = None, True
        elif line.strip(" \t\u00a0\u200b\ufeff") and not line.startswith(";"):
            if record is None:
                record = RawRecord("raw", number)
            if line.strip() == "ORIGIN" and not record.parts:
                continue
            _residues(record, line, number)
    if record is not None:
        yield record


def _opened(line: str, number: int, record: RawRecord | None) -> RawRecord | None:
    """A new record, where this line opens one."""
    stripped = line.lstrip("\ufeff \t")
    if stripped.startswith(">"):
        header = stripped[1:].strip()
        return RawRecord("fasta", number, header, header.split()[0] if header else "")
    words = line.split()
    if record is None and line.startswith("LOCUS ") and len(words) > 2:
        return RawRecord("genbank", number, line, words[1], _declared(" ".join(words[2:])))
    if record is None and line.startswith("ID   ") and len(words) > 1:
        return RawRecord("embl", number, line, words[1].rstrip(";"), _declared(" ".join(words[2:])))
    return None


def _declared(line: str) -> str:
    """The type that a LOCUS or ID line states; flat files write RNA in the letters of DNA."""
    if re.search(r"\b\d+ aa\b", line, re.IGNORECASE) or "; PRT" in line:
        return "protein"
    return "dna" if re.search(r"\b\d+ bp\b", line, re.IGNORECASE) else ""


def _annotation(record: RawRecord, line: str) -> bool:
    """Take the title from an annotation line; whether the sequence begins after it."""
    key, _, rest = line.partition(" ")
    if key in ("DEFINITION", "DE") and record.header.startswith(("LOCUS", "ID ")):
        record.header = rest.strip()
    return key == "ORIGIN" or (key == "SQ" and record.format == "embl")


def _residues(record: RawRecord, line: str, number: int) -> None:
    """Take the letters of one line; numbers at either end of a line are line numbers."""
    words = [word for word in SPACE.split(line) if word]
    while words and NUMBER.match(words[0]):
        words.pop(0)
        record.numbered = True
    while words and NUMBER.match(words[-1]):
        words.pop()
        record.numbered = True
    for word in words:
        if not LETTER.fullmatch(word):
            _refuse(word, line, number)
    record.parts.extend(words)
    if record.format == "raw":
        record.lines.append(words)


def _refuse(word: str, line: str, number: int) -> None:
    """Say which character no sequence has."""
    wrong = next(c for c in word if not (c.isascii() and (c.isalpha() or c in GAPS or c == "*")))
    column = line.find(wrong) + 1
    raise ToolError(
        "input",
        f"line {number}, column {column}: {wrong!r} is in no sequence",
        field="sequence",
        value=word[:40],
        allowed=ALLOWED,
    )
