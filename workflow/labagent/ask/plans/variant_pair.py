"""A sequence and what became of it: two sequences compared, or a variant applied to one."""

from __future__ import annotations

from collections.abc import Sequence

from labagent.ask.plans import _variants
from labagent.ask.plans._chains import stated_type
from labagent.ask.plans._sequences import done, text_of
from labagent.ask.slots import Slot, Slots
from labagent.ask.work import Done, Step, Work
from labagent.models.asking import CallRecord

TEMPLATE = ""
ORDER = 20
EFFECT = ("effect", "significance")
NO_CHANGE = ("p.=", "p.(=)", "p.?")
MOST = 8
"""Exchanges of a pair that figures are given on."""
SHORT = 12
"""Letters up to which bases and residues cannot be told apart."""


def fits(slots: Slots) -> bool:
    """A question about a change, with the sequence it is in."""
    return (
        slots.routing.route == "mutation"
        and bool(slots.sequences)
        and bool(slots.variants or slots.sequences[1:])
    )


def steps(slots: Slots) -> Sequence[Step]:
    """The comparison; of a notation what it makes of the sequence, with figures where its effect is asked."""
    made = _steps(slots)
    papers = [Step("literature", _papers_on)] if slots.asks("papers") and _named(slots) else []
    return [*made, *papers]


def _named(slots: Slots) -> bool:
    """Whether the gene of a variant is named, so that papers on it can be looked for."""
    return any(v.fact("gene") for v in slots.variants)


def _papers_on(work: Work) -> Done:
    """Papers on the variants, each with its gene."""
    work.found["readings"] = [_variants.Reading(v, v.value) for v in work.slots.variants]
    return _variants.literature(work)


def _steps(slots: Slots) -> list[Step]:
    """What the sequence is used for."""
    if len(slots.sequences) > 1:
        figures = [Step("variant.effect", _effect_of_pair, needs=("variant.compare",))]
        return [Step("variant.compare", _compare), *(figures if slots.asks(*EFFECT) else [])]
    if slots.asks(*EFFECT):
        return [Step("variant.apply", _apply), Step("variant.effect", _effect, needs=("variant.apply",))]
    if slots.asks("apply"):
        return [Step("variant.apply", _apply)]
    return [
        Step("variant.compare", _compare_with_variant),
        Step("variant.effect", _effect, needs=("variant.compare",)),
    ]


def _compare(work: Work) -> Done:
    """Wild type against mutant; letters that may be bases or residues, of short ones, are read both ways."""
    first, second = work.slots.pair or work.slots.sequences[:2]
    kind = stated_type(work.slots)
    if kind == "auto" and _open(first, second):
        work.say(
            "These letters may be bases or amino acids, which is not said: both readings follow.",
            "这些字母既可能是碱基也可能是氨基酸,问题没有说明:以下给出两种解读。",
        )
        return done(work, [_comparison(work, first, second, kind) for kind in ("auto", "protein")])
    return done(work, [_comparison(work, first, second, kind)])


def _comparison(work: Work, first: Slot, second: Slot, kind: str) -> CallRecord:
    """One comparison, of sequences of a type."""
    table = work.slots.parameter("table")
    call = work.call(
        "variant.compare", wild_type=text_of(first), mutant=text_of(second), type=kind, table=table
    )
    if call.result:
        work.found.setdefault("compared", []).append(call.result)
    return call


def _open(first: Slot, second: Slot) -> bool:
    """Whether both may be proteins as well as nucleotides, and are too short for their letters to tell."""
    pair = [slot.entity for slot in (first, second)]
    both = all("protein" in e.facts.get("candidates", ()) and e.facts["type"] != "protein" for e in pair)
    return both and max(e.facts["length"] for e in pair) <= SHORT


def _effect_of_pair(work: Work) -> Done:
    """Figures on each exchange that two sequences differ by, of coding ones that of their proteins."""
    first = (work.slots.pair or work.slots.sequences)[0]
    wanted: dict[str, str] = {}
    for result in work.found.get("compared", []):
        protein = result["type"] == "protein"
        names = [d["hgvs"] for d in result["differences"]] if protein else [result["protein_hgvs"]]
        wanted |= dict.fromkeys(names, text_of(first) if protein else "")
    made = {n: text for n, text in wanted.items() if n.startswith("p.") and n not in NO_CHANGE}
    if not made:
        return Done("empty", "no change of a protein has figures")
    return done(
        work,
        [work.call("variant.effect", variant=n, sequence=text) for n, text in list(made.items())[:MOST]],
    )


def _compare_with_variant(work: Work) -> Done:
    """The sequence against what each variant makes of it."""
    text, kind = text_of(work.slots.sequences[0]), stated_type(work.slots)
    return done(
        work,
        [
            work.call("variant.compare", wild_type=text, mutant=v.value, type=_fitting(v, kind))
            for v in work.slots.variants
        ],
    )


def _fitting(variant: Slot, kind: str) -> str:
    """The type of the sequence a variant is in: residues are those of a protein."""
    return "protein" if variant.value.startswith("p.") else "auto" if kind == "protein" else kind


def _apply(work: Work) -> Done:
    """The sequence with each variant in it."""
    slot, kind = work.slots.sequences[0], stated_type(work.slots)
    return done(
        work,
        [
            work.call("variant.apply", sequence=text_of(slot), variant=v.value, type=_fitting(v, kind))
            for v in work.slots.variants
        ],
    )


def _effect(work: Work) -> Done:
    """Figures on each exchange, its residue checked in the sequence."""
    text = text_of(work.slots.sequences[0])
    own = [v for v in work.slots.variants if v.value.startswith("p.")]
    if not own:
        return Done("empty", "no change of a protein is stated")
    return done(work, [work.call("variant.effect", variant=v.value, sequence=text) for v in own])
