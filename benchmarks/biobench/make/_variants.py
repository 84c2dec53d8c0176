"""Changes of proteins: their names, what records know of them, and two simple scales."""

from __future__ import annotations

from typing import Any

from _task import Gold, number, proteins, string, three
from Bio.Align import substitution_matrices
from Bio.SeqUtils.ProtParamData import kd

BLOSUM62 = substitution_matrices.load("BLOSUM62")


def checked(accession: str, change: str) -> str:
    """``change`` after a look at the sequence."""
    sequence = proteins()[accession]["sequence"]
    if sequence[int(change[1:-1]) - 1] != change[0]:
        raise SystemExit(f"{accession}: residue {change[1:-1]} is not {change[0]}")
    return three(change)


def residues_are(accession: str, *wanted: str) -> None:
    """Stop where a residue (``D770``) is another one in the record."""
    sequence = proteins()[accession]["sequence"]
    wrong = [w for w in wanted if sequence[int(w[1:]) - 1] != w[0]]
    if wrong:
        raise SystemExit(f"{accession}: {', '.join(wrong)} is not in the record")


def known(accession: str, change: str) -> dict[str, Any]:
    """The natural variant of a record."""
    place = int(change[1:-1])
    return next(
        v
        for v in proteins()[accession]["variants"]
        if v["first"] == place and v["from"] == change[0] and v["to"] == change[-1]
    )


def variant(*names: str) -> Gold:
    """A variant; its HGVS name, or another accepted one."""
    return string("variant", *names)


def scales(change: str) -> list[Gold]:
    """BLOSUM62 and the difference on the Kyte-Doolittle scale."""
    before, after = change[0], change[-1]
    return [
        number("blosum62", int(BLOSUM62[before][after])),
        number("hydropathy_change", round(kd[after] - kd[before], 1), "", 0.05, absolute=True),
    ]
