"""What "this protein", "it" or "该蛋白" means: the entities of earlier turns, the newest first.

A pure function of the turns. Two candidates of one kind in the newest turn that has any are asked about,
never chosen from.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from labagent.models.asking import Entity

PROTEIN = (
    "uniprot",
    "uniprot_entry",
    "gene",
    "name",
    "refseq_protein",
    "ensembl_protein",
    "ensembl_gene",
    "refseq_transcript",
    "ensembl_transcript",
    "pdb",
)
GENE_LIKE = PROTEIN
KINDS: dict[str, tuple[str, ...]] = {
    "protein": PROTEIN,
    "sequence": ("sequence",),
    "mutation": ("variant", "dbsnp", "variant_class"),
    "literature": ("pmid", "doi"),
}
"""What a reference can stand for, by the route it belongs to."""
MOST_TURNS = 20
DETERMINER = r"(?:this|that|these|those|the same|said|above|previous|aforementioned)"
NOUNS: tuple[tuple[str, str, str], ...] = (
    (
        "protein",
        r"(?:protein|gene|enzyme|receptor|kinase|molecule|entry|accession|antigen|transcription factor)",
        r"蛋白质?|基因|酶|分子|受体|激酶",
    ),
    (
        "sequence",
        r"(?:(?:dna |rna |protein |amino[- ]acid |nucleotide )?sequence|peptide|fragment|dna|rna|strand)",
        r"(?:DNA|RNA|蛋白质?|氨基酸)?序列|片段|多?肽",
    ),
    (
        "mutation",
        r"(?:mutation|variant|substitution|polymorphism|snp|allele|mutant|change)",
        r"突变体?|变异|变体|位点",
    ),
    ("literature", r"(?:paper|article|publication|study|abstract|reference)", r"文献|论文|文章|研究"),
)
MODIFIED = (
    r"(?!s?\s+(?:for|of|that|which|encoding|encoded|called|named|responsible|mutated|family|structure|"
    r"expression|"
    r"data|names?|symbols?)\b)"
)
NOT_IT = r"(?!\s+(?:true|possible|known|likely|clear|said|correct|necessary|important|safe)\b)"


@dataclass(frozen=True)
class Reference:
    """Words that point back: which kinds they may mean, whether several, which one of them (from 0; -1: the
    last)."""

    written: str
    start: int
    kinds: tuple[str, ...]
    several: bool = False
    number: int | None = None


@dataclass(frozen=True)
class Resolved:
    """What a reference came to: entities, or a doubt (``missing``, ``several``)."""

    reference: Reference
    entities: tuple[Entity, ...] = ()
    problem: str = ""
    candidates: tuple[Entity, ...] = ()


def _patterns() -> list[tuple[re.Pattern[str], tuple[str, ...], str]]:
    """What points back, its kinds, its number."""
    rows: list[tuple[re.Pattern[str], tuple[str, ...], str]] = []
    for kind, english, chinese in NOUNS:
        extra = ("sequence",) if kind == "protein" else ("protein",) if kind == "sequence" else ()
        kinds = (kind, *extra)
        for ending, number in ((r"s\b|(?<=y)|ies\b", "several"), (r"\b", "one")):
            tail = "" if number == "one" else "s?"
            del ending
            both = (
                r"(?:these|those|both(?: of)?(?: these| the)?|the two)\s+"
                if number == "several"
                else rf"{DETERMINER}\s+"
            )
            plural = english.replace("study", "stud(?:y|ies)").replace("entry", "entr(?:y|ies)")
            rows.append(
                (re.compile(rf"\b{both}(?:\w+\s+)?{plural}{tail}\b(?!-)", re.IGNORECASE), kinds, number)
            )
        rows.append(
            (
                re.compile(rf"\bthe\s+{english}\b{MODIFIED}(?![-/]|\s+(?-i:[A-Z0-9]))", re.IGNORECASE),
                kinds,
                "weak",
            )
        )
        rows.append((re.compile(rf"(?:这些|那些|这两个|两个)\s*(?:{chinese})"), kinds, "several"))
        rows.append(
            (re.compile(rf"(?:该|这个|此|这种|这条|这一|这|那个|上述|本)\s*(?:{chinese})"), kinds, "one")
        )
    anything = ("protein", "mutation", "sequence", "literature")
    rows += [
        (
            re.compile(
                r"\b(?:the )?(former|first one|first)\b(?! (?:reading )?frame| \d| (?:papers?|discovered|"
                r"described|exon|intron))",
                re.IGNORECASE,
            ),
            anything,
            "0",
        ),
        (
            re.compile(r"\bthe (latter|second one|last one|second)\b(?! (?:reading )?frame)", re.IGNORECASE),
            anything,
            "-1",
        ),
        (re.compile(r"第一个"), anything, "0"),
        (re.compile(r"第二个|后者"), anything, "-1"),
        (
            re.compile(r"\b(?:they|them|their|theirs|both(?: of them)?)\b|它们|他们", re.IGNORECASE),
            anything,
            "several",
        ),
        (re.compile(rf"(?<![\w-])(?:it|its|it's){NOT_IT}(?![\w-])", re.IGNORECASE), anything, "one"),
        (re.compile(r"[它其](?![们中他余实])"), anything, "one"),
        (
            re.compile(r"\b(?:does|did|is) (this|that)(?= (?:come|originate|from)\b)", re.IGNORECASE),
            anything,
            "one",
        ),
        (re.compile(r"\b(?:this|that) one\b|\bthe same one\b", re.IGNORECASE), anything, "one"),
    ]
    return rows


PATTERNS = _patterns()
FOLLOWS = re.compile(
    r"^\W*(?:and|or|what about|how about|now|then|also|same for|那|还有|另外|那么)\b|^(?:那|那么|还有)|"
    r"^\W*(?:in|for|from)\s+(?:the\s+)?[A-Za-z]+\W*$|^(?:在|对|对于)?[^，。,?？\s]{1,8}(?:中|里|呢)+\W*$",
    re.IGNORECASE,
)
"""How a question begins that goes on with the last one."""


def find_reference(text: str) -> Reference | None:
    """The first words of a text that point back, those that name a kind before those that do not."""
    for pattern, kinds, number in PATTERNS:
        if match := pattern.search(text):
            place = int(number) if number.lstrip("-").isdigit() else None
            return Reference(match[0], match.start(), kinds, number == "several", place)
    return None


def resolve(reference: Reference, turns: Sequence[Sequence[Entity]]) -> Resolved:
    """What a reference means.

    Args:
        reference: the words that point back.
        turns: the entities of the earlier turns, oldest first.
    """
    for kind in reference.kinds:
        wanted = KINDS[kind]
        found = _newest(turns, wanted)
        if found is None:
            continue
        number, candidates = found
        if not _is_newer(turns, number, reference):
            continue
        return _choose(reference, candidates, number)
    return Resolved(reference, problem="missing")


def _newest(turns: Sequence[Sequence[Entity]], wanted: tuple[str, ...]) -> tuple[int, list[Entity]] | None:
    """The newest turn (from 1) that has entities of a kind, each once."""
    for number in range(len(turns), 0, -1):
        found = {
            (e.value, str(e.facts.get("organism", ""))): e for e in turns[number - 1] if e.namespace in wanted
        }
        if found:
            return number, list(found.values())
    return None


def _is_newer(turns: Sequence[Sequence[Entity]], number: int, reference: Reference) -> bool:
    """Whether no later turn has something else that the reference can mean."""
    if len(reference.kinds) < 3:
        return True
    wanted = {namespace for kind in reference.kinds for namespace in KINDS[kind]}
    return not any(e.namespace in wanted for turn in turns[number:] for e in turn)


def _choose(reference: Reference, candidates: list[Entity], number: int) -> Resolved:
    """One candidate, all of them where several are meant, or a doubt."""
    same = _same_protein(candidates)
    if len(same) > 1 and {e.namespace for e in same} > {e.namespace for e in same[:1]}:
        from labagent.ask.routing.sameness import one_each

        same = one_each(same)
    if reference.number is not None and len(same) > 1:
        same = [same[reference.number]]
    if len(same) > 1 and not reference.several:
        return Resolved(reference, problem="several", candidates=tuple(same))
    made = tuple(_of_turn(e, number, reference) for e in same)
    return Resolved(reference, made)


def _same_protein(candidates: list[Entity]) -> list[Entity]:
    """Without those that only name the same thing again: a transcript beside its gene."""
    genes = [e for e in candidates if e.namespace in ("gene", "uniprot", "name", "uniprot_entry", "sequence")]
    if genes and any(e.namespace.endswith("_transcript") for e in candidates):
        return genes
    named = {str(e.facts.get("gene")) for e in candidates if e.namespace == "name"}
    return [e for e in candidates if not (e.namespace == "gene" and e.value in named)] or candidates


def _of_turn(entity: Entity, number: int, reference: Reference) -> Entity:
    """An entity of an earlier turn, as meant here."""
    first = entity.resolved_from.partition(",")[0] if entity.resolved_from else f"turn {number}"
    return entity.model_copy(
        update={
            "resolved_from": f'{first}, "{reference.written.strip()}"',
            "start": -1,
            "written": entity.written,
        }
    )
