"""Mutation tasks: wild type and mutant side by side, doubtful changes, several steps."""

from __future__ import annotations

from collections.abc import Iterable

from _task import ON_SEQUENCE, Task, choice, identifier, number, proteins, some, string, task, three
from _variants import BLOSUM62, checked, known, scales, variant
from Bio.Seq import Seq
from Bio.SeqUtils import seq3

WILD = "MTDRWLSKGEVNAQFHIYPC"


def tasks() -> Iterable[Task]:
    """All of them."""
    yield from _pairs()
    yield from _doubtful()
    yield from _steps()


def _pairs() -> Iterable[Task]:
    """Wild type and mutant side by side."""
    yield task(
        "mutation-pair-sub",
        f"WT: {WILD}\nMT: {_replaced(5, 'A')}",
        [number("differences", 1), variant(three(f"{WILD[4]}5A"))],
        "variant.compare",
        "one residue replaced",
    )
    yield task(
        "mutation-pair-notation",
        f"WT: {WILD}\nMT: {WILD[9]}10K",
        [number("differences", 1), variant(three(f"{WILD[9]}10K")), *scales(f"{WILD[9]}K")],
        "variant.effect",
        "the mutant is given as a change",
    )
    yield task(
        "mutation-pair-same",
        f"WT: {WILD}\nMT: {WILD}",
        [number("differences", 0), choice("identical", True, ["identical", "no difference", "相同"], [])],
        "variant.compare",
        "equal strings",
    )
    yield task(
        "mutation-pair-insertion",
        f"wild type = {WILD}\nmutant = {WILD[:8]}{'C'}{WILD[8:]}",
        [
            number("differences", 1),
            string("kind", "insertion"),
            variant(f"p.{seq3(WILD[7])}8_{seq3(WILD[8])}9insCys"),
        ],
        "variant.compare",
        "one residue more is one difference",
        split="edge",
    )
    yield task(
        "mutation-pair-deletion",
        f"WT: {WILD}\nMT: {WILD[:11]}{WILD[13:]}",
        [
            number("differences", 1),
            string("kind", "deletion"),
            variant(f"p.{seq3(WILD[11])}12_{seq3(WILD[12])}13del"),
        ],
        "variant.compare",
        "two residues less in one place",
        split="edge",
    )
    yield task(
        "mutation-pair-dup",
        "WT: MKTLLGW\nMT: MKTLLLGW",
        [number("differences", 1), variant("p.Leu5dup")],
        "variant.compare",
        "3' rule: the last L is the duplicated one",
        split="edge",
    )
    yield task(
        "mutation-pair-zh",
        f"野生型:{WILD}\n突变型:{_replaced(2, 'K')}",
        [number("differences", 1), variant(three(f"{WILD[1]}2K"))],
        "variant.compare",
        "one residue replaced",
        split="edge",
    )
    wild, mutant = "ATGGTTCGTACCGGC", "ATGGTTCATACCGGC"
    change = f"{Seq(wild).translate()[2]}3{Seq(mutant).translate()[2]}"
    yield task(
        "mutation-pair-dna",
        f"WT: {wild}\nMT: {mutant}",
        [number("differences", 1), variant(three(change)), string("codon", "CGT")],
        "variant.compare",
        "DNA by codon: Seq.translate of both",
        split="edge",
    )
    silent = "ATGGTTCGCACCGGC"
    yield task(
        "mutation-pair-silent",
        f"WT: {wild}\nMT: {silent}",
        [string("kind", "synonymous", "silent", "同义")],
        "variant.compare",
        "DNA by codon: both translate to the same protein",
        split="edge",
    )


def _replaced(place: int, residue: str) -> str:
    """``WILD`` with one residue changed."""
    return WILD[: place - 1] + residue + WILD[place:]


def _doubtful() -> Iterable[Task]:
    """What contradicts the sequence, or lacks one."""
    yield task(
        "mutation-mismatch",
        f"WT: {WILD}\nMT: A3D",
        [string("error", f"residue 3 is {WILD[2]}", f"{WILD[2]}3", f"{WILD[2]}, not A")],
        ON_SEQUENCE,
        "residue 3 of the wild type is another one",
        split="edge",
        outcome="refuse",
    )
    yield task(
        "mutation-mismatch-gene",
        "BRAF K600E",
        [string("error", "residue 600 is V", "V600", "is V, not K")],
        ON_SEQUENCE,
        "residue 600 of the record is V",
        split="edge",
        outcome="refuse",
        facts=["P15056"],
    )
    yield task(
        "mutation-out-of-range",
        "KRAS G212D 有什么影响?",
        [
            number("length", proteins()["P01116"]["length"], ""),
            string("error", "beyond", "out of range", "outside", "only 189", "超出"),
        ],
        ON_SEQUENCE,
        "the record has 189 residues",
        split="edge",
        outcome="refuse",
        facts=["P01116"],
    )
    yield task(
        "mutation-no-gene",
        "What is the effect of p.Arg175His?",
        [variant("p.Arg175His")],
        "",
        "no gene or protein: asked for, not guessed",
        split="edge",
        outcome="ask",
    )
    yield task(
        "mutation-no-gene-zh",
        "V600E 的影响是什么?",
        [variant("p.Val600Glu", "V600E")],
        "",
        "no gene or protein: asked for, not guessed",
        split="edge",
        outcome="ask",
    )
    yield task(
        "mutation-follow-up",
        "And the effect of D816V on it?",
        [variant(checked("P10721", "D816V")), *scales("D816V"), identifier("uniprot", "P10721")],
        "variant.effect",
        "the protein of the turn before",
        split="edge",
        history=["What is KIT (P10721)?"],
        facts=["P10721"],
    )


def _steps() -> Iterable[Task]:
    """Assess, look up and read."""
    yield task(
        "mutation-assess",
        "Assess the impact of TP53 R175H and find literature on it",
        [
            variant(checked("P04637", "R175H")),
            *scales("R175H"),
            identifier("uniprot", "P04637"),
            some("pmid", proteins()["P04637"]["pmids"], 1),
        ],
        "variant.effect uniprot.search pubmed.search",
        "record, scales and papers the record cites",
        split="multistep",
        facts=["P04637"],
    )
    yield task(
        "mutation-zh-assess",
        "评估 BRAF V600E 突变的影响并查找相关论文",
        [
            variant(checked("P15056", "V600E")),
            *scales("V600E"),
            some("pmid", proteins()["P15056"]["pmids"], 1),
        ],
        "variant.effect uniprot.search pubmed.search",
        "record, scales and papers the record cites",
        split="multistep",
        facts=["P15056"],
    )
    yield task(
        "mutation-domain",
        "In which domain of P15056 does V600E fall, and what does it change?",
        [variant(checked("P15056", "V600E")), string("domain", "Protein kinase"), *scales("V600E")],
        "uniprot.fetch variant.effect",
        "site (Domain) of the record that holds residue 600",
        split="multistep",
        facts=["P15056"],
    )
    yield task(
        "mutation-two",
        "Compare KRAS G12D and KRAS G12C",
        [
            variant(checked("P01116", "G12D")),
            string("variant", checked("P01116", "G12C")),
            number("blosum62", int(BLOSUM62["G"]["D"])),
            number("blosum62", int(BLOSUM62["G"]["C"])),
        ],
        "variant.effect",
        "both changes",
        split="multistep",
        facts=["P01116"],
    )
    yield task(
        "mutation-gla-papers",
        "GLA N215S: known variant? Any papers?",
        [
            variant(checked("P06280", "N215S")),
            some("dbsnp", known("P06280", "N215S")["dbsnp"], 1),
            some("pmid", [*known("P06280", "N215S")["pmids"], *proteins()["P06280"]["pmids"]], 1),
        ],
        "variant.effect pubmed.search",
        "natural variant of the record and its papers",
        split="multistep",
        facts=["P06280"],
    )
