"""Variants by their notation, in the protein that is named with them."""

from __future__ import annotations

from collections.abc import Sequence

from labagent.ask.plans import _variants
from labagent.ask.slots import Slots
from labagent.ask.work import Done, Step, Work

TEMPLATE = ""
ORDER = 25
NOTATION = frozenset({"notation", "kind", "residues"})


def fits(slots: Slots) -> bool:
    """A variant without a sequence."""
    return slots.routing.route == "mutation" and bool(slots.variants) and not slots.sequences


def steps(slots: Slots) -> Sequence[Step]:
    """One step: the notation alone, or the variant in its protein."""
    only_notation = slots.asks(*NOTATION) and slots.aspects <= NOTATION
    if only_notation or not _variants.gene_slots(slots):
        return [Step("notation", _variants.read)]
    changed = [Step("variant.apply", _variants.apply, needs=("variant",))] if slots.asks("apply") else []
    return [Step("variant", _in_protein), *changed]


def _in_protein(work: Work) -> Done:
    """The entry, the reading, the figures, and what the entry says of the variant."""
    _variants.entry(work)
    read = _variants.read(work)
    if read.status != "ok":
        return read
    done = _variants.effect(work)
    return Done("ok", done.note) if done.status == "empty" else done
