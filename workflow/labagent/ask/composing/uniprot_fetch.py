"""``uniprot.fetch`` in words: who the protein is, then what is asked of it, then which record says so."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from labagent.ask.composing import _entry_parts as parts
from labagent.ask.composing._voice import Voice
from labagent.ask.composing._yes_no import verdict
from labagent.ask.slots import Slot
from labagent.models.asking import CallRecord, Statement

OVERVIEW = ("function", "location", "diseases", "isoforms")
PARTS: dict[str, Callable[[Voice], Iterator[Statement]]] = {
    "names": parts.names,
    "function": parts.function,
    "location": parts.location,
    "go": parts.go,
    "ec": parts.enzyme,
    "keywords": parts.keywords,
    "domains": parts.features,
    "variants": parts.variants,
    "diseases": parts.diseases,
    "isoforms": parts.isoforms,
    "sequence": parts.sequence,
    "references": parts.references,
    "papers": parts.papers,
}
ALIKE = {
    "name": "names",
    "gene": "names",
    "features": "domains",
    "sites": "domains",
    "pdb": "references",
    "cross_references": "references",
    "catalysis": "function",
    "pathway": "function",
}
UNHELD = {"interactions": ("interaction partners", "相互作用"), "expression": ("tissues", "表达组织")}
"""Aspects that no part of a record answers."""
BRIEF = frozenset(
    "length mass organism accession entry evidence compare align count pi gravy extinction charge "
    "composition".split()
)
"""Aspects that the first sentences answer."""


def say(voice: Voice) -> Iterator[Statement]:
    """The entry; of a variant's entry only what it says of the variant."""
    yield from verdict(voice)
    yield from _found(voice)
    yield from _who(voice)
    if "variants" in voice.focus or "dbsnp" in voice.focus:
        yield from parts.known_variants(voice)
        for part in _wanted(voice):
            if part not in ("variants", "diseases", "papers"):
                yield from PARTS[part](voice)
    else:
        for part in _asked(voice):
            yield from PARTS[part](voice)
        for aspect, (en, zh) in UNHELD.items():
            if aspect in voice.aspects:
                yield voice.remark(f"Records here hold no list of {en}.", f"这里的条目不含{zh}列表。")
    yield from _record(voice)


def _asked(voice: Voice) -> list[str]:
    """Parts to speak of; an overview where none is asked for."""
    return _wanted(voice) or ([] if voice.aspects & BRIEF else list(OVERVIEW))


def _wanted(voice: Voice) -> list[str]:
    """Parts that are asked for, in the order of ``PARTS``."""
    wanted = {ALIKE.get(a, a) for a in voice.aspects}
    return [part for part in PARTS if part in wanted]


def _found(voice: Voice) -> Iterator[Statement]:
    """How the entry was found: by a gene of which organism, by another database, under an older accession."""
    r, slot = voice.result, voice.focus.get("asked")
    search: CallRecord | None = voice.focus.get("search")
    if slot is not None and slot.resolved:
        yield voice.remark(
            f"{slot.value} is meant, from an earlier turn ({slot.entity.resolved_from}).",
            f"指前文中的 {slot.value}({slot.entity.resolved_from})。",
        )
    if slot is not None and slot.namespace in ("gene", "name") and search is not None:
        basis = slot.fact("organism_basis")
        default = ", by default" if basis == "default" else ""
        default_zh = "(默认人类)" if basis == "default" else ""
        organism, gene = _organism(r), slot.namespace == "gene"
        said, what = (slot.value, "the gene") if gene else ("The name", "that")
        yield voice.fact(
            f"{said} is taken as {what} of {organism}{default}: UniProt {r['accession']}.",
            f"{said} 按 {organism} 理解{default_zh}:UniProt {r['accession']}。",
            search,
        )
        if slot.namespace == "gene" and r["gene"] and r["gene"].casefold() != slot.value.casefold():
            yield voice.fact(
                f"{slot.value} is a synonym of the gene {r['gene']}.",
                f"{slot.value} 是基因 {r['gene']} 的别名。",
                search,
            )
    elif slot is not None and search is not None:
        yield _linked(voice, slot)
    if r["found_by"] in ("secondary", "merged"):
        yield voice.fact(
            f"{r['asked']} is an older accession; its entry is now {r['accession']}.",
            f"{r['asked']} 是旧的登录号,现在的条目是 {r['accession']}。",
        )


def _linked(voice: Voice, slot: Slot) -> Statement:
    """That the entry names another database's identifier, or does not."""
    r = voice.result
    links = [x for x in r["references"] if slot.value.partition(".")[0] in _ids(x)]
    if links:
        database = links[0]["database"]
        return voice.fact(
            f"The {database} identifier {slot.value} leads to UniProt {r['accession']}, which refers to it.",
            f"{database} 编号 {slot.value} 对应 UniProt {r['accession']}(在其交叉引用中)。",
        )
    return voice.remark(
        f"The search for {slot.value} led to UniProt {r['accession']}, which does not name it.",
        f"检索 {slot.value} 得到 UniProt {r['accession']},但其交叉引用中没有该编号。",
    )


def _ids(reference: dict[str, Any]) -> set[str]:
    """The identifiers of a cross-reference, without versions."""
    return {str(name).partition(".")[0] for name in (reference["id"], *reference["more"])}


def _organism(r: dict[str, Any]) -> str:
    """Scientific and common name."""
    common = r["common_name"]
    return str(r["organism"]) + (f" ({common})" if common and common != r["organism"] else "")


def _who(voice: Voice) -> Iterator[Statement]:
    """Accession, name, gene, organism, length, mass."""
    r = voice.result
    entry = f" ({r['entry_name']})" if r["entry_name"] else ""
    form = r["isoform"] or r["accession"]
    en = f"{form}{entry} is {r['name'] or 'a protein without a name'}"
    zh = f"{form}{entry} 是 {r['name'] or '未命名的蛋白质'}"
    en += (f", gene {r['gene']}" if r["gene"] else "") + f", of {_organism(r)}"
    zh += (f",基因 {r['gene']}" if r["gene"] else "") + f",物种 {_organism(r)}"
    if r["reviewed"] is not None:
        en += ", reviewed (Swiss-Prot)" if r["reviewed"] else ", not reviewed (TrEMBL)"
        zh += ",已审阅(Swiss-Prot)" if r["reviewed"] else ",未审阅(TrEMBL)"
    yield voice.fact(en + ".", zh + "。")
    if r["isoform"]:
        yield from parts.asked_isoform(voice)
    if r["length"] is None:
        yield voice.remark(
            f"The source holds no sequence of {form}, so that its length is not known here.",
            f"该来源没有 {form} 的序列,因此这里不知道其长度。",
        )
        return
    mass = f" and its mass {r['mass']:,} Da" if r["mass"] is not None else ""
    mass_zh = f",质量(分子量)为 {r['mass']:,} Da" if r["mass"] is not None else ""
    yield voice.fact(
        f"The length of {form} is {r['length']:,} residues (aa){mass}.",
        f"{form} 的长度为 {r['length']:,} 个氨基酸残基(aa){mass_zh}。",
    )


def _record(voice: Voice) -> Iterator[Statement]:
    """Version and date of the record, its notes, what its source never has."""
    r = voice.result
    if r["entry_version"] is not None:
        dated = f" of {r['entry_date']}" if r["entry_date"] else ""
        dated_zh = f"({r['entry_date']})" if r["entry_date"] else ""
        sequence = f", sequence version {r['sequence_version']}" if r["sequence_version"] is not None else ""
        sequence_zh = f",序列版本 {r['sequence_version']}" if r["sequence_version"] is not None else ""
        yield voice.fact(
            f"This is said by entry version {r['entry_version']} of {r['accession']}{dated}{sequence}; "
            f"newer versions may "
            "say otherwise.",
            f"以上来自 {r['accession']} 的条目版本 {r['entry_version']}{dated_zh}{sequence_zh};"
            f"更新的版本可能不同。",
        )
    for note in r["notes"]:
        yield voice.fact(f"Note: {note}.", f"说明:{note}。")
