"""Protein tasks: other databases' identifiers, old accessions, absent and unclear ones, follow-ups."""

from __future__ import annotations

from collections.abc import Iterable

from _entries import acc, entry, isoform, own_pdb, references
from _task import Task, choice, identifier, inactive, number, string, task


def tasks() -> Iterable[Task]:
    """All of them."""
    yield from _identifiers()
    yield from _edges()


def _identifiers() -> Iterable[Task]:
    """Other databases' identifiers, spellings and old accessions."""
    yield task(
        "protein-lowercase",
        "p12004",
        [acc("P12004"), string("name", entry("P12004")["name"])],
        "uniprot.fetch",
        "accessions have no case",
        split="edge",
        facts=["P12004"],
    )
    yield task(
        "protein-version",
        "P04637.4",
        [acc("P04637"), number("sequence_version", entry("P04637")["source"]["sequence_version"])],
        "uniprot.fetch",
        "sequence version of the record: kept and said",
        split="edge",
        facts=["P04637"],
    )
    yield task(
        "protein-secondary",
        f"What is {entry('P04637')['secondary'][0]}?",
        [acc("P04637"), string("name", entry("P04637")["name"])],
        "uniprot.fetch",
        "the record with this secondary accession",
        split="edge",
        facts=["P04637"],
    )
    yield task(
        "protein-demerged",
        "O00688",
        [identifier("uniprot", name) for name in inactive()["O00688"]["successors"]],
        "uniprot.fetch",
        "the accession was split; its successors are named, also when asked back; none is picked in silence",
        split="edge",
        outcome="any",
        facts=["P00533"],
    )
    yield task(
        "protein-deleted",
        "What is UniProt Q98UH1?",
        [string("reason", "deleted", "obsolete", "inactive", "删除")],
        "uniprot.fetch",
        "the entry was deleted",
        split="edge",
        outcome="not_found",
    )
    yield task(
        "protein-isoform",
        "P10636-8",
        [identifier("uniprot", "P10636-8"), string("isoform", isoform("P10636", "P10636-8"))],
        "uniprot.fetch",
        "isoform of the record by its identifier",
        split="edge",
        facts=["P10636"],
    )
    yield task(
        "protein-two",
        "比较 P01375 和 P05067,哪个更长?",
        [
            acc("P01375"),
            acc("P05067"),
            number("length", entry("P01375")["length"], "aa"),
            number("length", entry("P05067")["length"], "aa"),
        ],
        "uniprot.fetch",
        "length of both records",
        split="edge",
        facts=["P01375", "P05067"],
    )
    refseq = references("Q9BYF1", "RefSeq")[-1][1]
    yield task(
        "protein-refseq",
        refseq,
        [acc("Q9BYF1"), identifier("refseq_protein", refseq)],
        "uniprot.search",
        "the record with this cross-reference",
        split="edge",
        facts=["Q9BYF1"],
    )
    ensembl = references("P37840", "Ensembl")[0][2]
    yield task(
        "protein-ensembl",
        f"Which protein is {ensembl.split('.')[0]}?",
        [acc("P37840"), identifier("ensembl_protein", ensembl.split(".")[0])],
        "uniprot.search",
        "the record with this cross-reference",
        split="edge",
        facts=["P37840"],
    )
    pdb = own_pdb("P00918")
    yield task(
        "protein-pdb",
        f"PDB 结构 {pdb} 中是什么蛋白?",
        [acc("P00918"), identifier("pdb", pdb)],
        "uniprot.search",
        "the only record of the store with this structure",
        split="edge",
        facts=["P00918"],
    )
    yield task(
        "protein-alias",
        "HER2",
        [acc("P04626"), string("gene", "ERBB2")],
        "uniprot.search",
        "gene synonym of the record",
        split="edge",
        facts=["P04626"],
    )
    yield task(
        "protein-zh-mouse",
        "小鼠的 Il5 蛋白有多长?",
        [
            acc("P04401"),
            number("length", entry("P04401")["length"], "aa"),
            string("organism", "Mus musculus", "小鼠"),
        ],
        "uniprot.search",
        "length of the mouse record of this gene",
        split="edge",
        facts=["P04401"],
    )


def _edges() -> Iterable[Task]:
    """Absent, unclear and yes-or-no."""
    yield task(
        "protein-unknown",
        "UNKNOWN_ACCESSION_77777",
        [],
        "",
        "no identifier of any database has this form",
        split="edge",
        outcome="not_found",
    )
    yield task(
        "protein-nonsense-name",
        "qwertzuiopase 是什么蛋白质?",
        [],
        "uniprot.search",
        "no record of this name",
        split="edge",
        outcome="not_found",
    )
    yield task(
        "protein-symbols",
        "!!! ... ???",
        [],
        "",
        "nothing is asked",
        split="edge",
        route="none",
        outcome="ask",
    )
    yield task(
        "protein-greeting",
        "你好",
        [],
        "",
        "a greeting: nothing is asked",
        split="edge",
        route="none",
        outcome="ask",
    )
    has = any(g["id"] == "GO:0003924" for g in entry("P63000")["go"])
    yield task(
        "protein-go-yes",
        "Is RAC1 (P63000) annotated with GO:0003924?",
        [
            choice("annotated", has, ["yes", "is annotated"], ["not annotated"]),
            identifier("go", "GO:0003924"),
            acc("P63000"),
        ],
        "uniprot.fetch",
        "GO annotations of the record",
        split="edge",
        facts=["P63000"],
    )
    keyword = "Signal" in entry("P37840")["keywords"] or any(
        s[0] == "Signal peptide" for s in entry("P37840")["sites"]
    )
    yield task(
        "protein-signal-no",
        "Does P37840 have a signal peptide?",
        [choice("signal_peptide", keyword, ["no", "not annotated", "none"], ["yes"]), acc("P37840")],
        "uniprot.fetch",
        "no site of this kind in the record",
        split="edge",
        facts=["P37840"],
    )
    yield task(
        "protein-follow-up-length",
        "How long is it?",
        [number("length", entry("P36888")["length"], "aa"), acc("P36888")],
        "uniprot.fetch",
        "'it' is the protein of the turn before",
        split="edge",
        history=["What is P36888?"],
        facts=["P36888"],
    )
    yield task(
        "protein-follow-up-zh",
        "这个蛋白质属于哪个物种?",
        [string("organism", "Mus musculus", "小鼠"), acc("P00520")],
        "uniprot.fetch",
        "the protein of the turn before",
        split="edge",
        history=["P00520"],
        facts=["P00520"],
    )
    yield task(
        "protein-follow-up-none",
        "What does this protein do?",
        [],
        "",
        "there is no earlier turn: it has to be asked which",
        split="edge",
        outcome="ask",
    )
    tat = entry("P0C6U8")
    yield task(
        "protein-viral",
        "How long is replicase polyprotein 1a of SARS coronavirus (P0C6U8)?",
        [number("length", tat["length"], "aa"), acc("P0C6U8")],
        "uniprot.fetch",
        "length of the record",
        split="edge",
        facts=["P0C6U8"],
    )
