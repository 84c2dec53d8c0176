"""Sequences: statistics, translation, reading frames, the other strand, alignment."""

from __future__ import annotations

from collections.abc import Sequence

from labagent.ask.plans import _sequences
from labagent.ask.slots import Slots
from labagent.ask.work import Step

TEMPLATE = ""
ORDER = 10


def fits(slots: Slots) -> bool:
    """A sequence in a question about sequences."""
    return slots.routing.route == "sequence" and bool(slots.sequences)


def steps(slots: Slots) -> Sequence[Step]:
    """One step a tool that is asked for."""
    return _sequences.steps(slots)
