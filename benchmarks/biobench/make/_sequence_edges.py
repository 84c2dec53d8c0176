"""Sequence tasks: letters, layouts and alphabets that parsers get wrong, and what is no sequence."""

from __future__ import annotations

from collections.abc import Iterable

from _bases import DNA, RNA, gc
from _task import Task, choice, number, residues, string, task
from Bio.Seq import Seq
from Bio.SeqUtils import molecular_weight
from Bio.SeqUtils.ProtParam import ProteinAnalysis


def tasks() -> Iterable[Task]:
    """All of them."""
    yield from _kinds()
    yield from _doubtful()


def _kinds() -> Iterable[Task]:
    """Letters, layouts and alphabets that parsers get wrong."""
    gapped = "ATG---GCT-AAA-CCC"
    plain = gapped.replace("-", "")
    yield task(
        "sequence-gaps",
        gapped,
        [number("length", len(plain), "nt"), number("gaps", gapped.count("-"), ""), string("type", "DNA")],
        "sequence.stats",
        "len without the gap character; count of '-'",
        split="edge",
    )
    yield task(
        "sequence-rna",
        f"reverse complement of {RNA}",
        [residues("reverse_complement", str(Seq(RNA).reverse_complement_rna())), string("type", "RNA")],
        "sequence.reverse_complement",
        "Seq.reverse_complement_rna",
        split="edge",
    )
    stopped = "MKWLEDAGHTRRSV*"
    analysis = ProteinAnalysis(stopped.rstrip("*"))
    yield task(
        "sequence-stop",
        f"{stopped} length and mass?",
        [
            number("length", len(stopped) - 1, "aa"),
            number("mass", round(analysis.molecular_weight(), 2), "Da", 0.5),
        ],
        "sequence.stats",
        "ProteinAnalysis without the stop",
        split="edge",
    )
    iupac = "ATGRYSWKMBDHVNACGT"
    yield task(
        "sequence-iupac",
        f"Reverse complement of the ambiguous DNA {iupac}",
        [residues("reverse_complement", str(Seq(iupac).reverse_complement()))],
        "sequence.reverse_complement",
        "Seq.reverse_complement with IUPAC codes",
        split="edge",
    )
    lower = DNA.lower()
    yield task(
        "sequence-lower",
        f"求 {lower} 的 GC 百分比",
        [number("gc", gc(DNA), "%", 0.1)],
        "sequence.stats",
        "Bio.SeqUtils.gc_fraction, case ignored",
        split="edge",
    )
    block = "        1 atgagcggat tccttgacca gtacggtcat\n       31 tggaactaa\n"
    yield task(
        "sequence-numbered",
        f"translate this\n{block}",
        [residues("translation", str(Seq(DNA).translate(to_stop=True)))],
        "sequence.translate",
        "digits and spaces of a GenBank block are no residues",
        split="edge",
    )
    mito = "ATGATATGACTATAA"
    yield task(
        "sequence-table2",
        f"用脊椎动物线粒体密码子表(第2号)翻译 {mito}",
        [residues("translation", str(Seq(mito).translate(table=2, to_stop=True)))],
        "sequence.translate",
        "Seq.translate(table=2, to_stop)",
        split="edge",
    )
    selenium = "MCUAGRLKDEFHSTPWYVNQ"
    yield task(
        "sequence-sec",
        f">sel a selenoprotein\n{selenium}",
        [
            number("length", len(selenium), "aa"),
            number("mass", round(molecular_weight(selenium, "protein"), 2), "Da", 0.5),
            string("type", "protein"),
        ],
        "sequence.stats",
        "Bio.SeqUtils.molecular_weight with U = Sec",
        split="edge",
    )
    yield task(
        "sequence-n-run",
        "NNNNNNNNNNNNNNNNNNNNNNNN",
        [number("length", 24, "")],
        "sequence.stats",
        "len; N is any base or asparagine: both readings are said",
        split="edge",
    )
    yield task(
        "sequence-one-letter",
        ">one\nW",
        [number("length", 1, ""), string("type", "protein")],
        "sequence.stats",
        "W is a residue (tryptophan); as IUPAC DNA (A or T) it is ambiguous",
        split="edge",
    )
    yield task(
        "sequence-crlf",
        ">first some words\r\nATGCCC\r\nGGGTTT\r\n",
        [number("length", 12, "nt"), number("gc", gc("ATGCCCGGGTTT"), "%", 0.1)],
        "sequence.stats",
        "len, gc_fraction; the header is no sequence",
        split="edge",
    )
    yield task(
        "sequence-embedded",
        "Could you tell me what ATGGCTTCTAAAGGTGAATAA encodes, thanks a lot",
        [residues("translation", str(Seq("ATGGCTTCTAAAGGTGAATAA").translate(to_stop=True)))],
        "sequence.translate",
        "Seq.translate(to_stop) of the run of bases",
        split="edge",
    )
    yield task(
        "sequence-partial-codon",
        "Translate ATGGCTTCTAAAGGTGAATT",
        [residues("translation", str(Seq("ATGGCTTCTAAAGGTGAA").translate()))],
        "sequence.translate",
        "whole codons only; two bases are left over",
        split="edge",
    )
    yield task(
        "sequence-zh-rna",
        f"把这条RNA翻译成蛋白质:{RNA}",
        [residues("translation", str(Seq(RNA).translate(to_stop=True)))],
        "sequence.translate",
        "Seq.translate(to_stop)",
        split="edge",
    )


def _doubtful() -> Iterable[Task]:
    """What is no sequence, or not one kind of it."""
    yield task(
        "sequence-mixed-tu",
        "Translate ATGGCUTTAGCUAAATTT",
        [choice("consistent", False, ["both T and U", "T and U", "mix", "ambiguous", "混"], [])],
        "",
        "T and U in one sequence: neither DNA nor RNA",
        split="edge",
        outcome="refuse",
    )
    yield task(
        "sequence-bad-letter",
        "Reverse complement of ATGCJQZATGC",
        [choice("dna", False, ["J", "not a nucleotide", "not DNA", "不是"], [])],
        "",
        "J, Q and Z are no bases",
        split="edge",
        outcome="refuse",
    )
    yield task(
        "sequence-none",
        "Translate my gene please",
        [],
        "",
        "no sequence is given: it has to be asked for",
        split="edge",
        outcome="ask",
    )
    yield task(
        "sequence-zh-none",
        "请帮我算一下这段序列的等电点",
        [],
        "",
        "no sequence is given: it has to be asked for",
        split="edge",
        outcome="ask",
    )
    yield task(
        "sequence-ambiguous-type",
        "GATTACAGATTACA length, and what type is it?",
        [number("length", 14, ""), string("type", "DNA")],
        "sequence.stats",
        "all letters are bases; they are residues, too",
        split="edge",
    )
