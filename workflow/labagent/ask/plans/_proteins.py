"""Finding entries of proteins: the one that was asked for, of the organism that was asked for, or none."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from labagent.ask.slots import Slot
from labagent.ask.work import Done, Work, outcome_of
from labagent.models.asking import CallRecord

WORD = re.compile(r"[A-Za-z0-9]+")
FETCH, SEARCH = "uniprot.fetch", "uniprot.search"
OVERVIEW = ("names", "function", "locations", "go", "keywords", "ec", "diseases", "isoforms")
FIELDS: dict[str, tuple[str, ...]] = {
    "function": ("function", "go", "keywords", "ec"),
    "location": ("locations", "go"),
    "go": ("go",),
    "keywords": ("keywords",),
    "ec": ("ec",),
    "catalysis": ("function", "ec", "go"),
    "pathway": ("go", "function"),
    "interactions": ("go", "function"),
    "expression": ("function", "keywords"),
    "domains": ("features",),
    "features": ("features",),
    "sites": ("features",),
    "variants": ("variants", "diseases"),
    "diseases": ("diseases", "variants"),
    "isoforms": ("isoforms",),
    "sequence": ("sequence",),
    "align": ("sequence",),
    "pi": ("sequence",),
    "gravy": ("sequence",),
    "extinction": ("sequence",),
    "charge": ("sequence",),
    "composition": ("sequence",),
    "cross_references": ("references",),
    "pdb": ("references",),
    "papers": ("papers",),
    "name": ("names",),
    "gene": ("names",),
    "accession": ("names",),
    "entry": ("names",),
}
"""Parts of an entry that an aspect needs. Names, gene, organism, length, mass and versions always come."""
ALWAYS = ("length", "mass", "organism", "evidence", "count", "compare")


@dataclass(frozen=True)
class Protein:
    """A protein that was found: what was asked, the search that led to it (if any), its entry."""

    slot: Slot
    entry: CallRecord
    search: CallRecord | None = None

    @property
    def record(self) -> dict[str, Any]:
        """The entry."""
        return self.entry.result or {}


def parts_for(aspects: frozenset[str], extra: Sequence[str] = ()) -> list[str]:
    """The parts of an entry that are asked for, in a fixed order; an overview where nothing is."""
    known = [aspect for aspect in sorted(aspects) if aspect in FIELDS or aspect in ALWAYS]
    parts = [part for aspect in known for part in FIELDS.get(aspect, ())]
    if not known:
        parts = list(OVERVIEW)
    return list(dict.fromkeys([*parts, *extra])) or ["names"]


def look_up(work: Work, slots: Sequence[Slot], parts: Sequence[str]) -> tuple[list[Protein], Done]:
    """Find each protein; what is not found, or is another one than asked for, is said."""
    found = [protein for slot in slots if (protein := _one(work, slot, parts))]
    missing = [s.value for s in slots if s not in [p.slot for p in found]]
    found = _each_once(found)
    if not missing:
        return found, Done("ok")
    return found, Done("ok" if found else "empty", f"not found: {', '.join(missing)}")


def _each_once(found: Sequence[Protein]) -> list[Protein]:
    """Each entry once, though it is named by gene, name and accession; the accession says it best."""
    kept: dict[tuple[str, str], Protein] = {}
    for protein in found:
        key = (str(protein.record.get("accession")), str(protein.record.get("isoform") or ""))
        if key not in kept or (kept[key].search is not None and protein.search is None):
            kept[key] = protein
    forms = {accession for accession, isoform in kept if isoform}
    return [p for key, p in kept.items() if key[1] or key[0] not in forms or p.search is None]


def _one(work: Work, slot: Slot, parts: Sequence[str]) -> Protein | None:
    """The entry of one protein."""
    if slot.namespace in ("uniprot", "uniprot_entry"):
        return _fetched(work, slot, _as_asked(slot), parts)
    search = _search(work, slot)
    if search.status == "error":
        work.tell(search)
        work.end(outcome_of(search))
        return None
    hit = _fitting(work, slot, search)
    if hit is None:
        return None
    more = {"gene": [], "name": ["names"]}.get(slot.namespace, ["references"])
    found = _fetched(work, slot, hit["accession"], list(dict.fromkeys([*parts, *more])), search)
    if found and slot.namespace == "name" and not is_named(found.record, slot):
        work.tell(search, asked=slot)
        work.end("not_found")
        return None
    return found


def _as_asked(slot: Slot) -> str:
    """An accession with the isoform and version it was written with."""
    written = slot.entity.written.upper()
    if re.fullmatch(re.escape(slot.value) + r"(-\d+)?(\.\d+)?", written):
        return written
    isoform, version = slot.fact("isoform"), slot.fact("version")
    return slot.value + (f"-{isoform}" if isoform else "") + (f".{version}" if version else "")


def _fetched(
    work: Work, slot: Slot, accession: str, parts: Sequence[str], search: CallRecord | None = None
) -> Protein | None:
    """An entry by accession; an older version that cannot be had is said, and the current one given."""
    call = work.call(FETCH, accession=accession, fields=list(parts))
    bare = accession.partition(".")[0]
    if call.error and call.error.code == "not_found" and bare != accession:
        work.tell(call)
        call = work.call(FETCH, accession=bare, fields=list(parts))
    if call.status == "error":
        work.tell(call, asked=slot)
        work.end(outcome_of(call))
        return None
    return Protein(slot, call, search)


def _search(work: Work, slot: Slot) -> CallRecord:
    """Look for a gene by symbol and organism, for anything else by its words; reviewed entries first."""
    gene = slot.value if slot.namespace == "gene" else str(slot.fact("gene"))
    taxon = slot.fact("taxon") or None
    organism = slot.fact("organism") or next((o.value for o in work.slots.organisms), "")
    where = {"taxon": taxon} if taxon else {"organism": organism}
    asked = [{"gene": gene, **where}] if gene else [{"query": slot.value, **where}]
    if slot.namespace == "name" and gene:
        asked.append({"query": slot.value, **where})
    for conditions in asked:
        for reviewed in (True, None):
            call = work.call(SEARCH, **conditions, reviewed=reviewed)
            if call.status == "error" or (call.result and call.result["hits"]):
                return call
    return call


def _fitting(work: Work, slot: Slot, search: CallRecord) -> dict[str, Any] | None:
    """The hit that is what was asked for; more than one is asked back, none is said."""
    hits: list[dict[str, Any]] = (search.result or {}).get("hits", [])
    if slot.namespace == "gene":
        hits = [h for h in hits if is_gene(h, slot.value)]
        own = [h for h in hits if h["gene"].casefold() == slot.value.casefold()]
        hits = own or hits
        if len({h["organism"] for h in hits}) > 1 and not slot.fact("organism"):
            work.tell(search, ambiguous=slot)
            work.end("ask")
            return None
    if not hits:
        work.tell(search, asked=slot)
        work.end("not_found")
        return None
    return hits[0]


def is_named(record: dict[str, Any], slot: Slot) -> bool:
    """Whether an entry is called what was asked for: by its gene, or by every word of the name."""
    gene = str(slot.fact("gene"))
    if gene and is_gene(record, gene):
        return True
    called = [record["name"], *record["names"], record["gene"], *record["gene_synonyms"]]
    words = {w.casefold() for text in called for w in WORD.findall(str(text))}
    asked = (slot.value, slot.entity.written)
    return any(parts and {p.casefold() for p in parts} <= words for parts in map(WORD.findall, asked))


def is_gene(hit: dict[str, Any], symbol: str) -> bool:
    """Whether a hit's gene, by its symbol or a synonym, is the one asked for."""
    names = (hit["gene"], *hit.get("gene_synonyms", ()))
    return symbol.casefold() in {str(name).casefold() for name in names}
