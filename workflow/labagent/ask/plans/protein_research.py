"""A protein: its sequence (where one is given), its entry, papers on it."""

from __future__ import annotations

from collections.abc import Sequence

from labagent.ask.plans import _papers, _sequences, protein_entry
from labagent.ask.plans._proteins import Protein
from labagent.ask.plans._queries import by_names
from labagent.ask.slots import Slots
from labagent.ask.work import Done, Step, Work

TEMPLATE = "protein_research"
ORDER = 100


def fits(slots: Slots) -> bool:
    """A protein that is named."""
    return bool(slots.proteins or slots.elsewhere)


def steps(slots: Slots) -> Sequence[Step]:
    """What the sequence says, the entry, the literature."""
    first = _sequences.steps(slots)[:2] if slots.sequences else []
    return [*first, Step("entry", protein_entry.find), Step("literature", _papers_on, needs=("entry",))]


def _papers_on(work: Work) -> Done:
    """Papers on the proteins that were found, never on a word of the question."""
    proteins: list[Protein] = work.found.get("proteins", [])
    genes = dict.fromkeys(str(p.record.get("gene") or p.record.get("name")) for p in proteins)
    names = [gene if gene.isalnum() else f'"{gene}"' for gene in genes if gene]
    query = by_names(work.slots.routing.query, proteins) or " OR ".join(names)
    found = _papers.by_query(work, query)
    if found.status != "empty":
        return found
    return _papers.cited(work, [pmid for p in proteins for pmid in p.record.get("pmids", [])])
