"""Steps on variants: the entry they lie in, how they are written, figures on the exchange, papers on them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from labagent.ask.natural_variants import chosen_variants, telling_variants, written
from labagent.ask.plans._papers import by_query
from labagent.ask.plans._proteins import Protein, look_up, parts_for
from labagent.ask.plans._sequences import done
from labagent.ask.slots import Slot, Slots
from labagent.ask.work import Done, Work, outcome_of
from labagent.models.asking import Entity

PARSE, EFFECT = "variant.parse", "variant.effect"
NEEDED = ("sequence", "variants", "diseases")
"""Parts of an entry that a variant is looked at with."""


@dataclass(frozen=True)
class Reading:
    """A variant as it is to be worked with: as stated, or counted from the start codon."""

    slot: Slot
    hgvs: str
    legacy: bool = False

    @property
    def of_protein(self) -> bool:
        """Whether it is named by amino acids."""
        return self.hgvs.startswith("p.")


def gene_slots(slots: Slots) -> tuple[Slot, ...]:
    """The proteins a question's variants lie in: those named, or the genes stated with the variants."""
    if slots.proteins:
        return slots.proteins
    genes = dict.fromkeys(str(v.fact("gene")) for v in slots.variants if v.fact("gene"))
    facts = {"organism": "Homo sapiens", "taxon": 9606}
    return tuple(Slot(Entity(namespace="gene", value=gene, written=gene, facts=facts)) for gene in genes)


def entry(work: Work) -> Done:
    """The entry of the protein, with sequence and known variants."""
    slots = gene_slots(work.slots)
    if not slots:
        return Done("empty", "no protein is named")
    proteins, came = look_up(work, slots, parts_for(frozenset({"variants"}), NEEDED))
    work.found["proteins"] = proteins
    return came


def protein_of(work: Work) -> Protein | None:
    """The one protein that was found."""
    proteins: list[Protein] = work.found.get("proteins", [])
    return proteins[0] if proteins else None


def read(work: Work) -> Done:
    """How the variants are written; a number that counts the mature chain is recognised by the sequence."""
    protein = protein_of(work)
    readings, failed = [], ""
    for slot in work.slots.variants:
        gene = str(slot.fact("gene") or (protein.record.get("gene") if protein else ""))
        call = work.call(
            PARSE,
            text=_text_of(slot, gene),
            gene=gene[:40],
            sequence=protein.record.get("sequence", "") if protein else "",
        )
        if call.status == "error":
            work.tell(call)
            work.end(outcome_of(call))
            failed = call.error.message if call.error else "failed"
            continue
        work.tell(call, protein=protein)
        readings.append(_reading(slot, call.result or {}))
    work.found["readings"] = readings
    return Done("ok") if readings and not failed else Done("error" if failed else "empty", failed)


def _text_of(slot: Slot, gene: str) -> str:
    """A variant as it is written, behind its gene."""
    text = slot.entity.written or slot.value
    return f"{gene} {text}" if gene and gene.casefold() not in text.casefold() else text


def _reading(slot: Slot, parsed: dict[str, Any]) -> Reading:
    """What a parsed variant is to be worked with as."""
    legacy = parsed.get("legacy") or ()
    if legacy:
        return Reading(slot, str(legacy[0]["hgvs"]), legacy=True)
    found = parsed.get("variants") or ()
    return Reading(slot, str(found[0]["hgvs"]) if found else slot.value)


def effect(work: Work) -> Done:
    """What the entry says of the variant, then figures; the stated residue is checked where it can be."""
    protein = protein_of(work)
    readings: list[Reading] = [r for r in work.found.get("readings", []) if r.of_protein]
    if not readings:
        return Done("empty", "no variant of the protein is stated")
    sequence = protein.record.get("sequence", "") if protein else ""
    calls = [work.call(EFFECT, variant=reading.hgvs, sequence=sequence) for reading in readings]
    if all(call.status == "ok" for call in calls):
        known(work)
    return done(work, calls)


def known(work: Work) -> None:
    """Tell what the entry says of the variants, where it was found."""
    protein = protein_of(work)
    if protein:
        readings: list[Reading] = work.found.get("readings", [])
        names = [r.hgvs for r in readings if r.of_protein]
        tell_variants(work, protein, variants=names)


def tell_variants(
    work: Work, protein: Protein, dbsnp: str = "", variants: Sequence[str] | None = None
) -> None:
    """Tell natural variants of an entry, with their notation as a tool reads it."""
    found = protein.record.get("variants", [])
    chosen = chosen_variants(found, dbsnp, variants or ()) if dbsnp or variants else telling_variants(found)
    names = [name for v in chosen if (name := written(v))]
    notation = None
    if names:
        notation = work.call(PARSE, text=", ".join(names), gene=str(protein.record.get("gene", ""))[:40])
    focus: dict[str, Any] = {"dbsnp": dbsnp} if dbsnp else {}
    focus |= {"variants": variants} if variants is not None else {}
    work.tell(protein.entry, asked=protein.slot, search=protein.search, notation=notation, **focus)


def literature(work: Work) -> Done:
    """Papers on the variant."""
    protein = protein_of(work)
    readings: list[Reading] = work.found.get("readings", [])
    gene = str(protein.record.get("gene", "")) if protein else ""
    gene = gene or next((str(r.slot.fact("gene")) for r in readings if r.slot.fact("gene")), "")
    if not gene or not readings:
        return Done("empty", "there is no gene and variant to look for")
    written = dict.fromkeys(
        w for r in readings for w in (r.slot.entity.written, r.hgvs.removeprefix("p.")) if w
    )
    names = " OR ".join(f'"{name.replace(chr(34), "")}"' for name in written)
    return by_query(work, f"{gene} AND ({names})")
