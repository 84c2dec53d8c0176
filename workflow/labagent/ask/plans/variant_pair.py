"""A sequence and what became of it: two sequences compared, or a variant applied to one."""

from __future__ import annotations

from collections.abc import Sequence

from labagent.ask.plans._sequences import done, text_of, type_of
from labagent.ask.slots import Slots
from labagent.ask.work import Done, Step, Work

TEMPLATE = ""
ORDER = 20


def fits(slots: Slots) -> bool:
    """A question about a change, with the sequence it is in."""
    return (
        slots.routing.route == "mutation"
        and bool(slots.sequences)
        and bool(slots.variants or slots.sequences[1:])
    )


def steps(slots: Slots) -> Sequence[Step]:
    """One step."""
    if len(slots.sequences) > 1:
        return [Step("variant.compare", _compare)]
    if slots.asks("effect", "significance"):
        return [Step("variant.effect", _effect)]
    if slots.asks("apply"):
        return [Step("variant.apply", _apply)]
    return [Step("variant.compare", _compare_with_variant)]


def _compare(work: Work) -> Done:
    """Wild type against mutant."""
    first, second = work.slots.pair or work.slots.sequences[:2]
    return done(work, [work.call("variant.compare", wild_type=text_of(first), mutant=text_of(second))])


def _compare_with_variant(work: Work) -> Done:
    """The sequence against what each variant makes of it."""
    text = text_of(work.slots.sequences[0])
    return done(
        work, [work.call("variant.compare", wild_type=text, mutant=v.value) for v in work.slots.variants]
    )


def _apply(work: Work) -> Done:
    """The sequence with each variant in it."""
    slot = work.slots.sequences[0]
    return done(
        work,
        [
            work.call("variant.apply", sequence=text_of(slot), variant=v.value, type=type_of(slot))
            for v in work.slots.variants
        ],
    )


def _effect(work: Work) -> Done:
    """Figures on each exchange, its residue checked in the sequence."""
    text = text_of(work.slots.sequences[0])
    return done(
        work, [work.call("variant.effect", variant=v.value, sequence=text) for v in work.slots.variants]
    )
