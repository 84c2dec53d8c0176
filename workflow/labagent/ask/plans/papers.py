"""Papers by PubMed id, or by a query."""

from __future__ import annotations

from collections.abc import Sequence

from labagent.ask.plans import _papers
from labagent.ask.plans._proteins import look_up
from labagent.ask.plans._queries import by_names
from labagent.ask.slots import Slots
from labagent.ask.work import Done, Step, Work

TEMPLATE = ""
ORDER = 40


def fits(slots: Slots) -> bool:
    """A question about literature that says which, or on what."""
    return slots.routing.route == "literature" and bool(slots.pmids or slots.routing.query)


def steps(slots: Slots) -> Sequence[Step]:
    """One step; where the query has an accession, the entry first, which knows names."""
    if slots.pmids:
        return [Step("papers", _papers.by_id)]
    if any(slot.namespace in ("uniprot", "uniprot_entry") for slot in slots.proteins):
        return [Step("entry", _entries), Step("search", _on_entries)]
    return [Step("search", _papers.by_query)]


def _entries(work: Work) -> Done:
    """The entries of the accessions."""
    own = [slot for slot in work.slots.proteins if slot.namespace in ("uniprot", "uniprot_entry")]
    work.found["proteins"], came = look_up(work, own, ["names"])
    return came


def _on_entries(work: Work) -> Done:
    """Papers by the names of what was found."""
    return _papers.by_query(work, by_names(work.slots.routing.query, work.found.get("proteins", [])))
