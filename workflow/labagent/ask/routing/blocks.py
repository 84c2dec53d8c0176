"""FASTA records, GenBank and EMBL files and numbered blocks inside a question, apart from the words around
them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from labagent.tools.sequences.embedded import find_sequences
from labagent.tools.sequences.records import ParsedSequence

Span = tuple[int, int]
LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|$)")
RESIDUES = re.compile(r"\s*(?:\d+\s+)?[A-Za-z*.~-]+(?:\s+[A-Za-z*.~-]+)*\s*\d*\s*")
FLAT = re.compile(r"(?:LOCUS {2,}\S|ID {3}\S|ORIGIN\s*$)")
FLAT_LINE = re.compile(r"(?:[A-Z]{2,10}\b|\s{2,}\S|[A-Z]{2} {3}|//|\s*\d+ [a-z]|XX)")
NUMBERED = re.compile(r"\s*\d+(?:\s+[A-Za-z*-]{1,10}){1,7}\s*")
SHORT_RECORD = re.compile(r"\s*(?P<header>>\s*\S+)\s+(?P<letters>[ACGTUN]{1,8})\s*")
"""A name and a few bases on one line."""
UNFINISHED = re.compile(r"(?P<header>.*\S)\s+(?P<letters>[A-Za-z*-]{9,})\s*$")


def find_blocks(text: str) -> list[tuple[Span, str]]:
    """Places of blocks and what a parser of sequences is to be given for each."""
    lines = [m for m in LINE.finditer(text) if m[0]]
    found: list[tuple[Span, str]] = []
    at = 0
    while at < len(lines):
        end = _block_end(lines, at)
        if end > at:
            span = (lines[at].start(), lines[end - 1].end())
            found.append((span, _readable(text[span[0] : span[1]])))
        at = max(end, at + 1)
    return [(span, block) for span, block in found if block]


def _block_end(lines: Sequence[re.Match[str]], at: int) -> int:
    """Behind the last line of a block that begins at ``at``; ``at`` where none does."""
    line = lines[at][0]
    if line.lstrip().startswith(">"):
        return _fasta_end(lines, at)
    if FLAT.match(line):
        return _run(lines, at, FLAT_LINE)
    if NUMBERED.fullmatch(line) and _run(lines, at, NUMBERED) > at and _blocks(line):
        return _run(lines, at, NUMBERED)
    return at


def _fasta_end(lines: Sequence[re.Match[str]], at: int) -> int:
    """Behind the last line of FASTA records."""
    end = at
    while end < len(lines):
        line = lines[end][0]
        if line.lstrip().startswith(">") or not line.strip() or is_residues(line):
            end += 1
        else:
            break
    while end > at and not lines[end - 1][0].strip():
        end -= 1
    return end


def _run(lines: Sequence[re.Match[str]], at: int, pattern: re.Pattern[str]) -> int:
    """Behind the last line in a row that begins like this."""
    end = at
    while end < len(lines) and pattern.match(lines[end][0]):
        end += 1
    return end


def is_residues(line: str) -> bool:
    """Whether a line of a FASTA record is residues and no words."""
    if not RESIDUES.fullmatch(line):
        return False
    words = [w for w in line.split() if not w.isdigit()]
    if len(words) == 1:
        return words[0].isupper() or words[0].islower() or len(words[0]) > 20
    lengths = {len(w) for w in words[:-1]}
    cased = all(w.isupper() for w in words) or all(w.islower() for w in words)
    return cased and len(lengths) == 1 and len(words[-1]) <= max(lengths) and max(lengths) > 2


def _blocks(line: str) -> bool:
    """Whether a numbered line has blocks of a sequence, and is no item of a list."""
    words = line.split()[1:]
    long = [w for w in words if len(w) == 10]
    return (
        len(long) == len(words)
        or len(long) >= len(words) - 1 > 0
        or (len(words) == 1 and len(words[0]) == 10)
    )


def _readable(block: str) -> str:
    """A block whose records have residues; a lost line break behind a header is put back."""
    if not block.lstrip().startswith(">"):
        return block
    parts = re.split(r"(?m)^(?=\s*>)", block)
    return "".join(filter(None, (_with_break(part) for part in parts if part.strip())))


def _with_break(record: str) -> str:
    """One record; without residues it is none, unless its header ends in them."""
    lines = record.strip().splitlines()
    if len(lines) > 1:
        return record
    if short := SHORT_RECORD.fullmatch(lines[0]):
        return f"{short['header']}\n{short['letters']}\n"
    match = UNFINISHED.fullmatch(lines[0])
    if match and find_sequences(match["letters"]):
        return f"{match['header']}\n{match['letters']}\n"
    return ""


def record_text(record: ParsedSequence) -> str:
    """One record of several as FASTA."""
    return f">{record.header or record.name}\n{record.sequence}" + "*" * record.terminal_stop + "\n"
