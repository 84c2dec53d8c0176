"""Mutation tasks: names, places and simple scales of changes, from the sequences of the records."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from _task import Gold, Task, choice, identifier, number, proteins, some, string, task, three
from Bio.Align import substitution_matrices
from Bio.Seq import Seq
from Bio.SeqUtils import seq3
from Bio.SeqUtils.ProtParamData import kd

BLOSUM62 = substitution_matrices.load("BLOSUM62")
WILD = "MTDRWLSKGEVNAQFHIYPC"


def tasks() -> Iterable[Task]:
    """All of them."""
    yield from _named()
    yield from _kinds()
    yield from _pairs()
    yield from _doubtful()
    yield from _steps()


def _checked(accession: str, change: str) -> str:
    """``change`` after a look at the sequence."""
    sequence = proteins()[accession]["sequence"]
    if sequence[int(change[1:-1]) - 1] != change[0]:
        raise SystemExit(f"{accession}: residue {change[1:-1]} is not {change[0]}")
    return three(change)


def _known(accession: str, change: str) -> dict[str, Any]:
    """The natural variant of a record."""
    place = int(change[1:-1])
    return next(
        v
        for v in proteins()[accession]["variants"]
        if v["first"] == place and v["from"] == change[0] and v["to"] == change[-1]
    )


def _variant(*names: str) -> Gold:
    """A variant; its HGVS name, or another accepted one."""
    return string("variant", *names)


def _scales(change: str) -> list[Gold]:
    """BLOSUM62 and the difference on the Kyte-Doolittle scale."""
    before, after = change[0], change[-1]
    return [
        number("blosum62", int(BLOSUM62[before][after])),
        number("hydropathy_change", round(kd[after] - kd[before], 1), "", 0.05, absolute=True),
    ]


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
            [_variant(_checked(accession, change)), *_scales(change), identifier("uniprot", accession)],
            "variant.effect",
            "seq3; BLOSUM62 of Bio.Align; Kyte-Doolittle of Bio.SeqUtils.ProtParamData; residue checked on the record",
            facts=[accession],
        )
    yield task(
        "mutation-three-letter",
        "What does p.Leu858Arg do in EGFR?",
        [_variant(_checked("P00533", "L858R"), "L858R"), *_scales("L858R"), identifier("uniprot", "P00533")],
        "variant.effect",
        "the same",
        facts=["P00533"],
    )
    yield task(
        "mutation-kras-g13d",
        "KRAS p.Gly13Asp effect",
        [_variant(_checked("P01116", "G13D")), *_scales("G13D")],
        "variant.effect",
        "the same",
        facts=["P01116"],
    )
    yield task(
        "mutation-accession",
        "P37840 A53T",
        [
            _variant(_checked("P37840", "A53T")),
            *_scales("A53T"),
            some("dbsnp", _known("P37840", "A53T")["dbsnp"], 1),
        ],
        "variant.effect",
        "the same; dbSNP of the natural variant",
        facts=["P37840"],
    )
    yield task(
        "mutation-zh-fgfr3",
        "FGFR3 G380R 突变有什么影响?",
        [_variant(_checked("P22607", "G380R")), *_scales("G380R")],
        "variant.effect",
        "the same",
        facts=["P22607"],
    )
    yield task(
        "mutation-zh-lrrk2",
        "分析 LRRK2 p.Gly2019Ser",
        [
            _variant(_checked("Q5S007", "G2019S")),
            *_scales("G2019S"),
            some("dbsnp", _known("Q5S007", "G2019S")["dbsnp"], 1),
        ],
        "variant.effect",
        "the same; dbSNP of the natural variant",
        facts=["Q5S007"],
    )
    yield task(
        "mutation-rsid",
        "rs113488022",
        [_variant("p.Val600Glu"), string("gene", "BRAF")],
        "uniprot.search",
        "the natural variant with this dbSNP identifier",
        facts=["P15056"],
    )
    rare = _known("P02766", "V50M")
    yield task(
        "mutation-ttr",
        "TTR V50M: which disease is this variant known for, and what is its dbSNP id?",
        [
            _variant(_checked("P02766", "V50M")),
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
        [_variant("p.(Gly12Val)", _checked("P01116", "G12V"))],
        "variant.effect",
        "parentheses: predicted, not observed",
        split="edge",
        facts=["P01116"],
    )
    yield task(
        "mutation-full-hgvs",
        "NM_004333.6(BRAF):c.1799T>A (p.Val600Glu)",
        [
            _variant(_checked("P15056", "V600E")),
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
        [_variant("p.Phe508del"), string("kind", "deletion", "缺失")],
        "variant.apply",
        "Δ is a deletion; residue 508 of the record is F",
        split="edge",
        facts=["P13569"],
    )
    egfr = proteins()["P00533"]["sequence"][745:750]
    if egfr != "ELREA":
        raise SystemExit("EGFR 746-750 is not ELREA")
    yield task(
        "mutation-range-deletion",
        "EGFR E746_A750del",
        [_variant("p.Glu746_Ala750del"), number("deleted", 5), string("kind", "deletion")],
        "variant.apply",
        "five residues ELREA of the record",
        split="edge",
        facts=["P00533"],
    )
    yield task(
        "mutation-nonsense",
        "TP53 R213* 会产生多长的蛋白?",
        [
            _variant("p.Arg213Ter", "p.Arg213*"),
            string("kind", "nonsense", "stop gained", "无义"),
            number("length", 212, "aa"),
        ],
        "variant.apply",
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
            _variant("p.Gln1756ProfsTer74", "p.Gln1756Profs*74"),
        ],
        "variant.parse",
        "frameshift from residue 1756, which is Q in the record",
        split="edge",
        facts=["P38398"],
    )
    yield task(
        "mutation-insertion",
        "EGFR p.Asp770_Asn771insGly",
        [_variant("p.Asp770_Asn771insGly"), string("kind", "insertion")],
        "variant.apply",
        "residues 770 and 771 of the record are D and N",
        split="edge",
        facts=["P00533"],
    )
    yield task(
        "mutation-delins",
        "EGFR p.Leu747_Pro753delinsSer",
        [_variant("p.Leu747_Pro753delinsSer"), string("kind", "delins", "deletion-insertion", "indel")],
        "variant.apply",
        "residues 747 and 753 of the record are L and P",
        split="edge",
        facts=["P00533"],
    )
    yield task(
        "mutation-synonymous",
        "KRAS p.Gly12=",
        [_variant("p.Gly12="), string("kind", "synonymous", "silent", "no change", "同义")],
        "variant.parse",
        "= is no change",
        split="edge",
        facts=["P01116"],
    )
    yield task(
        "mutation-legacy-hbb",
        "HBB E26K (HbE)",
        [_variant(_checked("P68871", "E27K")), string("note", "legacy", "mature", "成熟")],
        "variant.apply",
        "residue 26 of the mature chain is 27 of the record; 26 of the record is not E",
        split="edge",
        facts=["P68871"],
    )
    if proteins()["P68871"]["sequence"][25] == "E":
        raise SystemExit("HBB 26 is E: the legacy task is not one")
    yield task(
        "mutation-legacy-zh",
        "HBB E6K 是什么突变?",
        [_variant(_checked("P68871", "E7K")), string("note", "legacy", "mature", "成熟")],
        "variant.apply",
        "residue 6 of the mature chain is 7 of the record",
        split="edge",
        facts=["P68871"],
    )


def _pairs() -> Iterable[Task]:
    """Wild type and mutant side by side."""
    yield task(
        "mutation-pair-sub",
        f"WT: {WILD}\nMT: {_replaced(5, 'A')}",
        [number("differences", 1), _variant(three(f"{WILD[4]}5A"))],
        "variant.compare",
        "one residue replaced",
    )
    yield task(
        "mutation-pair-notation",
        f"WT: {WILD}\nMT: {WILD[9]}10K",
        [number("differences", 1), _variant(three(f"{WILD[9]}10K")), *_scales(f"{WILD[9]}K")],
        "variant.apply",
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
            _variant(f"p.{seq3(WILD[7])}8_{seq3(WILD[8])}9insCys"),
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
            _variant(f"p.{seq3(WILD[11])}12_{seq3(WILD[12])}13del"),
        ],
        "variant.compare",
        "two residues less in one place",
        split="edge",
    )
    yield task(
        "mutation-pair-dup",
        "WT: MKTLLGW\nMT: MKTLLLGW",
        [number("differences", 1), _variant("p.Leu5dup")],
        "variant.compare",
        "3' rule: the last L is the duplicated one",
        split="edge",
    )
    yield task(
        "mutation-pair-zh",
        f"野生型:{WILD}\n突变型:{_replaced(2, 'K')}",
        [number("differences", 1), _variant(three(f"{WILD[1]}2K"))],
        "variant.compare",
        "one residue replaced",
        split="edge",
    )
    wild, mutant = "ATGGTTCGTACCGGC", "ATGGTTCATACCGGC"
    change = f"{Seq(wild).translate()[2]}3{Seq(mutant).translate()[2]}"
    yield task(
        "mutation-pair-dna",
        f"WT: {wild}\nMT: {mutant}",
        [number("differences", 1), _variant(three(change)), string("codon", "CGT")],
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
        "variant.apply",
        "residue 3 of the wild type is another one",
        split="edge",
        outcome="refuse",
    )
    yield task(
        "mutation-mismatch-gene",
        "BRAF K600E",
        [string("error", "residue 600 is V", "V600", "is V, not K")],
        "variant.apply",
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
        "variant.apply",
        "the record has 189 residues",
        split="edge",
        outcome="refuse",
        facts=["P01116"],
    )
    yield task(
        "mutation-no-gene",
        "What is the effect of p.Arg175His?",
        [_variant("p.Arg175His")],
        "variant.parse",
        "no gene or protein: asked for, not guessed",
        split="edge",
        outcome="ask",
    )
    yield task(
        "mutation-no-gene-zh",
        "V600E 的影响是什么?",
        [_variant("p.Val600Glu", "V600E")],
        "variant.parse",
        "no gene or protein: asked for, not guessed",
        split="edge",
        outcome="ask",
    )
    yield task(
        "mutation-follow-up",
        "And the effect of D816V on it?",
        [_variant(_checked("P10721", "D816V")), *_scales("D816V"), identifier("uniprot", "P10721")],
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
            _variant(_checked("P04637", "R175H")),
            *_scales("R175H"),
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
            _variant(_checked("P15056", "V600E")),
            *_scales("V600E"),
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
        [_variant(_checked("P15056", "V600E")), string("domain", "Protein kinase"), *_scales("V600E")],
        "uniprot.fetch variant.effect",
        "site (Domain) of the record that holds residue 600",
        split="multistep",
        facts=["P15056"],
    )
    yield task(
        "mutation-two",
        "Compare KRAS G12D and KRAS G12C",
        [
            _variant(_checked("P01116", "G12D")),
            string("variant", _checked("P01116", "G12C")),
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
            _variant(_checked("P06280", "N215S")),
            some("dbsnp", _known("P06280", "N215S")["dbsnp"], 1),
            some("pmid", [*_known("P06280", "N215S")["pmids"], *proteins()["P06280"]["pmids"]], 1),
        ],
        "variant.effect pubmed.search",
        "natural variant of the record and its papers",
        split="multistep",
        facts=["P06280"],
    )
