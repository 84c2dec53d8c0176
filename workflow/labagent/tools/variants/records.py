"""Variants, and the arguments and results of the tools on them. Positions are those of HGVS: from 1."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from labagent.models.base import Record
from labagent.tools.sequences.records import MAX_TEXT

Level = Literal["p", "c", "g", "n", "m"]
VariantKind = Literal[
    "substitution",
    "nonsense",
    "synonymous",
    "start_loss",
    "deletion",
    "insertion",
    "duplication",
    "delins",
    "inversion",
    "frameshift",
    "extension",
    "no_protein",
    "unknown",
]
MAX_QUESTION = 20_000
MAX_POSITION = 1_000_000_000


class Position(Record):
    """A place. ``c.88+1``: base 88, offset 1; ``c.-14``: anchor ``5``, base 14; ``c.*32``: anchor ``3``.

    ``residue`` is the amino acid stated at it (one letter, ``*`` for the stop), or empty.
    """

    base: int = Field(ge=1, le=MAX_POSITION)
    offset: int = Field(default=0, ge=-MAX_POSITION, le=MAX_POSITION)
    anchor: Literal["", "5", "3"] = ""
    residue: str = ""


class Variant(Record):
    """One variant. ``end`` is ``None`` at one place; of an insertion the two are its neighbours.

    ``deleted`` is what the text states as lost (one-letter), ``inserted`` what is there instead; ``count`` of
    a frameshift or extension says where the new stop is (``Ter17``: 17, the changed residue is 1), ``None``
    where it is not said, 0 where there is none known (``Ter?``).
    """

    reference: str = ""
    level: Level
    predicted: bool = False
    kind: VariantKind
    start: Position | None = None
    end: Position | None = None
    deleted: str = ""
    inserted: str = ""
    count: int | None = Field(default=None, ge=-MAX_POSITION, le=MAX_POSITION)


class FoundVariant(Record):
    """A variant as it stands in a text. ``certain`` is false where the letters may mean something else."""

    written: str
    start: int = Field(description="place in the text, from 0")
    variant: Variant
    hgvs: str = Field(description="as HGVS recommends: three letters, Ter, no redundant deleted residues")
    short: str = Field(description="one-letter form of a protein variant, else empty")
    gene: str = Field(default="", description="gene symbol stated with it")
    certain: bool = True
    notes: tuple[str, ...] = ()
    spans: int | None = Field(
        default=None, description="residues or bases from the first to the last deleted or duplicated one"
    )


class VariantText(Record):
    """A text with variants."""

    text: str = Field(min_length=1, max_length=MAX_QUESTION, description="HGVS, short forms, or a sentence")
    gene: str = Field(default="", max_length=40, description="gene symbol, where it is known")
    sequence: str = Field(
        default="", max_length=MAX_TEXT, description="the protein, to check residues and numbering against"
    )


class LegacyHint(Record):
    """The same variant in the numbering of the whole chain, where the text seems to count otherwise."""

    written: str
    hgvs: str
    gene: str
    offset: int = Field(description="residues to add")
    basis: Literal["sequence", "known variant", "known gene"]
    reason: str


class ParseVariants(Record):
    """All variants of a text, in its order."""

    variants: tuple[FoundVariant, ...]
    legacy: tuple[LegacyHint, ...] = ()
    notes: tuple[str, ...] = ()


class ApplyArguments(Record):
    """A sequence and what is to be changed in it."""

    sequence: str = Field(min_length=1, max_length=MAX_TEXT, description="one record, any format")
    variant: str = Field(min_length=1, max_length=10_000, description="HGVS or short form (G12D)")
    type: Literal["auto", "dna", "rna", "protein"] = Field(default="auto", description="of the sequence")
    cds_start: int = Field(default=1, ge=1, description="c. only: where the A of ATG is in the sequence")


class ApplyResult(Record):
    """The changed sequence. ``complete`` is false where the variant does not say how the sequence goes on."""

    variant: Variant
    hgvs: str = Field(description="normalized: the most 3' of equal places")
    shifted: int = Field(description="places the 3' rule moved it by")
    kind: VariantKind
    sequence: str
    length_before: int
    length_after: int
    removed: str = Field(default="", description="residues or bases that are lost")
    added: str = Field(default="", description="residues or bases that stand there instead")
    complete: bool
    notes: tuple[str, ...] = ()


class CompareArguments(Record):
    """Wild type and mutant."""

    wild_type: str = Field(min_length=1, max_length=MAX_TEXT, description="one record, any format")
    mutant: str = Field(
        min_length=1, max_length=MAX_TEXT, description="one record, or a variant (p.Gly12Asp, G12D)"
    )
    type: Literal["auto", "dna", "rna", "protein"] = Field(default="auto", description="of both")
    coding: Literal["auto", "yes", "no"] = Field(
        default="auto",
        description="DNA by codon; auto: where the wild type begins with ATG and is whole codons",
    )
    table: int = Field(default=1, ge=1, description="NCBI genetic code of a coding pair")


class Difference(Record):
    """One difference. Positions are in the wild type; of an insertion those of its neighbours."""

    hgvs: str
    kind: VariantKind
    first: int
    last: int
    wild_type: str
    mutant: str


class CodonChange(Record):
    """A codon that differs, in a pair without shifts."""

    codon: int
    wild_type: str
    mutant: str
    amino_acid: str
    new_amino_acid: str
    effect: Literal["synonymous", "missense", "nonsense", "stop lost"]


class CompareResult(Record):
    """What differs. ``n_differences`` counts events: an inserted stretch, or adjacent exchanges, are one."""

    type: Literal["dna", "rna", "protein"]
    wild_type_length: int
    mutant_length: int
    n_differences: int
    changed_residues: int = Field(description="residues exchanged, lost or added")
    differences: tuple[Difference, ...]
    hgvs: str = Field(description="all of them; [a;b] where there are several, = where there is none")
    identity_percent: float = Field(json_schema_extra={"unit": "%"})
    codons: tuple[CodonChange, ...] = ()
    protein_hgvs: str = Field(default="", description="consequence of a coding pair")
    notes: tuple[str, ...] = ()


class EffectArguments(Record):
    """A protein variant."""

    variant: str = Field(min_length=1, max_length=1000, description="p.Gly12Asp, G12D, p.Phe508del …")
    sequence: str = Field(
        default="", max_length=MAX_TEXT, description="the protein, to check the residue against"
    )


class EffectEvidence(Record):
    """One figure; ``change`` is mutant minus wild type."""

    name: str
    wild_type: float | None = None
    mutant: float | None = None
    value: float
    unit: str
    scale: str = Field(description="what its range means")
    source: str


class EffectResult(Record):
    """Evidence on an exchange. None of it says whether a variant causes disease."""

    hgvs: str
    kind: VariantKind
    evidence: tuple[EffectEvidence, ...]
    flags: tuple[str, ...] = Field(description="plain facts on the exchange")
    label: str
    notes: tuple[str, ...] = ()
