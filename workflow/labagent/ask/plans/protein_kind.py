"""Whether a protein is of a kind: its entry says so, not a search for papers with both words."""

from __future__ import annotations

from collections.abc import Sequence

from labagent.ask.composing._yes_no import asked_kind
from labagent.ask.plans import protein_entry
from labagent.ask.slots import Slots
from labagent.ask.work import Step

TEMPLATE = ""
ORDER = 38


def fits(slots: Slots) -> bool:
    """A yes or no is asked on a gene or entry, and no paper."""
    named = any(slot.namespace != "name" or slot.fact("gene") for slot in slots.proteins)
    wanted = slots.routing.route == "literature" and named and not slots.pmids
    return wanted and not slots.asks("papers", "reviews") and bool(asked_kind(slots.question))


def steps(slots: Slots) -> Sequence[Step]:
    """The entry."""
    return [Step("entry", protein_entry.find)]
