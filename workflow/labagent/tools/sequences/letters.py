"""Alphabets, and what type of sequence letters speak for.

Every IUPAC nucleotide code is an amino acid too, so that a type is certain only where letters cannot be read
otherwise, or where chance is excluded: eight letters that are all of ACGT occur in one protein of 180,000
(their share in proteins is 0.22), long runs of two letters only are common in both worlds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["dna", "rna", "protein"]
Declared = Literal["auto", "dna", "rna", "protein"]
Found = Literal["dna", "rna", "protein", "unknown"]

AMINO_ACIDS = frozenset("ACDEFGHIKLMNPQRSTVWY")
UNSURE_AMINO_ACIDS = frozenset("BJXZ")
CODES = frozenset("RYSWKMBDHVN")
ALPHABETS: dict[str, frozenset[str]] = {
    "dna": frozenset("ACGT") | CODES,
    "rna": frozenset("ACGU") | CODES,
    "protein": AMINO_ACIDS | UNSURE_AMINO_ACIDS | frozenset("UO*"),
}
LETTERS_OF = {
    "dna": "ACGT and the IUPAC codes RYSWKMBDHVN",
    "rna": "ACGU and the IUPAC codes RYSWKMBDHVN",
    "protein": "the 20 amino acids, U (Sec), O (Pyl), B, J, X, Z and * (stop)",
}
GAPS = frozenset("-.~")
STOP = "*"
SURE_LENGTH = 8
LONG = 100
CORE_SHARE = 0.9


@dataclass(frozen=True)
class Typed:
    """A type, all types the letters allow, whether chance is excluded, and why not."""

    kind: Found
    candidates: tuple[Kind, ...]
    certain: bool
    note: str = ""


def type_of(sequence: str) -> Typed:
    """The type that the letters (upper case, no gaps) speak for; ``certain`` only where nothing else fits."""
    letters = set(sequence)
    candidates: list[Kind] = []
    for kind in ("dna", "rna", "protein"):
        if letters <= ALPHABETS[kind]:
            candidates.append(kind)
    if not letters - {STOP}:
        return Typed("unknown", (), False, "no residues")
    if {"T", "U"} <= letters <= ALPHABETS["dna"] | {"U"}:
        return Typed(
            "unknown",
            tuple(candidates),
            False,
            "T and U together: neither DNA nor RNA; a protein with Sec (U)?",
        )
    if not candidates:
        return Typed("unknown", (), False, "letters of no alphabet")
    if candidates == ["protein"]:
        return Typed("protein", ("protein",), True)
    return _nucleotides(sequence, tuple(candidates))


def _nucleotides(sequence: str, candidates: tuple[Kind, ...]) -> Typed:
    """All letters are nucleotide codes; they may be a protein all the same."""
    count = len(sequence)
    core = sum(sequence.count(letter) for letter in "ACGTU")
    likely: Found = "rna" if "U" in sequence else "dna"
    if core + sequence.count("N") < 0.6 * count:
        codes = "all letters are IUPAC nucleotide codes, most of them ambiguous"
        return Typed("protein", candidates, False, f"{codes}: protein, or {likely} with many ambiguous bases")
    doubts = []
    coded = sorted(set(sequence) & (CODES - {"N"}))
    if coded and not (count >= LONG and core >= CORE_SHARE * count):
        doubts.append(f"{', '.join(coded)} may be IUPAC nucleotide codes or amino acids")
    if count < SURE_LENGTH:
        doubts.append(f"only {count} letters, which could be amino acids too")
    elif len(set(sequence) - {"N"}) < 3 or core < 0.5 * count:
        doubts.append("so few different bases also occur in proteins")
    if not set("TU") & set(sequence):
        doubts.append("no T and no U: DNA or RNA")
    return Typed(likely, candidates, not doubts, "; ".join(doubts))
