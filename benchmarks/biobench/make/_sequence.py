"""Sequence tasks: what Biopython says of a sequence in the question, of pairs and in several steps."""

from __future__ import annotations

from collections.abc import Iterable

import _sequence_edges
from _bases import DNA, GENE, PEPTIDE, RNA, gc
from _task import Task, number, proteins, residues, string, task
from Bio.Align import PairwiseAligner, substitution_matrices
from Bio.Seq import Seq
from Bio.SeqUtils.ProtParam import ProteinAnalysis


def tasks() -> Iterable[Task]:
    """All of them, the edge cases included."""
    yield from _basic()
    yield from _sequence_edges.tasks()
    yield from _several()
    yield from _steps()


def _basic() -> Iterable[Task]:
    """Plain questions."""
    yield task(
        "sequence-length-dna",
        f"How long is this DNA? {DNA}",
        [number("length", len(DNA), "nt"), string("type", "DNA")],
        "sequence.stats",
        "len",
    )
    yield task(
        "sequence-gc",
        f"What is the GC content of {DNA}?",
        [number("gc", gc(DNA), "%", 0.1)],
        "sequence.stats",
        "Bio.SeqUtils.gc_fraction",
    )
    yield task(
        "sequence-revcomp",
        f"Reverse complement of {GENE} please",
        [residues("reverse_complement", str(Seq(GENE).reverse_complement()))],
        "sequence.reverse_complement",
        "Seq.reverse_complement",
    )
    yield task(
        "sequence-translate",
        f"Translate {GENE} with the standard code",
        [residues("translation", str(Seq(GENE).translate(to_stop=True)))],
        "sequence.translate",
        "Seq.translate(table=1, to_stop)",
    )
    yield task(
        "sequence-zh-translate",
        f"请翻译这段DNA:{DNA}",
        [residues("translation", str(Seq(DNA).translate(to_stop=True)))],
        "sequence.translate",
        "Seq.translate(table=1, to_stop)",
    )
    yield task(
        "sequence-zh-length",
        f"这条序列有多长?{PEPTIDE}",
        [number("length", len(PEPTIDE), "aa"), string("type", "protein", "蛋白")],
        "sequence.stats",
        "len",
    )
    analysis = ProteinAnalysis(PEPTIDE)
    yield task(
        "sequence-mass",
        f"Molecular weight of the peptide {PEPTIDE}?",
        [number("mass", round(analysis.molecular_weight(), 2), "Da", 0.5)],
        "sequence.stats",
        "ProteinAnalysis.molecular_weight",
    )
    yield task(
        "sequence-pi",
        f"What is the isoelectric point of {PEPTIDE}?",
        [number("pi", round(analysis.isoelectric_point(), 2), "", 0.05)],
        "sequence.stats",
        "ProteinAnalysis.isoelectric_point",
    )
    yield task(
        "sequence-gravy",
        f"GRAVY score of {PEPTIDE}",
        [number("gravy", round(analysis.gravy(), 3), "", 0.01)],
        "sequence.stats",
        "ProteinAnalysis.gravy",
    )
    yield task(
        "sequence-extinction",
        f"Give the molar extinction coefficient (reduced cysteines) of {PEPTIDE}",
        [number("extinction", analysis.molar_extinction_coefficient()[0], "M-1 cm-1", 0)],
        "sequence.stats",
        "ProteinAnalysis.molar_extinction_coefficient()[0]",
    )
    yield task(
        "sequence-zh-gc",
        f"计算 {GENE} 的GC含量",
        [number("gc", gc(GENE), "%", 0.1)],
        "sequence.stats",
        "Bio.SeqUtils.gc_fraction",
    )
    yield task(
        "sequence-orf",
        "Find the open reading frame in CCATGGTTCGTACCGGCGATCTGAAATAGCC",
        [residues("protein", str(Seq(GENE).translate(to_stop=True)))],
        "sequence.orfs",
        "ATG at base 3, frame 3: Seq(GENE).translate(to_stop)",
    )


def _several() -> Iterable[Task]:
    """More than one record, and pairs."""
    hba, gck = proteins()["P69905"]["sequence"][:40], proteins()["P35557"]["sequence"][:33]
    yield task(
        "sequence-two-proteins",
        f">sp|P69905|HBA_HUMAN N-terminal part\n{hba}\n>sp|P35557|HXK4_HUMAN N-terminal part\n{gck}",
        [number("records", 2, ""), number("length", 40, "aa"), number("length", 33, "aa")],
        "sequence.stats",
        "two FASTA records are two sequences, not wild type and mutant",
        split="edge",
        facts=["P69905", "P35557"],
    )
    yield task(
        "sequence-three-records",
        f">a\n{GENE}\n>b\n{PEPTIDE}\n>c\n{RNA}",
        [
            number("records", 3, ""),
            number("length", len(GENE), "nt"),
            number("length", len(PEPTIDE), "aa"),
            number("length", len(RNA), "nt"),
        ],
        "sequence.stats",
        "len of each record",
        split="edge",
    )
    left = proteins()["P68871"]["sequence"][1:41]
    right = left[:9] + "W" + left[10:20] + "P" + left[21:30] + "Y" + left[31:]
    same = round(100 * sum(a == b for a, b in zip(left, right, strict=True)) / len(left), 2)
    yield task(
        "sequence-identity",
        f"Percent identity between {left} and {right}?",
        [number("identity", same, "%", 0.1)],
        "sequence.align",
        "three substitutions in forty columns",
        facts=["P68871"],
    )
    longer, shorter = left, left[:17] + left[21:]
    kept = round(100 * len(shorter) / len(longer), 2)
    yield task(
        "sequence-identity-gap",
        f"Align these two: {longer}\n{shorter}\nWhat is the identity over the whole alignment?",
        [number("identity", kept, "%", 0.1)],
        "sequence.align",
        "four columns of forty are a gap",
        split="edge",
        facts=["P68871"],
    )
    yield task(
        "sequence-identity-proteins",
        "What is the sequence identity of human hemoglobin alpha (P69905) and beta (P68871)?",
        [
            number(
                "identity",
                _global(proteins()["P69905"]["sequence"], proteins()["P68871"]["sequence"]),
                "%",
                3.0,
            )
        ],
        "uniprot.fetch sequence.align",
        "PairwiseAligner, global, BLOSUM62, gaps -11 and -1, identical columns over all columns",
        split="multistep",
        route="sequence",
        facts=["P69905", "P68871"],
    )


def _global(left: str, right: str) -> float:
    """Identity in percent over all columns of a global BLOSUM62 alignment."""
    aligner = PairwiseAligner(mode="global", open_gap_score=-11, extend_gap_score=-1)
    aligner.substitution_matrix = substitution_matrices.load("BLOSUM62")
    best = aligner.align(left, right)[0]
    columns = list(zip(best[0], best[1], strict=True))
    return round(100 * sum(a == b for a, b in columns) / len(columns), 2)


def _steps() -> Iterable[Task]:
    """Several steps on one sequence, or on one that is looked up."""
    protein = str(Seq(DNA).translate(to_stop=True))
    analysis = ProteinAnalysis(protein)
    yield task(
        "sequence-then-mass",
        f"Translate {DNA} and then give the molecular weight of the protein",
        [residues("translation", protein), number("mass", round(analysis.molecular_weight(), 2), "Da", 0.5)],
        "sequence.translate sequence.stats",
        "Seq.translate, ProteinAnalysis.molecular_weight",
        split="multistep",
    )
    flipped = str(Seq(GENE).reverse_complement())
    yield task(
        "sequence-flip-translate",
        f"Take the reverse complement of {flipped} and translate it",
        [
            residues("reverse_complement", GENE),
            residues("translation", str(Seq(GENE).translate(to_stop=True))),
        ],
        "sequence.reverse_complement sequence.translate",
        "Seq.reverse_complement, Seq.translate",
        split="multistep",
    )
    snca = ProteinAnalysis(proteins()["P37840"]["sequence"])
    yield task(
        "sequence-lookup-pi",
        "Look up P37840 and calculate the theoretical pI and molecular weight of its sequence",
        [
            number("pi", round(snca.isoelectric_point(), 2), "", 0.05),
            number("mass", round(snca.molecular_weight(), 2), "Da", 1.0),
        ],
        "uniprot.fetch sequence.stats",
        "ProteinAnalysis of the record's sequence",
        split="multistep",
        facts=["P37840"],
    )
    pcna = ProteinAnalysis(proteins()["P12004"]["sequence"])
    yield task(
        "sequence-zh-lookup-gravy",
        "查一下 P12004,然后计算它的 GRAVY 值",
        [number("gravy", round(pcna.gravy(), 3), "", 0.01)],
        "uniprot.fetch sequence.stats",
        "ProteinAnalysis of the record's sequence",
        split="multistep",
        facts=["P12004"],
    )
