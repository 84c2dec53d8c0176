"""MEDLINE text, as PubMed's "Save: PubMed format" and Bio.Entrez (``rettype="medline"``) give it.

The tags are those of https://www.nlm.nih.gov/bsd/mms/medlineelements.html. Bio.Medline reads the same, but
takes any line for a part of the record before it; tests compare both.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from typing import Literal

from labagent.tools.literature.records import MOST_AUTHORS, PaperRecord, paper_url
from labagent.tools.mirrors.papers import PaperRow, paper_row
from labagent.tools.mirrors.readers import Change
from labagent.tools.mirrors.readers._keeping import keep
from labagent.tools.mirrors.streams import BOM, Source, fault, text_of

TITLE = "MEDLINE text (PubMed format)"
KIND: Literal["proteins", "papers"] = "papers"
GROWTH = 1.5
LONGEST = 8 << 20
"""Bytes a record may have."""
_BLANK = re.compile(rb"\n[ \t\r]*\n")
_TAGGED = re.compile(r"([A-Z][A-Z0-9 ]{3})- ?(.*)")
Fields = dict[str, list[str]]


def accepts(head: bytes) -> bool:
    """A record begins with its PubMed id, an export of PubMed's sometimes with a number."""
    return re.match(rb"(?:\d+: *\r?\n)?PMID- ?\d", head) is not None


def fill(connection: sqlite3.Connection, source: Source) -> Iterator[Change]:
    """Index the records of a file."""
    for row in records(source):
        yield keep(connection, row)


def records(source: Source) -> Iterator[PaperRow]:
    """The papers of a file.

    Raises:
        InputError: a line that is neither a field nor its continuation, a record without PubMed id or title,
            text that is no UTF-8; file, line and record are named.
    """
    line = 1
    for raw in _pieces(source):
        if raw.strip():
            yield _paper(_fields(raw, source, line), source, line)
        line += raw.count(b"\n")


def _pieces(source: Source) -> Iterator[bytes]:
    """Records with the blank lines behind them."""
    rest, first, line = b"", True, 1
    while chunk := source.read():
        if first:
            chunk, first = chunk.removeprefix(BOM), False
        rest, at = rest + chunk, 0
        for match in _BLANK.finditer(rest):
            yield rest[at : match.end()]
            line += rest.count(b"\n", at, match.end())
            at = match.end()
        rest = rest[at:]
        if len(rest) > LONGEST:
            raise fault(source.path, line, f"no blank line within {LONGEST >> 20} MB: not MEDLINE text")
    if rest:
        yield rest


def _fields(raw: bytes, source: Source, line: int) -> Fields:
    """Values by tag; lines of one value are joined."""
    found: Fields = {}
    tag = ""
    text = text_of(raw, source.path, line)
    for number, row in enumerate(text.splitlines(), start=line):
        match = _TAGGED.fullmatch(row)
        if match:
            tag = match[1].strip()
            found.setdefault(tag, []).append(match[2].strip())
        elif row.startswith("      ") and tag:
            found[tag][-1] += f" {row.strip()}"
        elif row.strip() and not re.fullmatch(r"\d+:\s*", row):
            about = "".join(found.get("PMID", [])[:1])
            message = f"{row[:60]!r} is neither a field (a tag, its dash and a value) nor goes on with one"
            raise fault(source.path, number, message, about)
    return found


def _paper(fields: Fields, source: Source, line: int) -> PaperRow:
    """A record as a paper."""
    pmid = fields.get("PMID", [""])[0]
    if not re.fullmatch(r"[1-9]\d{0,8}", pmid):
        raise fault(source.path, line, f"a record without a PubMed id (PMID is {pmid!r})")
    title = _first(fields, "TI") or _first(fields, "BTI") or _first(fields, "TT")
    if not title:
        raise fault(source.path, line, "a record without a title (TI): is the file whole?", pmid)
    authors = fields.get("AU", []) + fields.get("CN", [])
    types = tuple(fields.get("PT", ()))
    years = [m[0] for tag in ("DP", "DEP") for m in [re.search(r"\d{4}", _first(fields, tag))] if m]
    abstract = _first(fields, "AB")
    record = PaperRecord(
        pmid=pmid,
        title=title,
        authors=tuple(authors[:MOST_AUTHORS]),
        author_count=len(authors),
        journal=_first(fields, "TA") or _first(fields, "JT"),
        year=int(years[0]) if years else None,
        doi=_identifier(fields, "doi"),
        url=paper_url(pmid),
        abstract=abstract,
        has_abstract=bool(abstract),
        volume=_first(fields, "VI"),
        issue=_first(fields, "IP"),
        pages=_first(fields, "PG"),
        language=_first(fields, "LA"),
        types=types,
        mesh=tuple(fields.get("MH", ())),
        keywords=tuple(fields.get("OT", ())),
        pmcid=_first(fields, "PMC"),
        retracted="Retracted Publication" in types or "RIN" in fields,
    )
    more = {"years": " ".join(years[1:]), "journal": _first(fields, "JT")}
    more["authors"] = " ; ".join((*authors[MOST_AUTHORS:], *fields.get("FAU", ())))
    return paper_row(record, more=more)


def _first(fields: Fields, tag: str) -> str:
    """The first value of a tag, or none."""
    return fields.get(tag, [""])[0]


def _identifier(fields: Fields, kind: str) -> str:
    """An identifier of the article: ``10.1186/1471-2105-7-10 [doi]``."""
    values = (v for tag in ("LID", "AID", "SO") for v in fields.get(tag, ()))
    stated = (re.fullmatch(rf"(\S+) \[{kind}\]", v) for v in values)
    return next((match[1] for match in stated if match), "")
