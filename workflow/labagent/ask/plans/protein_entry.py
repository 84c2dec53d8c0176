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
COMPUTED = ("pi", "gravy", "extinction", "charge", "composition")
"""Figures that no entry has."""


def fits(slots: Slots) -> bool:
    """A protein in a question about proteins."""
    return slots.routing.route == "protein" and bool(slots.proteins or slots.elsewhere)


def steps(slots: Slots) -> Sequence[Step]:
    """The entries; two of them aligned, figures of their sequences, where that is asked."""
    made = [Step("entry", find)]
    if slots.asks("align") and len(slots.proteins) > 1:
        made.append(Step("align", _align, needs=("entry",)))
    if slots.asks(*COMPUTED):
        made.append(Step("figures", _figures, needs=("entry",)))
    return made


def find(work: Work) -> Done:
    """Find every protein, and tell its entry."""
    slots = work.slots
    proteins, came = look_up(work, slots.proteins or slots.elsewhere, parts_for(slots.aspects))
    work.found["proteins"] = proteins
    for protein in proteins:
        tell(work, protein)
    return came


def _align(work: Work) -> Done:
    """The sequences, end to end: the first with each of the others."""
    texts = _texts(work)
    if len(texts) < 2:
        return Done("empty", "there are no two sequences to align")
    return done(work, [work.call("sequence.align", a=texts[0], b=b, type="protein") for b in texts[1:]])


def _figures(work: Work) -> Done:
    """What is computed from the sequence of each entry."""
    texts = _texts(work)
    if not texts:
        work.say(
            "The source holds no sequence of this protein, so that nothing can be computed from it.",
            "该来源没有这个蛋白质的序列,因此无法计算。",
        )
        return Done("empty", "there is no sequence to compute from")
    return done(work, [work.call("sequence.stats", sequence=text, type="protein") for text in texts])


def _texts(work: Work) -> list[str]:
    """The sequences of the entries that have one, as FASTA."""
    records = [protein.record for protein in work.found.get("proteins", [])]
    return [f">{r.get('isoform') or r['accession']}\n{r['sequence']}" for r in records if r.get("sequence")]


def tell(work: Work, protein: Protein) -> None:
    """Have an entry put into words, with how it was found."""
    if work.slots.asks("variants"):
        tell_variants(work, protein)
    else:
        work.tell(protein.entry, asked=protein.slot, search=protein.search)
