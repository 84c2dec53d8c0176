"""The variants of a question, as entities: each with its gene, and only where the letters mean a variant."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from labagent.ask.routing.spelled import find_spelled
from labagent.errors import ToolError
from labagent.models.asking import Entity
from labagent.tools.variants.finding import find_variants
from labagent.tools.variants.legacy import legacy_hint
from labagent.tools.variants.reading import read_variant
from labagent.tools.variants.records import FoundVariant
from labagent.tools.variants.writing import hgvs, short

Span = tuple[int, int]
CHANGE = re.compile(
    r"\b(?:mutations?|mutants?|mutated|variants?|substitutions?|missense|nonsense|polymorphisms?|alleles?|"
    r"residues?|"
    r"hgvs|deleterious|pathogenic|exchange)\b|突变|变异|替换|位点|等位",
    re.IGNORECASE,
)
NOT_BEFORE = re.compile(
    r"(?:cell[- ]lines?|cells|strains?|clones?|plasmids?|vectors?|medium|kit|catalog(?:ue)?|model|细胞系|"
    r"细胞株|"
    r"菌株|质粒)"
    r"[\s:：,]*$",
    re.IGNORECASE,
)
NOT_BEHIND = re.compile(
    r"[\s-]*(?:cells?\b(?! (?:cycle|death|wall))|cell[- ]lines?|strains?|medium|mice\b|tumou?rs\b|"
    r"xenografts?|assays?|细胞|菌株)",
    re.IGNORECASE,
)
BEHIND = re.compile(
    r"(?:\s+mutations?|\s+variants?)?\s+(?:in|of)\s+(?:the\s+)?(?:human\s+|mouse\s+)?|\s*[（(]", re.IGNORECASE
)
SURE_POSITION = 10
"""Below it a short form is as often a name; beside a gene it is a variant."""
LONGEST_PROTEIN = 36_000
"""Residues of the longest human protein, rounded up (titin, UniProt Q8WZ42: 34,350; its longest isoform
35,991)."""
GENES = (
    "gene",
    "name",
    "uniprot",
    "uniprot_entry",
    "refseq_protein",
    "ensembl_protein",
    "ensembl_gene",
    "pdb",
)
CLASS = re.compile(
    r"\b(?:ex(?:on)?\s?(?P<exon>\d{1,3})\s+(?P<kind>deletions?|insertions?|skipping|duplications?|"
    r"mutations?)|"
    r"(?P<repeat>CAG|CGG|GAA|CTG)\s+repeat expansion)|(?P<zh_exon>\d{1,3})\s*号?外显子(?P<zh_kind>缺失|"
    r"插入|跳跃|突变)",
    re.IGNORECASE,
)


def find_changes(text: str, names: Sequence[Entity], has_sequence: bool) -> list[Entity]:
    """Variants in the order of the text.

    Args:
        text: the words of the question.
        names: its identifiers, genes and names, with their places.
        has_sequence: a sequence is given that variants belong to.
    """
    found = [*find_variants(text), *_spelled(text)]
    speaks = has_sequence or bool(CHANGE.search(text))
    kept = [f for f in found if _is_meant(f, text, names, speaks)]
    made = [_entity(f, text, names, kept) for f in kept]
    return sorted([*made, *_classes(text, names), *_rna(text, names)], key=lambda e: e.start)


def _spelled(text: str) -> Iterator[FoundVariant]:
    """Variants said in words."""
    for said in find_spelled(text):
        name = hgvs(said.variant)
        yield FoundVariant(
            written=said.written,
            start=said.start,
            variant=said.variant,
            hgvs=name,
            short=short(said.variant),
            notes=(f"said in words, read as {name}",),
        )


def _is_meant(found: FoundVariant, text: str, names: Sequence[Entity], speaks: bool) -> bool:
    """Whether what looks like a variant is one."""
    if found.written.startswith(("p.", "c.", "g.", "n.", "m.", "r.")) or ":" in found.written:
        return True
    owners = [n for n in names if n.namespace in GENES]
    alone = all(n.start <= found.start < n.start + len(n.written) for n in owners)
    if alone and found.variant.start is not None and found.variant.start.base > LONGEST_PROTEIN:
        return False
    before = bool(NOT_BEFORE.search(text[: found.start])) and not gene_before(found.start, text, names)
    if before or NOT_BEHIND.match(text, found.start + len(found.written)):
        return bool(CHANGE.search(text)) and found.certain and not before
    if any("said in words" in note for note in found.notes):
        return True
    if text.strip(" \t\r\n.,;:?!。？！") == found.written:
        return not any("usually" in note for note in found.notes)
    if gene_beside(found, text, names):
        return True
    short = found.variant.start is not None and found.variant.start.base < SURE_POSITION
    return (speaks or (found.certain and not short)) and not any("usually" in note for note in found.notes)


def gene_beside(found: FoundVariant, text: str, names: Sequence[Entity]) -> bool:
    """Whether a gene stands right before a variant, or behind it ("G12D in KRAS")."""
    if gene_before(found.start, text, names):
        return True
    end = found.start + len(found.written)
    return any(
        n.namespace in GENES and n.start >= end and BEHIND.fullmatch(text[end : n.start]) for n in names
    )


def gene_before(at: int, text: str, names: Sequence[Entity]) -> Entity | None:
    """The gene or protein that stands right before a place."""
    for name in names:
        end = name.start + len(name.written)
        if (
            name.namespace in GENES
            and end <= at
            and re.fullmatch(r"[\s:\-(/_,]{0,3}(?:蛋白|基因)?(?:的|上的|中的|中)?\s?", text[end:at])
        ):
            return name
    return None


def gene_of(found: FoundVariant, text: str, names: Sequence[Entity]) -> Entity | None:
    """The gene a variant belongs to: the one before it, else the only one of the text."""
    genes = [n for n in names if n.namespace in GENES]
    if near := gene_before(found.start, text, names):
        return near
    before = [n for n in genes if n.start < found.start]
    if before and len({n.value for n in genes}) > 1:
        return before[-1]
    return genes[0] if len({n.value for n in genes}) == 1 else None


def _entity(found: FoundVariant, text: str, names: Sequence[Entity], all_found: list[FoundVariant]) -> Entity:
    """A variant with what is known of it."""
    owner = gene_of(found, text, names)
    gene = found.gene or _symbol(owner)
    notes = [n for n in found.notes if "no gene or protein" not in n or not gene]
    value, variant = found.hgvs, found.variant
    facts: dict[str, Any] = {"kind": variant.kind, "level": variant.level}
    hint = legacy_hint(found, gene) if gene else None
    if hint is not None:
        counts = "may count" if hint.basis == "known gene" else "counts"
        said = f"older numbering: {found.written} {counts} the mature chain; {hint.reason}"
        notes.append(said)
        facts["legacy"] = {
            "as_written": found.hgvs,
            "hgvs": hint.hgvs,
            "offset": hint.offset,
            "basis": hint.basis,
        }
        value = value if hint.basis == "known gene" else hint.hgvs
    facts |= {
        name: stated
        for name, stated in (
            ("gene", gene),
            ("protein", owner.value if owner and owner.namespace not in ("gene", "name") else ""),
            ("reference", variant.reference),
            ("position", variant.start.base if variant.start else None),
            ("short", found.short),
            ("organism", owner.facts.get("organism") if owner else ""),
        )
        if stated
    }
    if variant.reference.startswith(("NM_", "NR_", "ENST")):
        facts["transcript"] = variant.reference
    return Entity(
        namespace="variant",
        value=value.partition(":")[2] if variant.reference else value,
        written=found.written,
        start=found.start,
        certain=found.certain or bool(gene),
        notes=tuple(dict.fromkeys(notes)),
        facts=facts,
    )


def _symbol(owner: Entity | None) -> str:
    """The gene symbol of a gene or of a protein's name."""
    if owner is None:
        return ""
    return owner.value if owner.namespace == "gene" else str(owner.facts.get("gene", ""))


def _classes(text: str, names: Sequence[Entity]) -> Iterator[Entity]:
    """Classes of variants (exon 19 deletions): no single change, which is asked for."""
    kinds = {"缺失": "deletion", "插入": "insertion", "跳跃": "skipping", "突变": "mutation"}
    for match in CLASS.finditer(text):
        exon = match["exon"] or match["zh_exon"] or ""
        kind = (match["kind"] or "").lower().removesuffix("s") or kinds.get(
            match["zh_kind"] or "", "repeat expansion"
        )
        owner = next((n for n in reversed(names) if n.namespace in GENES and n.start < match.start()), None)
        owner = owner or next((n for n in names if n.namespace in GENES), None)
        facts = {"kind": kind, "gene": _symbol(owner), "exon": int(exon) if exon else None}
        yield Entity(
            namespace="variant_class",
            value=f"exon {exon} {kind}" if exon else f"{match['repeat'].upper()} repeat expansion",
            written=match[0],
            start=match.start(),
            notes=("a class of variants, not one change",),
            facts={name: value for name, value in facts.items() if value},
        )


RNA = re.compile(
    r"(?<![A-Za-z0-9_.])r\.(?P<body>\(?[-*\d_+]+(?:[acgu]*>[acgu]+|(?:del|dup|ins|"
    r"inv)[acgu]*(?:ins[acgu]+)?)\)?)(?![A-Za-z0-9_])"
)


def _rna(text: str, names: Sequence[Entity]) -> Iterator[Entity]:
    """Variants of RNA (``r.76a>c``): read, not applied by any tool here."""
    for match in RNA.finditer(text):
        try:
            variant = read_variant("c." + match["body"].replace("u", "t"))
        except ToolError:
            continue
        owner = next((n for n in reversed(names) if n.namespace in GENES and n.start < match.start()), None)
        facts = {"kind": variant.kind, "level": "r", "gene": _symbol(owner)}
        yield Entity(
            namespace="variant",
            value=match[0],
            written=match[0],
            start=match.start(),
            notes=("a variant of RNA: no tool here applies it",),
            facts={name: value for name, value in facts.items() if value},
        )
