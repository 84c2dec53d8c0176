"""Papers by PubMed id, or by a query."""

from __future__ import annotations

from collections.abc import Sequence

from labagent.ask.plans import _papers
from labagent.ask.slots import Slots
from labagent.ask.work import Step

TEMPLATE = ""
ORDER = 40


def fits(slots: Slots) -> bool:
    """A question about literature that says which, or on what."""
    return slots.routing.route == "literature" and bool(slots.pmids or slots.routing.query)


def steps(slots: Slots) -> Sequence[Step]:
    """One step."""
    return [Step("papers", _papers.by_id) if slots.pmids else Step("search", _papers.by_query)]
