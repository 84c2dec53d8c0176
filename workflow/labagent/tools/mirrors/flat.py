"""UniProtKB flat files: one entry after another, in bounded memory, each checked against itself.

The format is that of the UniProt user manual (https://web.expasy.org/docs/userman.html). Bio.SwissProt reads
the same entries, but names neither file nor line of a fault and takes a sequence that is not the stated one;
tests compare both.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from labagent.tools.mirrors.streams import BOM, Source, fault, text_of

LONGEST = 32 << 20
"""Bytes an entry may have: a hundred times the longest of Swiss-Prot."""
CODES = "ID AC DT DE GN OS OG OC OX OH RN RP RC RX RG RA RT RL CC DR PE KW FT SQ"
_END = re.compile(rb"^//[ \t\r]*\n", re.MULTILINE)
_WRONG = re.compile(rf"^(?!(?:{'|'.join(CODES.split())})(?:   |$)|     |\*\*)", re.MULTILINE)
_ID = re.compile(r"(\S+)\s+(Reviewed|Unreviewed|STANDARD|PRELIMINARY);\s+(?:PRT;\s+)?(\d+) AA\.")
_ACCESSION = re.compile(r"[OPQ][0-9][A-Z0-9]{3}[0-9]|[A-NR-Z][0-9](?:[A-Z][A-Z0-9]{2}[0-9]){1,2}")
_SEQUENCE = re.compile(r"SEQUENCE\s+(\d+) AA;\s+(\d+) MW;\s+([0-9A-F]{16}) CRC64;")


@dataclass(frozen=True, slots=True)
class RawEntry:
    """An entry that is in itself right. ``blocks`` are its lines by code, without the code; ``text`` is all
    of it without the sequence and the end line, ``line`` where it begins in its file.
    """

    name: str
    reviewed: bool
    accessions: tuple[str, ...]
    sequence: str
    mass: int
    crc64: str
    blocks: dict[str, list[str]]
    text: str
    line: int = 1

    def joined(self, code: str) -> str:
        """The lines of a code as one text."""
        return " ".join(self.blocks.get(code, ()))


def entries(source: Source) -> Iterator[RawEntry]:
    """The entries of a file, in its order.

    Raises:
        InputError: a wrong line, a torn entry, a sequence that is not the stated one, text that is no UTF-8:
            file, line and entry are named.
    """
    line = 1
    for raw in _frames(source):
        if raw.strip():
            yield _checked(raw, source.path, line)
        line += raw.count(b"\n")


def read_entry(text: str, sequence: str) -> RawEntry:
    """An entry from the ``text`` that :class:`RawEntry` keeps, and its sequence."""
    return _split(text, sequence)


def _frames(source: Source) -> Iterator[bytes]:
    """Pieces that end with an end line; memory is bounded by the longest entry."""
    rest, line, first = b"", 1, True
    while chunk := source.read():
        if first:
            chunk, first = chunk.removeprefix(BOM), False
        rest, at = rest + chunk, 0
        for match in _END.finditer(rest):
            yield rest[at : match.end()]
            line += rest.count(b"\n", at, match.end())
            at = match.end()
        rest = rest[at:]
        if len(rest) > LONGEST:
            message = f"no end line (//) within {LONGEST >> 20} MB: not a UniProtKB flat file"
            raise fault(source.path, line, message, _named(rest))
    if rest.rstrip(b"\r\n \t").endswith(b"\n//"):
        yield rest
    elif rest.strip():
        last = line + rest.rstrip(b"\n").count(b"\n")
        raise fault(source.path, last, "the file ends inside the entry (no // line)", _named(rest))


def _named(raw: bytes) -> str:
    """What an entry calls itself, if it does."""
    match = re.match(rb"\s*ID   (\S{1,40})", raw)
    return match[1].decode("ascii", "replace") if match else ""


def _checked(raw: bytes, path: Path, line: int) -> RawEntry:
    """One entry; its faults are located."""
    line += len(raw[: len(raw) - len(raw.lstrip(b"\r\n"))].splitlines())
    name = _named(raw)
    text = text_of(raw.lstrip(b"\r\n"), path, line, name).replace("\r\n", "\n")
    text = text.rstrip("\n \t")[:-2].rstrip("\n")
    if wrong := _WRONG.search(text):
        shown = text[wrong.start() :].partition("\n")[0][:60]
        allowed = "a two-letter line code and three spaces"
        at = line + text.count("\n", 0, wrong.start())
        raise fault(path, at, f"unknown line {shown!r}; a line begins with {allowed}", name)
    try:
        body, sequence = _sequence(text)
        return _split(body, sequence, line)
    except _Wrong as error:
        at = next((k for k, row in enumerate(text.split("\n")) if row.startswith(error.code)), 0)
        raise fault(path, line + at, error.message, name) from error


class _Wrong(Exception):
    """A fault in the lines of a code."""

    def __init__(self, code: str, message: str) -> None:
        self.code, self.message = code, message
        super().__init__(message)


def _sequence(text: str) -> tuple[str, str]:
    """An entry's text without the sequence, and the sequence."""
    body, mark, residues = text.partition("\n     ")
    sequence = residues.translate({32: None, 10: None})
    if not mark or not sequence:
        raise _Wrong("SQ" if "\nSQ   " in text else "ID", "the entry has no sequence")
    if not (sequence.isascii() and sequence.isalpha() and sequence.isupper()):
        odd = next(c for c in sequence if not ("A" <= c <= "Z"))
        raise _Wrong("SQ", f"the sequence holds {odd!r}; allowed are the letters A to Z")
    return body, sequence


def _split(text: str, sequence: str, line: int = 1) -> RawEntry:
    """Lines by code, checked against each other."""
    blocks: dict[str, list[str]] = {}
    for row in text.split("\n"):
        blocks.setdefault(row[:2], []).append(row[5:].rstrip())
    head = _ID.fullmatch(blocks.get("ID", [""])[0])
    if head is None or len(blocks["ID"]) != 1 or not text.startswith("ID"):
        raise _Wrong("ID", "the entry does not begin with one ID line (name, status, length)")
    accessions = tuple(a for a in " ".join(blocks.get("AC", ())).replace(";", " ").split())
    if not accessions or not all(map(_ACCESSION.fullmatch, accessions)):
        raise _Wrong("AC", f"no list of UniProtKB accessions: {' '.join(accessions)[:60]!r}")
    stated = _SEQUENCE.fullmatch(blocks.get("SQ", [""])[0])
    if stated is None:
        raise _Wrong("SQ", "the SQ line does not state length, mass and CRC64")
    if not len(sequence) == int(head[3]) == int(stated[1]):
        lengths = f"{len(sequence)} residues, the ID line says {head[3]}, the SQ line {stated[1]}"
        raise _Wrong("SQ", f"the sequence has {lengths}")
    if (found := crc64(sequence)) != stated[3]:
        raise _Wrong("SQ", f"the sequence has CRC64 {found}, the SQ line says {stated[3]}")
    reviewed = head[2] in ("Reviewed", "STANDARD")
    return RawEntry(head[1], reviewed, accessions, sequence, int(stated[2]), stated[3], blocks, text, line)


def _table() -> tuple[int, ...]:
    """Table of CRC-64 as ISO 3309 has it (polynomial x^64 + x^4 + x^3 + x + 1, reflected)."""
    rows = []
    for byte in range(256):
        value = byte
        for _ in range(8):
            value = (value >> 1) ^ (0xD800000000000000 if value & 1 else 0)
        rows.append(value)
    return tuple(rows)


_CRC = _table()


def crc64(sequence: str) -> str:
    """CRC64 of a sequence as UniProtKB states it: 16 hexadecimal digits."""
    value, table = 0, _CRC
    for byte in sequence.encode("ascii"):
        value = table[(value ^ byte) & 255] ^ (value >> 8)
    return f"{value:016X}"
