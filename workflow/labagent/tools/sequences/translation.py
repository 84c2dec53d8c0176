"""Strands, frames and open reading frames, with any of NCBI's genetic codes (Biopython's tables)."""

from __future__ import annotations

import warnings
from typing import Any

from labagent.errors import ToolError
from labagent.tools.sequences.letters import LETTERS_OF, STOP
from labagent.tools.sequences.records import Frame, Orf, ParsedSequence, TranslatedFrame

FRAMES: tuple[Frame, ...] = (1, 2, 3, -1, -2, -3)
MAX_ORFS = 10_000


def nucleotide_kind(parsed: ParsedSequence) -> str:
    """``dna`` or ``rna``; raises ``ToolError`` where the record is neither."""
    if parsed.type in ("dna", "rna"):
        return parsed.type
    raise ToolError(
        "input",
        f"record {parsed.name or parsed.line} is {parsed.type}, not DNA or RNA"
        + (f" ({parsed.type_note})" if parsed.type_note else ""),
        field="sequence",
        value=parsed.sequence[:40],
        allowed=LETTERS_OF["dna"] + ", with U for T in RNA",
        hints=["give the type if you know it"] if {"dna", "rna"} & set(parsed.candidates) else [],
    )


def reverse_complement(sequence: str, kind: str) -> str:
    """The other strand, read 5' to 3', in the letters of ``kind``."""
    from Bio.Seq import Seq

    seq = Seq(sequence)
    return str(seq.reverse_complement_rna() if kind == "rna" else seq.reverse_complement())


def table_of(number: int) -> Any:
    """NCBI's genetic code by number; raises ``ToolError`` naming those there are."""
    from Bio.Data.CodonTable import ambiguous_generic_by_id, generic_by_id

    if number not in generic_by_id:
        raise ToolError(
            "arguments",
            f"NCBI has no genetic code {number}",
            field="table",
            value=str(number),
            allowed=", ".join(map(str, sorted(ambiguous_generic_by_id))),
        )
    return generic_by_id[number]


def table_notes(number: int) -> tuple[str, ...]:
    """What a reader has to know about a code."""
    table = table_of(number)
    dual = sorted(
        c.replace("U", "T") for c in set(table.stop_codons) & set(table.forward_table) if "T" not in c
    )
    if not dual:
        return ()
    return (f"in code {number}, {', '.join(dual)} may be a stop or an amino acid; read as an amino acid",)


def translate(sequence: str, number: int) -> str:
    """Whole codons of ``sequence``, through stops; ambiguous codons as Biopython reads them (X, B, Z, J)."""
    from Bio import BiopythonWarning
    from Bio.Seq import Seq

    whole = sequence[: len(sequence) // 3 * 3]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BiopythonWarning)
        return str(Seq(whole).translate(table=number))


def strand_of(sequence: str, kind: str, frame: int) -> str:
    """The strand of a frame, from its first base on."""
    strand = sequence if frame > 0 else reverse_complement(sequence, kind)
    return strand[abs(frame) - 1 :]


def translate_frame(sequence: str, kind: str, frame: Frame, number: int) -> TranslatedFrame:
    """One of the six frames."""
    strand = strand_of(sequence, kind, frame)
    protein = translate(strand, number)
    return TranslatedFrame(
        frame=frame,
        protein=protein,
        length=len(protein) - protein.count(STOP),
        stops=protein.count(STOP),
        to_first_stop=protein.partition(STOP)[0],
        left_over=len(strand) % 3,
    )


def find_orfs(parsed: ParsedSequence, number: int, minimum: int, start: str, partial: bool) -> list[Orf]:
    """Open reading frames of all six frames: from the first start codon after a stop to the next stop."""
    kind = nucleotide_kind(parsed)
    table = table_of(number)
    starts = {"ATG"} if start == "ATG" else {c.replace("U", "T") for c in table.start_codons}
    found: list[Orf] = []
    for frame in FRAMES:
        strand = strand_of(parsed.sequence, kind, frame)
        protein = translate(strand, number)
        begin = 0
        for piece in protein.split(STOP):
            end = begin + len(piece)
            open_end = end == len(protein)
            first = begin if start == "any" else _first_start(strand, begin, end, starts)
            if first is not None and end - first >= minimum and (partial or not open_end):
                found.append(_orf(parsed, strand, frame, protein[first:end], first, open_end, start))
            begin = end + 1
    found.sort(key=lambda o: (-o.length, o.start, o.frame))
    return found


def _first_start(strand: str, begin: int, end: int, starts: set[str]) -> int | None:
    """The first codon from ``begin`` to ``end`` that is a start."""
    codons = range(begin, end)
    return next((k for k in codons if strand[3 * k : 3 * k + 3].replace("U", "T") in starts), None)


def _orf(
    parsed: ParsedSequence, strand: str, frame: Frame, protein: str, first: int, open_end: bool, start: str
) -> Orf:
    """One frame with its place on the strand as given."""
    last = first + len(protein)
    stop = "" if open_end else strand[3 * last : 3 * last + 3]
    low = abs(frame) + 3 * first
    high = low + 3 * len(protein) + len(stop) - 1
    if frame < 0:
        low, high = len(parsed.sequence) + 1 - high, len(parsed.sequence) + 1 - low
    return Orf(
        record=parsed.name,
        frame=frame,
        start=low,
        end=high,
        start_codon=strand[3 * first : 3 * first + 3],
        stop_codon=stop,
        length=len(protein),
        protein=protein if start == "any" else "M" + protein[1:],
    )
