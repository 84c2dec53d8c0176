"""Writing variants as HGVS recommends, and in one-letter form."""

from __future__ import annotations

from labagent.tools.variants.records import Position, Variant
from labagent.tools.variants.residues import three


def hgvs(variant: Variant, *, stated: bool = False, reference: bool = True) -> str:
    """A variant as text.

    Args:
        variant: what to write.
        stated: keep the deleted residues a text states (``del`` and ``dup`` of DNA); HGVS leaves them out.
        reference: with the accession before it, where there is one.
    """
    body = _protein(variant) if variant.level == "p" else _nucleotide(variant, stated)
    body = f"({body})" if variant.predicted else body
    prefix = f"{variant.reference}:" if variant.reference and reference else ""
    return f"{prefix}{variant.level}.{body}"


def short(variant: Variant) -> str:
    """``G12D``, ``W24*``, ``F508del``, ``K2_T3insA``; empty for what has no such form."""
    if (
        variant.level != "p"
        or variant.start is None
        or variant.kind in ("extension", "start_loss", "unknown")
    ):
        return ""
    place = "_".join(f"{p.residue}{p.base}" for p in (variant.start, variant.end) if p)
    if variant.kind == "frameshift":
        return f"{place}fs"
    words = {
        "deletion": "del",
        "insertion": "ins",
        "duplication": "dup",
        "delins": "delins",
        "synonymous": "=",
    }
    return place + words.get(variant.kind, "") + variant.inserted


def place(position: Position) -> str:
    """A nucleotide place: ``88+1``, ``-14``, ``*32``."""
    anchor = {"": "", "5": "-", "3": "*"}[position.anchor]
    return f"{anchor}{position.base}" + (f"{position.offset:+d}" if position.offset else "")


def _protein(v: Variant) -> str:
    """What stands behind ``p.``."""
    if v.kind == "no_protein":
        return "0"
    if v.start is None:
        return "=" if v.kind == "synonymous" else "?"
    where = "_".join(f"{three(p.residue)}{p.base}" for p in (v.start, v.end) if p)
    count = "" if v.count is None else "Ter" + (str(v.count) if v.count else "?")
    if v.kind == "frameshift":
        return f"{where}{three(v.inserted)}fs{count}"
    if v.kind == "extension":
        if v.start.residue == "M" and v.start.base == 1:
            return f"{where}{three(v.inserted)}ext{v.count if v.count else '-?'}"
        return f"{where}{three(v.inserted)}ext{count}"
    words = {
        "deletion": "del",
        "insertion": "ins",
        "duplication": "dup",
        "delins": "delins",
        "synonymous": "=",
    }
    return where + {"start_loss": "?"}.get(v.kind, words.get(v.kind, "")) + three(v.inserted)


def _nucleotide(v: Variant, stated: bool) -> str:
    """What stands behind ``c.``, ``g.``, ``n.``, ``m.``."""
    if v.start is None:
        return "=" if v.kind == "synonymous" else "?"
    where = "_".join(place(p) for p in (v.start, v.end) if p)
    lost = v.deleted if stated else ""
    return (
        where
        + {
            "substitution": f"{v.deleted}>{v.inserted}",
            "synonymous": f"{v.deleted}=",
            "deletion": f"del{lost}",
            "duplication": f"dup{lost}",
            "inversion": "inv",
            "insertion": f"ins{v.inserted}",
            "delins": f"del{lost}ins{v.inserted}",
        }[v.kind]
    )
