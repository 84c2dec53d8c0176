"""Proteins by accession, gene, name or another database's identifier: their entries."""

from __future__ import annotations

from collections.abc import Sequence

from labagent.ask.plans._proteins import Protein, look_up, parts_for
from labagent.ask.plans._sequences import done
from labagent.ask.plans._variants import tell_variants
from labagent.ask.slots import Slots
from labagent.ask.work import Done, Step, Work

TEMPLATE = ""
ORDER = 30


def fits(slots: Slots) -> bool:
    """A protein in a question about proteins."""
    return slots.routing.route == "protein" and bool(slots.proteins or slots.elsewhere)


def steps(slots: Slots) -> Sequence[Step]:
    """The entries; two of them aligned, where that is asked."""
    if slots.asks("align") and len(slots.proteins) == 2:
        return [Step("entry", find), Step("align", _align, needs=("entry",))]
    return [Step("entry", find)]


def find(work: Work) -> Done:
    """Find every protein, and tell its entry."""
    slots = work.slots
    proteins, came = look_up(work, slots.proteins or slots.elsewhere, parts_for(slots.aspects))
    work.found["proteins"] = proteins
    for protein in proteins:
        tell(work, protein)
    return came


def _align(work: Work) -> Done:
    """The two sequences, end to end."""
    proteins: list[Protein] = work.found.get("proteins", [])
    sequences = [p.record.get("sequence", "") for p in proteins]
    if len(sequences) != 2 or not all(sequences):
        return Done("empty", "there are no two sequences to align")
    first, second = (f">{p.record['accession']}\n{s}" for p, s in zip(proteins, sequences, strict=True))
    return done(work, [work.call("sequence.align", a=first, b=second, type="protein")])


def tell(work: Work, protein: Protein) -> None:
    """Have an entry put into words, with how it was found."""
    if work.slots.asks("variants"):
        tell_variants(work, protein)
    else:
        work.tell(protein.entry, asked=protein.slot, search=protein.search)
