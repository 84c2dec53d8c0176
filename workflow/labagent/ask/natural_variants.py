"""Natural variants of an entry: which of them a question is about, and how one is written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from labagent.ask.checking.leaves import THREE

MOST = 8


def written(variant: dict[str, Any]) -> str:
    """``R175H``; empty where more than one residue changes."""
    old, new = variant["original"], variant["changed"]
    if variant["first"] == variant["last"] and len(old) == len(new) == 1:
        return f"{old}{variant['first']}{new}"
    return ""


def is_variant(variant: dict[str, Any], hgvs: str) -> bool:
    """Whether a natural variant is the one of an HGVS name: a substitution, or a deletion."""
    letters = hgvs.removeprefix("p.").strip("()")
    old, new, first, last = variant["original"], variant["changed"], variant["first"], variant["last"]
    if first == last and len(old) == len(new) == 1:
        return letters == f"{THREE.get(old, '?')}{first}{THREE.get(new, '?')}"
    if old and not new:
        begin, end = f"{THREE.get(old[0], '?')}{first}", f"{THREE.get(old[-1], '?')}{last}"
        return letters == (f"{begin}del" if first == last else f"{begin}_{end}del")
    return False


def telling_variants(found: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The first of those with a disease, else with a dbSNP number, else of all."""
    told = [v for v in found if v["diseases"]] or [v for v in found if v["dbsnp"]] or list(found)
    return told[:MOST]


def chosen_variants(
    found: Sequence[dict[str, Any]], dbsnp: str, wanted: Sequence[str]
) -> list[dict[str, Any]]:
    """Those with a dbSNP number, or of these HGVS names."""
    return [v for v in found if (dbsnp and dbsnp in v["dbsnp"]) or any(is_variant(v, h) for h in wanted)]
