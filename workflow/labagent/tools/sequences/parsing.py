"""From raw records to parsed ones: type, gaps, stops, what is odd about them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import cast

from labagent.errors import ToolError
from labagent.tools.sequences.letters import (
    ALPHABETS,
    CODES,
    GAPS,
    LETTERS_OF,
    STOP,
    UNSURE_AMINO_ACIDS,
    Found,
    Typed,
    type_of,
)
from labagent.tools.sequences.reading import RawRecord, read_text
from labagent.tools.sequences.records import ParsedSequence

MAX_RECORDS = 100_000
SHORT_WORD = 10
PROTEIN_NAME = re.compile(r"(sp|tr)\|\w+\||(NP|XP|YP|WP)_\d+|ENS[A-Z]*P\d{11}")
NUCLEOTIDE_NAME = re.compile(r"(NM|XM|NR|XR|NC|NG|NT|NW)_\d+|ENS[A-Z]*T\d{11}")
REMOVE_GAPS = str.maketrans("", "", "".join(GAPS))


def parse_text(text: str, declared: str = "auto") -> list[ParsedSequence]:
    """All records of a text.

    Args:
        text: any of the formats.
        declared: the type, where the caller knows it.

    Raises:
        ToolError: ``input`` (no residues, a character that no sequence has, prose, letters that the declared
            type does not have), ``limit`` (more than 100,000 records).
    """
    records: list[ParsedSequence] = []
    for raw in read_text(text):
        if len(records) == MAX_RECORDS:
            raise ToolError(
                "limit", f"more than {MAX_RECORDS} records; stream the file instead", field="sequence"
            )
        records.append(parse_record(raw, declared))
    if not any(r.length for r in records):
        detail = (
            f': the text behind ">{records[0].name}" is a header' if records and records[0].header else ""
        )
        raise ToolError(
            "input",
            f"no residues{detail}",
            field="sequence",
            value=text[:40],
            allowed="letters of a sequence",
        )
    return records


def parse_stream(lines: Iterable[str], declared: str = "auto") -> Iterator[ParsedSequence]:
    """The records of an open file, one at a time: memory holds one record."""
    from labagent.tools.sequences.reading import read_records

    for raw in read_records(lines):
        yield parse_record(raw, declared)


def one_record(text: str, declared: str, name: str) -> ParsedSequence:
    """The only record of the argument ``name``; raises ``ToolError`` where there are more."""
    try:
        records = parse_text(text, declared)
    except ToolError as error:
        raise ToolError(
            error.code, f"{name}: {error.message}", field=name, value=error.value, allowed=error.allowed
        ) from error
    if len(records) > 1:
        message = f"{name} has {len(records)} records"
        raise ToolError("input", message, field=name, allowed="one record", value=records[1].name)
    return records[0]


def parse_record(raw: RawRecord, declared: str = "auto") -> ParsedSequence:
    """One record, typed and counted."""
    letters = raw.letters
    written = letters.translate(REMOVE_GAPS)
    upper = written.upper()
    body = upper.rstrip(STOP)
    ended = len(upper) > len(body)
    typed = _typed(raw, upper, declared)
    if raw.format == "raw":
        typed = _not_prose(raw, written, typed, declared)
    doubtful = UNSURE_AMINO_ACIDS if typed.kind == "protein" else CODES
    notes = ["no sequence under this header; a header is never read as residues"] if not upper else []
    if raw.numbered:
        notes.append("line numbers left out")
    return ParsedSequence(
        name=raw.name,
        header=raw.header,
        format=raw.format,
        line=raw.line,
        type=typed.kind,
        candidates=typed.candidates,
        certain=typed.certain,
        type_note=typed.note,
        sequence=body,
        length=len(body) - body.count(STOP),
        gaps=len(letters) - len(written),
        stops=upper.count(STOP),
        terminal_stop=ended,
        internal_stops=tuple(m.start() + 1 for m in re.finditer(r"\*", body)),
        ambiguous=sum(body.count(letter) for letter in doubtful),
        rare={c: body.count(c) for c in "UO" if c in body} if typed.kind == "protein" else {},
        lower_case=sum(map(str.islower, written)) if written != upper else 0,
        notes=tuple(notes),
    )


def _typed(raw: RawRecord, upper: str, declared: str) -> Typed:
    """The type as declared by the caller, else by the format or header, else by the letters."""
    typed = type_of(upper)
    if declared != "auto":
        wrong = sorted(set(upper) - ALPHABETS[declared])
        if wrong:
            raise ToolError(
                "input",
                f"record {raw.name or raw.line}: {', '.join(wrong)} is no letter of {declared}",
                field="type",
                value=declared,
                allowed=LETTERS_OF[declared],
            )
        return Typed(cast(Found, declared), typed.candidates, True, "type as given")
    stated = raw.declared
    if PROTEIN_NAME.match(raw.name):
        stated = "protein"
    elif NUCLEOTIDE_NAME.match(raw.name):
        stated = "rna" if "U" in upper else "dna"
    if not typed.certain and stated in typed.candidates:
        return Typed(cast(Found, stated), typed.candidates, True, f"type as the {raw.format} header says")
    return typed


def _not_prose(raw: RawRecord, written: str, typed: Typed, declared: str) -> Typed:
    """Refuse raw text that reads like words; doubt what may be a word or a name."""
    if declared != "auto" or raw.numbered or (typed.certain and typed.kind != "protein"):
        return typed
    if _words(raw.lines):
        message = "this reads like words, not like a sequence"
        allowed = "a sequence alone, or FASTA, or a type given with it"
        raise ToolError("input", message, field="sequence", value=" ".join(raw.parts)[:40], allowed=allowed)
    if typed.kind == "protein" and (not written.isupper() or len(written) < SHORT_WORD):
        note = "a short or lower-case word may be a name and no sequence"
        return Typed(typed.kind, typed.candidates, False, "; ".join(filter(None, (typed.note, note))))
    return typed


def _words(lines: list[list[str]]) -> bool:
    """Whether several words of a line are no blocks: blocks have equal lengths, but for the last one."""
    for words in lines:
        lengths = {len(word) for word in words[:-1]}
        if len(words) > 1 and (len(lengths) > 1 or len(words[-1]) > max(lengths)):
            return True
        if len(words) > 1 and not all(word.isupper() or word.islower() for word in words):
            return True
        if len(words) > 1 and max(lengths) < SHORT_WORD and not "".join(words).isupper():
            return True
    return False
