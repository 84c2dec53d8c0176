"""Steps on variants: the entry they lie in, how they are written, figures on the exchange, papers on them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from labagent.ask.natural_variants import chosen_variants, telling_variants, written
from labagent.ask.plans._papers import by_query, cited
from labagent.ask.plans._proteins import Protein, look_up, parts_for
from labagent.ask.plans._sequences import done
from labagent.ask.slots import Slot, Slots
from labagent.ask.work import Done, Work, outcome_of
from labagent.models.asking import Entity
from labagent.tools.variants.legacy import has_tradition

PARSE, EFFECT, APPLY = "variant.parse", "variant.effect", "variant.apply"
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
    proteins, came = look_up(work, slots, parts_for(work.slots.aspects | {"variants"}, NEEDED))
    work.found["proteins"] = proteins
    return came


def protein_of(work: Work, slot: Slot) -> Protein | None:
    """The protein a variant lies in: the one stated with it, else the only one there is."""
    proteins: list[Protein] = work.found.get("proteins", [])
    stated = {str(slot.fact(name)).casefold() for name in ("gene", "protein")} - {""}
    for protein in proteins:
        names = {protein.slot.value, str(protein.slot.fact("gene")), *map(str, _names(protein))}
        if stated & {name.casefold() for name in names}:
            return protein
    return proteins[0] if len(proteins) == 1 and not stated else None


def _names(protein: Protein) -> tuple[Any, ...]:
    """What a protein is called in its entry."""
    return protein.record.get("accession"), protein.record.get("gene"), protein.record.get("entry_name")


def read(work: Work) -> Done:
    """How the variants are written; a number that counts the mature chain is recognised by the sequence."""
    readings, failed = [], ""
    for slot in work.slots.variants:
        protein = protein_of(work, slot)
        gene = str(slot.fact("gene") or (protein.record.get("gene") if protein else ""))
        call = work.call(
            PARSE,
            text=_text_of(slot, gene),
            gene=gene[:40],
            sequence=protein.record.get("sequence", "") if protein else "",
        )
        work.tell(call)
        if call.status == "error":
            work.end(outcome_of(call))
            failed = call.error.message if call.error else "failed"
            continue
        readings.append(_reading(slot, call.result or {}))
    work.found["readings"] = readings
    return Done("ok") if readings and not failed else Done("error" if failed else "empty", failed)


def _text_of(slot: Slot, gene: str) -> str:
    """A variant as it is written, behind its gene."""
    text = slot.entity.written or slot.value
    if "/" in text or "[" in text:  # several in one notation
        text = slot.value
    return f"{gene} {text}" if gene and gene.casefold() not in text.casefold() else text


def _reading(slot: Slot, parsed: dict[str, Any]) -> Reading:
    """What a parsed variant is worked with as; a number that only may be an older one stays as stated."""
    hints = parsed.get("legacy") or ()
    legacy = [h for h in hints if h["basis"] != "known gene" and has_tradition(str(h["gene"]))]
    if legacy:
        return Reading(slot, str(legacy[0]["hgvs"]), legacy=True)
    found = parsed.get("variants") or ()
    return Reading(slot, str(found[0]["hgvs"]) if found else slot.value)


def effect(work: Work) -> Done:
    """What entries say of the variants, then figures; the stated residue is checked where it can be."""
    readings: list[Reading] = [r for r in work.found.get("readings", []) if r.of_protein]
    if not readings:
        _known(work, [])
        return Done("empty", "no variant of the protein is stated")
    calls = []
    for reading in readings:
        protein = protein_of(work, reading.slot)
        sequence = protein.record.get("sequence", "") if protein else ""
        calls.append(work.call(EFFECT, variant=reading.hgvs, sequence=sequence))
    if all(call.status == "ok" for call in calls):
        _known(work, readings)
    return done(work, calls)


def apply(work: Work) -> Done:
    """The sequence of each entry with the variant that lies in it."""
    calls = []
    for reading in work.found.get("readings", []):
        protein = protein_of(work, reading.slot)
        sequence = protein.record.get("sequence", "") if protein else ""
        if sequence and reading.of_protein:
            calls.append(work.call(APPLY, sequence=sequence, variant=reading.hgvs, type="protein"))
    return done(work, calls) if calls else Done("empty", "there is no sequence to change")


def _known(work: Work, readings: Sequence[Reading]) -> None:
    """Tell what each entry says of the variants that lie in it."""
    for protein in work.found.get("proteins", []):
        own = [r.hgvs for r in readings if protein_of(work, r.slot) is protein]
        tell_variants(work, protein, variants=own)


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
    """Papers on the variants, each with its gene."""
    parts: dict[str, list[str]] = {}
    for reading in work.found.get("readings", []):
        protein = protein_of(work, reading.slot)
        gene = str(reading.slot.fact("gene") or (protein.record.get("gene") if protein else ""))
        names = (reading.slot.fact("short"), reading.hgvs.removeprefix("p."))
        parts.setdefault(gene, []).extend(str(n) for n in names if n)
    asked = [
        f"{gene} AND ({' OR '.join(_quoted(n) for n in dict.fromkeys(names))})"
        for gene, names in parts.items()
        if gene and names
    ]
    if not asked:
        return Done("empty", "there is no gene and variant to look for")
    found = by_query(work, " OR ".join(f"({part})" for part in asked) if asked[1:] else asked[0], relax=False)
    return cited(work, _cited(work)) if found.status == "empty" else found


def _cited(work: Work) -> list[str]:
    """Papers that entries cite for the variants."""
    names = [r.hgvs for r in work.found.get("readings", [])]
    proteins: list[Protein] = work.found.get("proteins", [])
    chosen = [v for p in proteins for v in chosen_variants(p.record.get("variants", []), "", names)]
    return [pmid for variant in chosen for pmid in variant["pmids"]]


def _quoted(name: str) -> str:
    """A name as one word of a query."""
    return '"' + name.replace('"', "") + '"'
