"""Proteins by accession, gene, name or another database's identifier: their entries."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from labagent.ask.composing._yes_no import KINDS_ZH, asked_kind
from labagent.ask.plans._proteins import Protein, look_up, parts_for
from labagent.ask.plans._sequences import done
from labagent.ask.plans._variants import tell_variants
from labagent.ask.slots import Slot, Slots
from labagent.ask.work import Done, Step, Work

TEMPLATE = ""
ORDER = 30
COMPUTED = ("pi", "gravy", "extinction", "charge", "composition")
"""Figures that no entry has."""
ISOFORM = re.compile(r"\bisoform\s+([A-Za-z0-9][\w-]*)\b|异构体\s*([A-Za-z0-9][\w-]*)", re.IGNORECASE)


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
    kind = asked_kind(slots.question)
    more = ("names", "keywords", "go", "ec") if kind else ()
    wanted = [slot for slot in slots.proteins if not (kind and _is_kind(slot, kind))]
    proteins, came = look_up(
        work, wanted or slots.proteins or slots.elsewhere, parts_for(slots.aspects, more)
    )
    proteins = [_isoform(work, protein) for protein in proteins]
    work.found["proteins"] = proteins
    for protein in proteins:
        tell(work, protein)
    return came


def _is_kind(slot: Slot, kind: str) -> bool:
    """Whether a name of the question is the kind of protein that is asked about, and no protein."""
    written = {slot.value.casefold(), slot.entity.written.casefold()}
    return slot.namespace in ("name", "gene") and any(w and (w in kind or w in KINDS_ZH) for w in written)


def _isoform(work: Work, protein: Protein) -> Protein:
    """The isoform that the question names by number or name, where the entry lists it; else the entry."""
    asked = ISOFORM.search(work.slots.question)
    record = protein.record
    if not asked or record.get("isoform"):
        return protein
    name = next(filter(None, asked.groups())).casefold()
    for isoform in record.get("isoforms", []):
        numbers = {str(id).rpartition("-")[2] for id in isoform["ids"]}
        if isoform["ids"] and name in numbers | {str(isoform["name"]).casefold()}:
            fields = protein.entry.arguments["fields"]
            call = work.call("uniprot.fetch", accession=isoform["ids"][0], fields=fields)
            return replace(protein, entry=call) if call.status == "ok" else protein
    return protein


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
