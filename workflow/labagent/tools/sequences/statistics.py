"""Statistics of a parsed sequence, by Biopython's formulas; what cannot be known is ``None``, with why."""

from __future__ import annotations

from collections import Counter
from typing import Any

from labagent.tools.sequences.letters import AMINO_ACIDS, STOP
from labagent.tools.sequences.records import Mass, ParsedSequence, SequenceStats

WITH_MASS = AMINO_ACIDS | frozenset("UO")


def stats_of(parsed: ParsedSequence) -> SequenceStats:
    """Statistics of one record; positions and formulas as documented in the result's fields."""
    letters = parsed.sequence + STOP * parsed.terminal_stop
    common: dict[str, Any] = {
        "name": parsed.name,
        "type": parsed.type,
        "certain": parsed.certain,
        "type_note": parsed.type_note,
        "length": parsed.length,
        "gaps": parsed.gaps,
        "stops": parsed.stops,
        "composition": dict(sorted(Counter(letters).items())),
    }
    if parsed.type == "protein":
        return SequenceStats(**common, **_protein(letters))
    if parsed.type in ("dna", "rna"):
        return SequenceStats(**common, **_nucleotides(parsed.sequence, parsed.type))
    return SequenceStats(**common, mass=Mass(da=None, note=f"type unknown: {parsed.type_note}"))


def _nucleotides(sequence: str, kind: str) -> dict[str, Any]:
    """GC share and masses of DNA or RNA."""
    strong = sum(map(sequence.count, "GCS"))
    counted = strong + sum(map(sequence.count, "ATUW"))
    values: dict[str, Any] = {
        "gc_percent": 100 * strong / counted if counted else None,
        "gc_counted": counted,
        "mass": _nucleotide_mass(sequence, kind, double=False),
    }
    if kind == "dna":
        values["mass_double_strand"] = _nucleotide_mass(sequence, kind, double=True)
    return values


def _nucleotide_mass(sequence: str, kind: str, *, double: bool) -> Mass:
    """Average mass of a linear molecule with 5' phosphates."""
    from Bio.SeqUtils import molecular_weight

    unsure = sorted(set(sequence) - set("ACGT" if kind == "dna" else "ACGU"))
    if unsure or not sequence:
        return Mass(da=None, note=f"no mass: {', '.join(unsure)} may be one of several bases")
    name = "both strands" if double else "single strand"
    da = float(molecular_weight(sequence, "DNA" if kind == "dna" else "RNA", double_stranded=double))
    return Mass(da=da, note=f"{name}, linear, 5' phosphate")


def _protein(letters: str) -> dict[str, Any]:
    """Masses, pI, GRAVY and extinction coefficients of a protein."""
    from Bio.SeqUtils.ProtParam import ProteinAnalysis

    residues = letters.replace(STOP, "")
    chain, stop, _ = letters.partition(STOP)
    values: dict[str, Any] = {"mass": _protein_mass(residues, "all residues; stops add no mass")}
    if stop:
        values["mass_to_first_stop"] = _protein_mass(chain, f"{len(chain)} residues before the first stop")
    if not residues:
        return values
    notes = []
    unsure = sorted(set(residues) - WITH_MASS)
    analysis = ProteinAnalysis(residues)
    if unsure:
        notes.append(
            f"no pI and no extinction coefficient: {', '.join(unsure)} may be one of several residues"
        )
    else:
        values["isoelectric_point"] = float(analysis.isoelectric_point())
        reduced, cystines = analysis.molar_extinction_coefficient()
        values |= {"extinction_reduced": int(reduced), "extinction_cystines": int(cystines)}
        if set(residues) & set("UO"):
            notes.append("Sec and Pyl count as uncharged and without absorbance at 280 nm")
    if set(residues) <= AMINO_ACIDS:
        values["gravy"] = float(analysis.gravy())
    else:
        other = ", ".join(sorted(set(residues) - AMINO_ACIDS))
        notes.append(f"no GRAVY: the Kyte-Doolittle scale has no value for {other}")
    return {**values, "notes": tuple(notes)}


def _protein_mass(residues: str, note: str) -> Mass:
    """Average mass of a chain, one water included."""
    from Bio.SeqUtils import molecular_weight

    unsure = sorted(set(residues) - WITH_MASS)
    if unsure:
        return Mass(da=None, note=f"no mass: {', '.join(unsure)} may be one of several residues")
    return Mass(da=float(molecular_weight(residues, "protein")) if residues else None, note=note)
