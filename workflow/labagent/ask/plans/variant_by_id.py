"""Variants by dbSNP number: entries whose variants carry it."""

from __future__ import annotations

from collections.abc import Sequence

from labagent.ask.plans._proteins import FETCH, SEARCH, Protein, parts_for
from labagent.ask.plans._variants import tell_variants
from labagent.ask.slots import Slot, Slots
from labagent.ask.work import Done, Step, Work, outcome_of

TEMPLATE = ""
ORDER = 26
MOST = 2
"""Entries that are read for one number."""


def fits(slots: Slots) -> bool:
    """A dbSNP number and nothing that is more exact."""
    return (
        slots.routing.route == "mutation" and bool(slots.dbsnp) and not slots.variants and not slots.sequences
    )


def steps(slots: Slots) -> Sequence[Step]:
    """One step."""
    return [Step("dbsnp", _find)]


def _find(work: Work) -> Done:
    """Entries that name each number."""
    results = [_one(work, slot) for slot in work.slots.dbsnp]
    return Done("ok" if any(results) else "empty", "" if all(results) else "not every number was found")


def _one(work: Work, slot: Slot) -> bool:
    """The variants of one number."""
    search = work.call(SEARCH, query=slot.value)
    hits = (search.result or {}).get("hits", [])
    told = False
    for hit in hits[:MOST]:
        call = work.call(FETCH, accession=hit["accession"], fields=parts_for(frozenset({"variants"})))
        variants = (call.result or {}).get("variants", [])
        if any(slot.value in variant["dbsnp"] for variant in variants):
            tell_variants(work, Protein(slot, call, None), dbsnp=slot.value)
            told = True
    if not told:
        work.tell(search, asked=slot)
        work.end(outcome_of(search) if search.status == "error" else "not_found")
    return told
