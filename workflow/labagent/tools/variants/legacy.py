"""Numbering of mature chains: what older papers call HBB E6V is p.Glu7Val, counted from the start codon.

``OFFSETS``: residues that are cut off before the chain the old numbers count (first residue of UniProt's
"Chain" feature, minus 1).
"""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from labagent.tools.variants.records import FoundVariant, LegacyHint, Variant
from labagent.tools.variants.writing import hgvs

FACTS = Path(__file__).resolve().parents[1] / "facts" / "proteins.jsonl.gz"


@dataclass(frozen=True)
class Numbering:
    """A protein whose variants have a tradition of being counted on the mature chain."""

    accession: str
    offset: int
    cut: str


METHIONINE = "the start methionine is cut off"
SIGNAL = "the signal peptide is cut off"
OFFSETS: dict[str, Numbering] = {
    "HBB": Numbering("P68871", 1, METHIONINE),
    "HBD": Numbering("P02042", 1, METHIONINE),
    "HBA1": Numbering("P69905", 1, METHIONINE),
    "HBA2": Numbering("P69905", 1, METHIONINE),
    "SOD1": Numbering("P00441", 1, METHIONINE),
    "TTR": Numbering("P02766", 20, SIGNAL),
    "APOE": Numbering("P02649", 18, SIGNAL),
    "SERPINA1": Numbering("P01009", 24, SIGNAL),
    "SERPINC1": Numbering("P01008", 32, SIGNAL),
    "GBA1": Numbering("P04062", 39, SIGNAL),
    "GBA": Numbering("P04062", 39, SIGNAL),
    "F5": Numbering("P12259", 28, SIGNAL),
    "F8": Numbering("P00451", 19, SIGNAL),
    "F9": Numbering("P00740", 46, "signal and propeptide are cut off"),
    "LDLR": Numbering("P01130", 21, SIGNAL),
    "LYZ": Numbering("P61626", 18, SIGNAL),
}


TRADITIONAL: dict[str, frozenset[str]] = {
    "SOD1": frozenset("A4 G37 L38 G41 H43 H46 G85 D90 G93 E100 I113 L144 V148".split()),
    "SERPINA1": frozenset("E342 E264".split()),
    "APOE": frozenset("C112 R158 R145".split()),
    "F5": frozenset("R506 R306".split()),
}
"""Residues of variants that are known by their place on the mature chain, of proteins whose sequence is not
bundled:
ClinVar names SOD1 A4V p.Ala5Val, G93A p.Gly94Ala, SERPINA1 E342K p.Glu366Lys, APOE C112R p.Cys130Arg, F5
R506Q p.Arg534Gln.
"""


def legacy_hint(found: FoundVariant, gene: str, sequence: str = "") -> LegacyHint | None:
    """The variant counted from the start codon, where the text seems to count the mature chain.

    With a sequence (given, or the bundled one of the gene) the residue must not be where the text says
    and must be where the hint says. Without one, only short forms of a gene of ``OFFSETS`` have a hint.
    """
    variant = found.variant
    if variant.level != "p" or variant.start is None or variant.start.residue in ("", "*"):
        return None
    known = OFFSETS.get(gene.upper())
    chain = sequence or (bundled(known.accession) if known else "")
    if chain:
        offset = known.offset if known else 1
        if _fits(variant, chain, 0) or not _fits(variant, chain, offset):
            return None
        if not known and not chain.startswith("M"):
            return None
        at = variant.start.base
        there = chain[at - 1] if at <= len(chain) else "no residue"
        reason = f"residue {at} is {there}, residue {at + offset} is {variant.start.residue}"
        reason += f"; {known.cut if known else METHIONINE} in the older numbering"
        return _hint(found, gene, offset, "sequence", reason)
    residue = f"{variant.start.residue}{variant.start.base}"
    if known and not found.written.startswith("p.") and residue in TRADITIONAL.get(gene.upper(), ()):
        reason = f"{gene} {residue} is known by its place on the mature chain ({known.cut})"
        return _hint(found, gene, known.offset, "known variant", reason)
    if known and not found.written.startswith("p."):
        reason = f"variants of {gene} are often counted on the mature chain ({known.cut}): check the residue"
        return _hint(found, gene, known.offset, "known gene", reason)
    return None


def has_tradition(gene: str) -> bool:
    """Whether variants of a gene are known by their place on the mature chain."""
    return gene.upper() in OFFSETS


def shifted(variant: Variant, offset: int) -> Variant:
    """The same change, ``offset`` residues on."""
    move = {
        name: place.model_copy(update={"base": place.base + offset})
        for name, place in (("start", variant.start), ("end", variant.end))
        if place
    }
    return variant.model_copy(update=move)


def _hint(found: FoundVariant, gene: str, offset: int, basis: str, reason: str) -> LegacyHint:
    """A hint."""
    return LegacyHint(
        written=found.written,
        hgvs=hgvs(shifted(found.variant, offset)),
        gene=gene,
        offset=offset,
        basis=basis,
        reason=reason,
    )


def _fits(variant: Variant, chain: str, offset: int) -> bool:
    """Whether the stated residues are where the variant says."""
    places = [p for p in (variant.start, variant.end) if p]
    return all(chain[p.base + offset - 1 : p.base + offset] == p.residue for p in places)


@cache
def bundled(accession: str) -> str:
    """The sequence of a protein of the bundled facts, or nothing."""
    with gzip.open(FACTS, "rt", encoding="utf-8") as stream:
        for line in stream:
            if f'"accession":"{accession}"' in line:
                row = json.loads(line)
                if row["accession"] == accession:
                    return str(row["sequence"])
    return ""
