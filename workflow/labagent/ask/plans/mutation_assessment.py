"""A variant in its protein: the entry, the reading, figures on the exchange, papers."""

from __future__ import annotations

from collections.abc import Sequence

from labagent.ask.plans import _variants
from labagent.ask.slots import Slots
from labagent.ask.work import Step

TEMPLATE = "mutation_assessment"
ORDER = 110


def fits(slots: Slots) -> bool:
    """A variant and its protein; with a sequence instead, the comparison is the answer."""
    return bool(slots.variants) and not slots.sequences and bool(_variants.gene_slots(slots))


def steps(slots: Slots) -> Sequence[Step]:
    """Entry, reading, effect, literature."""
    changed = [Step("variant.apply", _variants.apply, needs=("effect",))] if slots.asks("apply") else []
    return [
        Step("entry", _variants.entry),
        Step("read", _variants.read),
        Step("effect", _variants.effect, needs=("read",)),
        *changed,
        Step("literature", _variants.literature, needs=("read", "effect")),
    ]
