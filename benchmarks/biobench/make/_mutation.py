"""Mutation tasks: changes by name."""

from __future__ import annotations

from collections.abc import Iterable

import _mutation_pairs
from _task import ON_SEQUENCE, Task, identifier, number, proteins, some, string, task
from _variants import checked, known, residues_are, scales, variant


def tasks() -> Iterable[Task]:
    """All of them, those of pairs and doubts included."""
    yield from _named()
    yield from _kinds()
    yield from _mutation_pairs.tasks()


def _named() -> Iterable[Task]:
    """A gene and a substitution."""
    for gene, accession, change in (
        ("BRAF", "P15056", "V600D"),
        ("JAK2", "O60674", "V617F"),
        ("TP53", "P04637", "R248Q"),
    ):
        yield task(
            f"mutation-{gene.lower()}",
            f"{gene} {change}",
            [variant(checked(accession, change)), *scales(change), identifier("uniprot", accession)],
            "variant.effect",
            "seq3, BLOSUM62, Kyte-Doolittle of Biopython; residue checked on the record",
            facts=[accession],
        )
    yield task(
        "mutation-three-letter",
        "What does p.Leu858Arg do in EGFR?",
        [variant(checked("P00533", "L858R"), "L858R"), *scales("L858R"), identifier("uniprot", "P00533")],
        "variant.effect",
        "the same",
        facts=["P00533"],
    )
    yield task(
        "mutation-kras-g13d",
        "KRAS p.Gly13Asp effect",
        [variant(checked("P01116", "G13D")), *scales("G13D")],
        "variant.effect",
        "the same",
        facts=["P01116"],
    )
    yield task(
        "mutation-accession",
        "P37840 A53T",
        [
            variant(checked("P37840", "A53T")),
            *scales("A53T"),
            some("dbsnp", known("P37840", "A53T")["dbsnp"], 1),
        ],
        "variant.effect",
        "the same; dbSNP of the natural variant",
        facts=["P37840"],
    )
    yield task(
        "mutation-zh-fgfr3",
        "FGFR3 G380R 突变有什么影响?",
        [variant(checked("P22607", "G380R")), *scales("G380R")],
        "variant.effect",
        "the same",
        facts=["P22607"],
    )
    yield task(
        "mutation-zh-lrrk2",
        "分析 LRRK2 p.Gly2019Ser",
        [
            variant(checked("Q5S007", "G2019S")),
            *scales("G2019S"),
            some("dbsnp", known("Q5S007", "G2019S")["dbsnp"], 1),
        ],
        "variant.effect",
        "the same; dbSNP of the natural variant",
        facts=["Q5S007"],
    )
    yield task(
        "mutation-rsid",
        "rs113488022",
        [variant("p.Val600Glu", "V600E"), string("gene", "BRAF")],
        "uniprot.search",
        "the natural variant with this dbSNP identifier",
        facts=["P15056"],
    )
    rare = known("P02766", "V50M")
    yield task(
        "mutation-ttr",
        "TTR V50M: which disease is this variant known for, and what is its dbSNP id?",
        [
            variant(checked("P02766", "V50M")),
            some("dbsnp", rare["dbsnp"], 1),
            some("disease", rare["disease"], 1),
        ],
        "variant.effect",
        "natural variant of the record",
        facts=["P02766"],
    )


def _kinds() -> Iterable[Task]:
    """Notations other than one letter, number, letter."""
    yield task(
        "mutation-parenthesised",
        "KRAS p.(Gly12Val)",
        [variant("p.(Gly12Val)", checked("P01116", "G12V")), *scales("G12V")],
        "variant.effect",
        "parentheses: predicted, not observed",
        split="edge",
        facts=["P01116"],
    )
    yield task(
        "mutation-full-hgvs",
        "NM_004333.6(BRAF):c.1799T>A (p.Val600Glu)",
        [
            variant(checked("P15056", "V600E")),
            *scales("V600E"),
            identifier("refseq_transcript", "NM_004333.6"),
            string("gene", "BRAF"),
        ],
        "variant.effect",
        "transcript, gene and change are all kept",
        split="edge",
        facts=["P15056"],
    )
    yield task(
        "mutation-delta",
        "CFTR ΔF508",
        [variant("p.Phe508del"), string("kind", "deletion", "缺失")],
        ON_SEQUENCE,
        "Δ is a deletion; residue 508 of the record is F",
        split="edge",
        facts=["P13569"],
    )
    residues_are("P00533", "E746", "L747", "R748", "E749", "A750", "P753", "D770", "N771")
    residues_are("P04637", "R213")
    residues_are("P38398", "Q1756")
    residues_are("P13569", "F508")
    residues_are("P01116", "G12")
    yield task(
        "mutation-range-deletion",
        "EGFR E746_A750del",
        [variant("p.Glu746_Ala750del"), number("deleted", 5), string("kind", "deletion")],
        ON_SEQUENCE,
        "five residues ELREA of the record",
        split="edge",
        facts=["P00533"],
    )
    yield task(
        "mutation-nonsense",
        "TP53 R213* 会产生多长的蛋白?",
        [
            variant("p.Arg213Ter", "p.Arg213*"),
            string("kind", "nonsense", "stop gained", "无义"),
            number("length", 212, "aa"),
        ],
        ON_SEQUENCE,
        "212 residues are left",
        split="edge",
        facts=["P04637"],
    )
    yield task(
        "mutation-frameshift",
        "BRCA1 c.5266dupC p.Gln1756ProfsTer74",
        [
            string("gene", "BRCA1"),
            string("kind", "frameshift", "移码"),
            variant("p.Gln1756ProfsTer74", "p.Gln1756Profs*74"),
        ],
        "variant.parse",
        "frameshift from residue 1756, which is Q in the record",
        split="edge",
        facts=["P38398"],
    )
    yield task(
        "mutation-insertion",
        "EGFR p.Asp770_Asn771insGly",
        [variant("p.Asp770_Asn771insGly"), string("kind", "insertion")],
        ON_SEQUENCE,
        "residues 770 and 771 of the record are D and N",
        split="edge",
        facts=["P00533"],
    )
    yield task(
        "mutation-delins",
        "EGFR p.Leu747_Pro753delinsSer",
        [
            variant("p.Leu747_Pro753delinsSer"),
            number("deleted", 7),
            string("kind", "delins", "deletion-insertion", "indel"),
        ],
        ON_SEQUENCE,
        "residues 747 and 753 of the record are L and P",
        split="edge",
        facts=["P00533"],
    )
    yield task(
        "mutation-synonymous",
        "KRAS p.Gly12=",
        [variant("p.Gly12="), string("kind", "synonymous", "silent", "no change", "同义")],
        "variant.parse",
        "= is no change",
        split="edge",
        facts=["P01116"],
    )
    yield task(
        "mutation-legacy-hbb",
        "HBB E26K (HbE)",
        [variant(checked("P68871", "E27K")), string("note", "legacy", "mature", "成熟")],
        ON_SEQUENCE,
        "residue 26 of the mature chain is 27 of the record; 26 of the record is not E",
        split="edge",
        facts=["P68871"],
    )
    if proteins()["P68871"]["sequence"][25] == "E":
        raise SystemExit("HBB 26 is E: the legacy task is not one")
    yield task(
        "mutation-legacy-zh",
        "HBB E6K 是什么突变?",
        [variant(checked("P68871", "E7K")), string("note", "legacy", "mature", "成熟")],
        ON_SEQUENCE,
        "residue 6 of the mature chain is 7 of the record",
        split="edge",
        facts=["P68871"],
    )
