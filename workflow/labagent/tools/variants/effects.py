"""Figures on an amino acid exchange. They are heuristics: none says whether a variant causes disease.

Sources: BLOSUM62, Henikoff & Henikoff, PNAS 1992; distance, Grantham, Science 1974; hydropathy,
Kyte & Doolittle, J Mol Biol 1982; residue volumes, Zamyatnin, Prog Biophys Mol Biol 1972;
charge of side chains near pH 7, histidine counted as neutral.
"""

from __future__ import annotations

from collections.abc import Iterator

from labagent.tools.sequences.letters import AMINO_ACIDS
from labagent.tools.variants.records import EffectEvidence, Variant

LABEL = (
    "heuristics on the exchange of amino acids; they do not say whether the variant is pathogenic, and no "
    "evidence from patients, assays or structures is among them"
)
GRANTHAM_ORDER = "SRLPTAVGIFYCHQNKDEMW"
GRANTHAM_ROWS = (
    (110, 145, 74, 58, 99, 124, 56, 142, 155, 144, 112, 89, 68, 46, 121, 65, 80, 135, 177),
    (102, 103, 71, 112, 96, 125, 97, 97, 77, 180, 29, 43, 86, 26, 96, 54, 91, 101),
    (98, 92, 96, 32, 138, 5, 22, 36, 198, 99, 113, 153, 107, 172, 138, 15, 61),
    (38, 27, 68, 42, 95, 114, 110, 169, 77, 76, 91, 103, 108, 93, 87, 147),
    (58, 69, 59, 89, 103, 92, 149, 47, 42, 65, 78, 85, 65, 81, 128),
    (64, 60, 94, 113, 112, 195, 86, 91, 111, 106, 126, 107, 84, 148),
    (109, 29, 50, 55, 192, 84, 96, 133, 97, 152, 121, 21, 88),
    (135, 153, 147, 159, 98, 87, 80, 127, 94, 98, 127, 184),
    (21, 33, 198, 94, 109, 149, 102, 168, 134, 10, 61),
    (22, 205, 100, 116, 158, 102, 177, 140, 28, 40),
    (194, 83, 99, 143, 85, 160, 122, 36, 37),
    (174, 154, 139, 202, 154, 170, 196, 215),
    (24, 68, 32, 81, 40, 87, 115),
    (46, 53, 61, 29, 101, 130),
    (94, 23, 42, 142, 174),
    (101, 56, 95, 110),
    (45, 160, 181),
    (126, 152),
    (67,),
)
"""Grantham 1974, table 2: row k holds the distances of residue k to those behind it."""
HYDROPATHY = {
    "A": 1.8, "R": -4.5, "N": -3.5, "D": -3.5, "C": 2.5, "Q": -3.5, "E": -3.5, "G": -0.4, "H": -3.2, "I": 4.5,
    "L": 3.8, "K": -3.9, "M": 1.9, "F": 2.8, "P": -1.6, "S": -0.8, "T": -0.7, "W": -0.9, "Y": -1.3, "V": 4.2,
}  # fmt: skip
VOLUME = {
    "A": 88.6, "R": 173.4, "N": 114.1, "D": 111.1, "C": 108.5, "Q": 143.8, "E": 138.4, "G": 60.1, "H": 153.2,
    "I": 166.7, "L": 166.7, "K": 168.6, "M": 162.9, "F": 189.9, "P": 112.7, "S": 89.0, "T": 116.1, "W": 227.8,
    "Y": 193.6, "V": 140.0,
}  # fmt: skip
CHARGE = {"K": 1, "R": 1, "D": -1, "E": -1}


def grantham(first: str, second: str) -> int:
    """Grantham's distance of two standard amino acids, 0 to 215, as published."""
    low, high = sorted(map(GRANTHAM_ORDER.index, (first, second)))
    return GRANTHAM_ROWS[low][high - low - 1] if low < high else 0


def evidence_of(old: str, new: str) -> tuple[EffectEvidence, ...]:
    """The figures on one exchange of standard amino acids; none for others."""
    if not {old, new} <= AMINO_ACIDS:
        return ()
    from Bio.Align import substitution_matrices

    blosum = float(substitution_matrices.load("BLOSUM62")[old, new])
    return (
        EffectEvidence(
            name="BLOSUM62",
            value=blosum,
            unit="half bits",
            scale="-4 (rarely exchanged in related proteins) to 3; above 0: more often than by chance",
            source="Henikoff & Henikoff 1992",
        ),
        EffectEvidence(
            name="Grantham distance",
            value=float(grantham(old, new)),
            unit="",
            scale="5 (alike) to 215 (unlike)",
            source="Grantham 1974",
        ),
        _change("hydropathy", HYDROPATHY, old, new, "", "-4.5 (hydrophilic) to 4.5", "Kyte & Doolittle 1982"),
        _change("charge", CHARGE, old, new, "e", "side chain near pH 7, histidine neutral", "side-chain pKa"),
        _change("volume", VOLUME, old, new, "Å³", "60.1 (Gly) to 227.8 (Trp)", "Zamyatnin 1972"),
    )


def _change(
    name: str,
    scale: dict[str, float] | dict[str, int],
    old: str,
    new: str,
    unit: str,
    means: str,
    source: str,
) -> EffectEvidence:
    """A property before, after and the change."""
    before, after = float(scale.get(old, 0)), float(scale.get(new, 0))
    return EffectEvidence(
        name=name,
        wild_type=before,
        mutant=after,
        value=round(after - before, 3),
        unit=unit,
        scale=f"mutant minus wild type; {means}",
        source=source,
    )


def flags_of(variant: Variant, length: int) -> Iterator[str]:
    """Plain facts on a variant; ``length`` of the protein in residues, 0 where it is not known."""
    start = variant.start
    if start is None:
        return
    if variant.kind == "substitution":
        yield from _exchange_flags(start.residue, variant.inserted)
    if variant.kind in ("nonsense", "frameshift"):
        kept = f"{start.base - 1} residues before it are unchanged"
        yield "premature stop" if variant.kind == "nonsense" else "reading frame shifted"
        yield f"{kept} ({100 * (start.base - 1) / length:.0f} % of {length})" if length else kept
    if variant.kind in ("deletion", "duplication"):
        count = (variant.end.base if variant.end else start.base) - start.base + 1
        what = "lost" if variant.kind == "deletion" else "doubled"
        yield f"{count} residue{'s' * (count > 1)} {what}; in frame"
    if variant.kind in ("insertion", "delins") and "*" not in variant.inserted:
        yield f"{len(variant.inserted)} residue{'s' * (len(variant.inserted) > 1)} put in; in frame"


def _exchange_flags(old: str, new: str) -> Iterator[str]:
    """What is gained or lost by an exchange."""
    for letters, name in (("P", "proline"), ("G", "glycine"), ("C", "cysteine"), ("FWYH", "aromatic ring")):
        if (old in letters) != (new in letters):
            yield f"{name} {'lost' if old in letters else 'gained'}"
    change = CHARGE.get(new, 0) - CHARGE.get(old, 0)
    if abs(change) == 2:
        yield "charge reversal"
    elif change:
        yield "charge gained" if old not in CHARGE else "charge lost"
