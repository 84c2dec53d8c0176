"""Arguments and results of the tools on sequences. Positions count from 1; ``None``: cannot be known."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, JsonValue

from labagent.models.base import Record
from labagent.tools.sequences.letters import Declared, Found, Kind

MAX_TEXT = 50_000_000
Frame = Literal[1, 2, 3, -1, -2, -3]


def _unit(unit: str) -> dict[str, JsonValue]:
    """The unit of a field, in its schema."""
    return {"unit": unit}


class SequenceArguments(Record):
    """A sequence as text."""

    sequence: str = Field(
        min_length=1,
        max_length=MAX_TEXT,
        description="FASTA (any number of records), GenBank, EMBL or UniProt flat file, blocks, raw letters",
    )
    type: Declared = Field(default="auto", description="what the letters are, where they leave it open")


class TranslateArguments(SequenceArguments):
    """What to translate, and how."""

    table: int = Field(default=1, ge=1, description="NCBI genetic code (1: standard)")
    frames: tuple[Frame, ...] = Field(
        default=(1, 2, 3, -1, -2, -3), min_length=1, description="frames; negative: reverse strand"
    )


class OrfArguments(SequenceArguments):
    """Which open reading frames count."""

    table: int = Field(default=1, ge=1, description="NCBI genetic code (1: standard)")
    min_length: int = Field(
        default=30, ge=1, description="residues without the stop", json_schema_extra=_unit("aa")
    )
    start: Literal["ATG", "table", "any"] = Field(
        default="ATG", description="start codons: ATG, all of the table, or any codon after a stop"
    )
    partial: bool = Field(default=False, description="also those that run off the end of the sequence")


class AlignArguments(Record):
    """Two sequences and how to score. A gap of k columns costs ``gap_open + (k - 1) * gap_extend``."""

    a: str = Field(min_length=1, max_length=MAX_TEXT, description="first sequence (one record)")
    b: str = Field(min_length=1, max_length=MAX_TEXT, description="second sequence (one record)")
    type: Declared = Field(default="auto", description="what the letters are, where they leave it open")
    mode: Literal["global", "local"] = Field(default="global", description="end to end, or the best part")
    matrix: Literal["auto", "BLOSUM62", "BLOSUM45", "BLOSUM80", "PAM250", "NUC.4.4"] = Field(
        default="auto", description="auto: BLOSUM62 for proteins, NUC.4.4 for nucleotides"
    )
    gap_open: int = Field(default=11, ge=0, le=1000, description="cost of a gap's first column")
    gap_extend: int = Field(default=1, ge=0, le=1000, description="cost of each further column")


class ParsedSequence(Record):
    """One record. ``sequence`` is in upper case, without gaps and without a stop at its end."""

    name: str
    header: str
    format: Literal["fasta", "genbank", "embl", "raw"]
    line: int = Field(description="where it begins in the text")
    type: Found
    candidates: tuple[Kind, ...] = Field(description="all types the letters allow")
    certain: bool = Field(description="false: say so, and do not rely on the type")
    type_note: str
    sequence: str
    length: int = Field(description="residues; gaps and stops are none", json_schema_extra=_unit("aa or nt"))
    gaps: int
    stops: int
    terminal_stop: bool
    internal_stops: tuple[int, ...] = Field(description="positions in `sequence`")
    ambiguous: int = Field(description="letters that stand for more than one residue")
    rare: dict[str, int] = Field(description="Sec (U) and Pyl (O) of a protein")
    lower_case: int
    notes: tuple[str, ...] = ()


class ParseResult(Record):
    """All records of a text."""

    records: tuple[ParsedSequence, ...]
    total: int


class Mass(Record):
    """Average mass of the molecule, water included."""

    da: float | None = Field(json_schema_extra=_unit("Da"))
    note: str


class SequenceStats(Record):
    """Statistics of one record (Biopython's formulas)."""

    name: str
    type: Found
    certain: bool
    type_note: str
    length: int = Field(description="residues; gaps and stops are none", json_schema_extra=_unit("aa or nt"))
    gaps: int
    stops: int
    composition: dict[str, int] = Field(description="all letters, * included")
    gc_percent: float | None = Field(
        default=None,
        description="G, C and S of all bases that are one or the other",
        json_schema_extra=_unit("%"),
    )
    gc_counted: int = Field(default=0, description="bases in the denominator", json_schema_extra=_unit("nt"))
    mass: Mass = Field(
        description="all residues; a stop adds none. Nucleotides: single strand with a 5' phosphate"
    )
    mass_to_first_stop: Mass | None = Field(default=None, description="protein: what is made if * ends it")
    mass_double_strand: Mass | None = Field(default=None, description="DNA: both strands")
    isoelectric_point: float | None = Field(default=None, json_schema_extra=_unit("pH"))
    gravy: float | None = Field(default=None, description="mean Kyte-Doolittle hydropathy")
    extinction_reduced: int | None = Field(
        default=None, description="280 nm, cysteines reduced", json_schema_extra=_unit("M-1 cm-1")
    )
    extinction_cystines: int | None = Field(
        default=None, description="280 nm, all cysteines in cystines", json_schema_extra=_unit("M-1 cm-1")
    )
    notes: tuple[str, ...] = ()


class StatsResult(Record):
    """Statistics of all records."""

    records: tuple[SequenceStats, ...]


class ReverseComplement(Record):
    """One record's other strand, in the letters of its own type."""

    name: str
    type: Kind
    certain: bool
    type_note: str
    length: int = Field(json_schema_extra=_unit("nt"))
    reverse_complement: str


class ReverseComplementResult(Record):
    """All records."""

    records: tuple[ReverseComplement, ...]


class TranslatedFrame(Record):
    """One frame. ``protein`` runs through stops (``*``); ``length`` counts residues, not stops."""

    frame: Frame
    protein: str
    length: int = Field(json_schema_extra=_unit("aa"))
    stops: int
    to_first_stop: str
    left_over: int = Field(description="bases behind the last whole codon", json_schema_extra=_unit("nt"))


class Translation(Record):
    """The frames of one record."""

    name: str
    type: Kind
    certain: bool
    type_note: str
    length: int = Field(json_schema_extra=_unit("nt"))
    frames: tuple[TranslatedFrame, ...]


class TranslateResult(Record):
    """All records."""

    table: int
    table_name: str
    records: tuple[Translation, ...]
    notes: tuple[str, ...] = ()


class Orf(Record):
    """An open reading frame; ``start`` ≤ ``end`` on the strand as given, the stop codon included."""

    record: str
    frame: Frame
    start: int
    end: int
    start_codon: str
    stop_codon: str = Field(description="empty: runs off the end")
    length: int = Field(description="residues without the stop", json_schema_extra=_unit("aa"))
    protein: str = Field(description="the start codon read as M; no stop")


class OrfResult(Record):
    """Open reading frames, the longest first."""

    table: int
    table_name: str
    orfs: tuple[Orf, ...]
    total: int
    notes: tuple[str, ...] = ()


class AlignResult(Record):
    """An alignment. ``identity_percent`` is ``identical / columns``: of the whole, gaps included."""

    type: Kind
    mode: Literal["global", "local"]
    matrix: str
    score: int
    a: str = Field(description="first row, with gaps")
    marks: str = Field(description="| identical, : score above 0, . other pair, space: gap")
    b: str
    a_start: int
    a_end: int
    b_start: int
    b_end: int
    columns: int
    identical: int
    positive: int = Field(description="pairs that score above 0, identical ones included")
    gaps: int = Field(description="columns with a gap")
    gap_openings: int
    identity_percent: float = Field(json_schema_extra=_unit("%"))
    identity_of_pairs_percent: float = Field(
        description="identical / columns without a gap", json_schema_extra=_unit("%")
    )
    text: str = Field(description="printed, 60 columns a block, with positions")
    notes: tuple[str, ...] = ()
