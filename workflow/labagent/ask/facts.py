"""The facts of an answer as plain values, for programs: what the question speaks of and what calls found."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from labagent.models.asking import AnswerRecord, CallRecord, Entity

Facts = dict[str, Any]


def facts_of(record: AnswerRecord) -> Facts:
    """Entities, sequences (``type``, ``length``, ``gaps``, ``records``, ``lengths``), variants (``gene``,
    ``variant``, ``kind``, ``transcript``), results (``n_differences``, ``translation`` …), ``error``, notes.

    A value that several sequences or variants have is that of the first; ``lengths`` and ``variants`` have
    all. Results go before what is read from the question.
    """
    entities = record.routing.entities
    facts: Facts = {
        "entities": [[e.namespace, e.value] for e in entities],
        "notes": list(dict.fromkeys(note for e in entities for note in e.notes)),
    }
    if record.routing.query:
        facts["query"] = record.routing.query
    facts |= _sequences([e for e in entities if e.namespace == "sequence"])
    facts |= _variants([e for e in entities if e.namespace == "variant"])
    calls = _told(record)
    for call in calls:
        if call.result is not None and call.tool in FOUND:
            facts |= {k: v for k, v in FOUND[call.tool](call.result).items() if v not in ("", None)}
    facts["notes"] += [n for call in calls for n in _notes(call) if n not in facts["notes"]]
    errors = [call.error.message for call in record.calls if call.error]
    return facts | ({"error": errors[0]} if errors else {})


def _told(record: AnswerRecord) -> list[CallRecord]:
    """The calls whose results are the answer's: an entry that was looked at and not taken is none of them."""
    cited = {cite for statement in record.statements for cite in statement.cites}
    return [c for c in record.calls if c.tool != "uniprot.fetch" or c.id in cited or not cited]


def _sequences(entities: list[Entity]) -> Facts:
    """What is read of the sequences."""
    if not entities:
        return {}
    first = entities[0].facts
    facts = {name: first[name] for name in ("type", "length", "gaps", "stops") if name in first}
    lengths = [e.facts.get("length") for e in entities]
    return facts | {"records": len(entities), "lengths": lengths, "certain": entities[0].certain}


def _variants(entities: list[Entity]) -> Facts:
    """What is read of the variants; one of the protein goes before one of the DNA."""
    if not entities:
        return {}
    ordered = sorted(entities, key=lambda e: not e.value.startswith("p."))
    first = ordered[0]
    facts: Facts = {"variant": first.value, "variants": [e.value for e in entities]}
    for name in ("kind", "gene", "transcript", "legacy"):
        found = next((e.facts[name] for e in ordered if e.facts.get(name)), None)
        if found:
            facts[name] = found
    return facts


def _compared(result: Facts) -> Facts:
    """A comparison."""
    kinds = [d["kind"] for d in result["differences"]]
    return {
        "n_differences": result["n_differences"],
        "variant": result["hgvs"],
        "kind": kinds[0] if kinds else "",
        "protein_variant": result["protein_hgvs"],
    }


def _translated(result: Facts) -> Facts:
    """The first frame's protein."""
    frames = result["records"][0]["frames"] if result["records"] else []
    return {"translation": frames[0]["protein"], "frame": frames[0]["frame"]} if frames else {}


def _other_strand(result: Facts) -> Facts:
    """The first record's other strand."""
    return {"reverse_complement": result["records"][0]["reverse_complement"]} if result["records"] else {}


def _aligned(result: Facts) -> Facts:
    """An alignment."""
    return {name: result[name] for name in ("identity_percent", "columns", "identical", "score")}


FOUND: dict[str, Callable[[Facts], Facts]] = {
    "variant.compare": _compared,
    "variant.apply": lambda r: {"sequence": r["sequence"], "variant": r["hgvs"], "kind": r["kind"]},
    "variant.effect": lambda r: {"variant": r["hgvs"], "kind": r["kind"]},
    "sequence.translate": _translated,
    "sequence.reverse_complement": _other_strand,
    "sequence.align": _aligned,
    "sequence.orfs": lambda r: {"open_reading_frames": r["total"]},
    "pubmed.search": lambda r: {"papers": [h["pmid"] for h in r["hits"]]},
    "uniprot.fetch": lambda r: {"accession": r["accession"], "organism": r["organism"]},
}


def _notes(call: CallRecord) -> list[str]:
    """Notes of a result, and of the records in it."""
    result = call.result or {}
    notes = [str(n) for n in result.get("notes", ()) if isinstance(n, str)]
    legacy = result.get("legacy")
    if isinstance(legacy, list):
        notes += [f"legacy numbering: {h['written']} {_is(h)} {h['hgvs']}; {h['reason']}" for h in legacy]
    if call.tool == "uniprot.fetch" and result.get("sequence_version"):
        notes.append(f"sequence version {result['sequence_version']} of {result['accession']}")
    return notes


def _is(hint: Facts) -> str:
    """How sure an older numbering is."""
    return "may be" if hint["basis"] == "known gene" else "is"
