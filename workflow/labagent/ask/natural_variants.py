"""Natural variants of an entry: which of them a question is about, and how one is written."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from labagent.ask.checking.leaves import THREE
from labagent.errors import ToolError

MOST = 8


def written(variant: dict[str, Any]) -> str:
    """``R175H``; empty where more than one residue changes."""
    old, new = variant["original"], variant["changed"]
    if variant["first"] == variant["last"] and len(old) == len(new) == 1:
        return f"{old}{variant['first']}{new}"
    return ""


def is_variant(variant: dict[str, Any], hgvs: str, sequence: str = "") -> bool:
    """Whether a natural variant is the one of an HGVS name: a substitution, or a deletion.

    With the sequence, every change that leaves the same protein: UniProt and HGVS name different residues
    of a repeat (KIT V559del is p.Val560del).
    """
    letters = hgvs.removeprefix("p.").strip("()")
    old, new, first, last = variant["original"], variant["changed"], variant["first"], variant["last"]
    if first == last and len(old) == len(new) == 1:
        return letters == f"{THREE.get(old, '?')}{first}{THREE.get(new, '?')}"
    if old and not new:
        begin, end = f"{THREE.get(old[0], '?')}{first}", f"{THREE.get(old[-1], '?')}{last}"
        if letters == (f"{begin}del" if first == last else f"{begin}_{end}del"):
            return True
    if not sequence or sequence[first - 1 : last] != old:
        return False
    return _changed(hgvs, sequence) == f"{sequence[: first - 1]}{new}{sequence[last:]}"


@lru_cache(maxsize=64)
def _changed(hgvs: str, sequence: str) -> str:
    """A protein with a change; empty where it cannot be made."""
    from labagent.tools.variants.applying import apply_edit, edit_of
    from labagent.tools.variants.reading import read_variant

    try:
        edit = edit_of(read_variant(hgvs), sequence)
    except ToolError:
        return ""
    return apply_edit(sequence, edit) if edit.complete else ""


def telling_variants(found: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The first of those with a disease, else with a dbSNP number, else of all."""
    told = [v for v in found if v["diseases"]] or [v for v in found if v["dbsnp"]] or list(found)
    return told[:MOST]


def chosen_variants(
    found: Sequence[dict[str, Any]], dbsnp: str, wanted: Sequence[str], sequence: str = ""
) -> list[dict[str, Any]]:
    """Those with a dbSNP number, or of these HGVS names."""
    return [
        v
        for v in found
        if (dbsnp and dbsnp in v["dbsnp"]) or any(is_variant(v, name, sequence) for name in wanted)
    ]
