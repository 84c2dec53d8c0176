"""Literature queries that are made anew: accessions as names, all words relaxed to any of them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from labagent.ask.plans._proteins import Protein

TERM = re.compile(r'"[^"]*"(?:\[[^\]]*\])?|\([^()]*\)|[^\s()]+')
SPECIFIC = re.compile(r"\d|[A-Z]{2,}|\[dp\]|\[au\]")
"""Signs of a name or a condition, which stays when other words are relaxed."""
LEAST = 2


def by_names(query: str, proteins: Sequence[Protein]) -> str:
    """A query with each accession put as the gene or name of its entry."""
    for protein in proteins:
        names = _names(protein)
        if not names or protein.slot.namespace in ("gene", "name"):
            continue
        for written in {protein.slot.value, protein.slot.entity.written} - {""}:
            pattern = rf'"?(?<![\w-]){re.escape(written)}(?![\w-])"?'
            query = re.sub(pattern, names.replace("\\", ""), query, flags=re.IGNORECASE)
    return query


def _names(protein: Protein) -> str:
    """Gene or name of an entry, as one term."""
    found = [str(protein.record.get(part) or "").replace('"', "") for part in ("gene", "name")]
    terms = [term if term.isalnum() else f'"{term}"' for term in found if term]
    return f"({' OR '.join(terms)})" if len(terms) > 1 else "".join(terms)


def relaxed(query: str) -> str:
    """A query that any of the words of everyday fits, with what is more telling; empty where it has no such.

    Names, numbers, phrases, conditions and what is already in alternatives stay.
    """
    if re.search(r"\bNOT\b|\([^()]*\(", query):
        return ""
    flat = re.sub(r"\(([^()]*)\)", lambda m: m[0] if " OR " in m[1] else m[1], query)
    terms = [t for t in TERM.findall(flat) if t not in ("AND",)]
    if "OR" in terms:
        return ""
    kept = [t for t in terms if SPECIFIC.search(t) or (t.startswith(("(", '"')) and t.isascii())]
    loose = [t for t in terms if t not in kept]
    if len(loose) < LEAST:
        kept = [t for t in terms if t.startswith("(") or t.endswith("[dp]")]
        loose = [t for t in terms if t not in kept]
    if len(loose) < LEAST:
        return ""
    return " AND ".join([*kept, f"({' OR '.join(loose)})"] if kept else [" OR ".join(loose)])
