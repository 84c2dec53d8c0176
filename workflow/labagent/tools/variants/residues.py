"""Names of amino acids."""

from __future__ import annotations

from labagent.errors import ToolError

THREE = {
    "A": "Ala", "R": "Arg", "N": "Asn", "D": "Asp", "C": "Cys", "Q": "Gln", "E": "Glu", "G": "Gly",
    "H": "His", "I": "Ile", "L": "Leu", "K": "Lys", "M": "Met", "F": "Phe", "P": "Pro", "S": "Ser",
    "T": "Thr", "W": "Trp", "Y": "Tyr", "V": "Val", "U": "Sec", "O": "Pyl", "X": "Xaa", "B": "Asx",
    "Z": "Glx", "J": "Xle", "*": "Ter",
}  # fmt: skip
ONE = {three.upper(): one for one, three in THREE.items()} | {"STOP": "*"}


def three(letters: str) -> str:
    """``GD*`` → ``GlyAspTer``."""
    return "".join(THREE[c] for c in letters)


def single(name: str) -> str:
    """One residue, written in one or three letters of any case."""
    return ONE.get(name.upper()) or one(name)


def one(text: str) -> str:
    """Residues in three letters, or in one, as one letters; ``Ter``, ``*`` and a lone ``X`` are ``*``.

    Raises:
        ToolError: ``input``: no amino acid has such a name.
    """
    upper = text.upper()
    if upper == "X":
        return "*"
    if upper in ONE and (upper != text or len(text) != 3):
        return ONE[upper]
    groups = [upper[k : k + 3] for k in range(0, len(upper), 3)]
    if len(upper) % 3 == 0 and all(g in ONE for g in groups) and not text.isupper():
        return "".join(ONE[g] for g in groups)
    if all(c in THREE for c in upper):
        return upper
    if len(upper) % 3 == 0 and all(g in ONE for g in groups):
        return "".join(ONE[g] for g in groups)
    raise ToolError("input", f"{text[:30]!r} names no amino acids", field="text", value=text[:30])
