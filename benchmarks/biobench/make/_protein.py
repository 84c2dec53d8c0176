"""Protein tasks: what the records say."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from _task import Gold, Task, choice, identifier, number, proteins, some, string, task


def tasks() -> Iterable[Task]:
    """All of them."""
    yield from _basic()
    yield from _identifiers()
    yield from _edges()
    yield from _steps()


def _entry(accession: str) -> dict[str, Any]:
    """A protein of the store."""
    return proteins()[accession]


def _acc(accession: str) -> Gold:
    """The accession itself, which an answer cites."""
    return identifier("uniprot", accession)


def _references(accession: str, database: str) -> list[list[str]]:
    """Cross-references to one database."""
    return [r for r in _entry(accession)["references"] if r[0] == database]


def _site(accession: str, kind: str, note: str) -> list[Any]:
    """One annotated stretch of a protein."""
    return next(s for s in _entry(accession)["sites"] if s[0] == kind and s[3] == note)


def _basic() -> Iterable[Task]:
    """One protein, one fact."""
    jak = _entry("O60674")
    yield task(
        "protein-accession",
        "O60674",
        [
            _acc("O60674"),
            string("name", jak["name"]),
            string("organism", "Homo sapiens"),
            number("length", jak["length"], "aa"),
        ],
        "uniprot.fetch",
        "name, organism and length of the record",
        facts=["O60674"],
    )
    yield task(
        "protein-length",
        "How many amino acids does human glucokinase have? See P35557.",
        [number("length", _entry("P35557")["length"], "aa"), _acc("P35557")],
        "uniprot.fetch",
        "length of the record",
        facts=["P35557"],
    )
    yield task(
        "protein-organism",
        "Which organism does UniProt entry P03468 come from?",
        [string("organism", _entry("P03468")["organism"], "Influenza A virus"), _acc("P03468")],
        "uniprot.fetch",
        "organism of the record",
        facts=["P03468"],
    )
    yield task(
        "protein-gene",
        "What is the gene name of P06280?",
        [string("gene", _entry("P06280")["gene"]), _acc("P06280")],
        "uniprot.fetch",
        "gene of the record",
        facts=["P06280"],
    )
    yield task(
        "protein-location",
        "Where in the cell is P06280 found?",
        [string("location", *_entry("P06280")["locations"]), _acc("P06280")],
        "uniprot.fetch",
        "location terms of the record",
        facts=["P06280"],
    )
    sh2 = _site("P42224", "Domain", "SH2")
    yield task(
        "protein-domain",
        "Where is the SH2 domain in P42224?",
        [number("start", sh2[1]), number("end", sh2[2]), _acc("P42224")],
        "uniprot.fetch",
        "site (Domain, SH2) of the record",
        facts=["P42224"],
    )
    yield task(
        "protein-ec",
        "Give the EC number of P04035",
        [identifier("ec", _entry("P04035")["ec"][0]), _acc("P04035")],
        "uniprot.fetch",
        "EC number of the record",
        facts=["P04035"],
    )
    yield task(
        "protein-entry-name",
        "RASK_HUMAN",
        [_acc("P01116"), string("gene", "KRAS"), number("length", 189, "aa")],
        "uniprot.search",
        "the record with this entry name",
        facts=["P01116"],
    )
    yield task(
        "protein-gene-symbol",
        "What is LRRK2?",
        [_acc("Q5S007"), string("name", _entry("Q5S007")["name"])],
        "uniprot.search",
        "the reviewed human record of this gene",
        facts=["Q5S007"],
    )
    yield task(
        "protein-mouse-gene",
        "mouse Braf",
        [
            _acc("P28028"),
            string("organism", "Mus musculus"),
            number("length", _entry("P28028")["length"], "aa"),
        ],
        "uniprot.search",
        "the reviewed mouse record of this gene",
        facts=["P28028"],
    )
    yield task(
        "protein-zh-function",
        "EGFR 是什么蛋白?",
        [_acc("P00533"), string("name", _entry("P00533")["name"])],
        "uniprot.search",
        "the reviewed human record of this gene",
        facts=["P00533"],
    )
    yield task(
        "protein-zh-location",
        "P11413 位于细胞的什么位置?",
        [string("location", *_entry("P11413")["locations"]), _acc("P11413")],
        "uniprot.fetch",
        "location terms of the record",
        facts=["P11413"],
    )
    yield task(
        "protein-zh-length",
        "人胰岛素 P01308 有多少个氨基酸?",
        [number("length", _entry("P01308")["length"], "aa"), _acc("P01308")],
        "uniprot.fetch",
        "length of the record",
        facts=["P01308"],
    )
    yield task(
        "protein-yeast",
        "ADK1 in yeast: which UniProt entry and how long?",
        [_acc("P07170"), number("length", _entry("P07170")["length"], "aa")],
        "uniprot.search",
        "the reviewed yeast record of this gene",
        facts=["P07170"],
    )
    yield task(
        "protein-pdb-list",
        "List PDB structures of P38936",
        [some("pdb", (r[1] for r in _references("P38936", "PDB")), 3, only=True), _acc("P38936")],
        "uniprot.fetch",
        "PDB cross-references of the record",
        facts=["P38936"],
    )
    yield task(
        "protein-go-process",
        "Which GO molecular functions has P35557?",
        [some("go", (g["id"] for g in _entry("P35557")["go"] if g["aspect"] == "F"), 3), _acc("P35557")],
        "uniprot.fetch",
        "GO annotations of aspect F",
        facts=["P35557"],
    )
    yield task(
        "protein-disease",
        "Which diseases are linked to variants of GJB2?",
        [some("disease", (d["acronym"] for d in _entry("P29033")["diseases"]), 2), _acc("P29033")],
        "uniprot.search",
        "disease acronyms of the record",
        facts=["P29033"],
    )


def _identifiers() -> Iterable[Task]:
    """Other databases' identifiers, spellings and old accessions."""
    yield task(
        "protein-lowercase",
        "p12004",
        [_acc("P12004"), string("name", _entry("P12004")["name"])],
        "uniprot.fetch",
        "accessions have no case",
        split="edge",
        facts=["P12004"],
    )
    yield task(
        "protein-version",
        "P04637.4",
        [_acc("P04637"), number("sequence_version", _entry("P04637")["source"]["sequence_version"])],
        "uniprot.fetch",
        "sequence version of the record: kept and said",
        split="edge",
        facts=["P04637"],
    )
    yield task(
        "protein-secondary",
        f"What is {_entry('P04637')['secondary'][0]}?",
        [_acc("P04637"), string("name", _entry("P04637")["name"])],
        "uniprot.fetch",
        "the record with this secondary accession",
        split="edge",
        facts=["P04637"],
    )
    yield task(
        "protein-isoform",
        "P10636-8",
        [identifier("uniprot", "P10636-8"), string("isoform", _isoform("P10636", "P10636-8"))],
        "uniprot.fetch",
        "isoform of the record by its identifier",
        split="edge",
        facts=["P10636"],
    )
    yield task(
        "protein-two",
        "比较 P01375 和 P05067,哪个更长?",
        [
            _acc("P01375"),
            _acc("P05067"),
            number("length", _entry("P01375")["length"], "aa"),
            number("length", _entry("P05067")["length"], "aa"),
        ],
        "uniprot.fetch",
        "length of both records",
        split="edge",
        facts=["P01375", "P05067"],
    )
    refseq = _references("Q9BYF1", "RefSeq")[-1][1]
    yield task(
        "protein-refseq",
        refseq,
        [_acc("Q9BYF1"), identifier("refseq_protein", refseq)],
        "uniprot.search",
        "the record with this cross-reference",
        split="edge",
        facts=["Q9BYF1"],
    )
    ensembl = _references("P37840", "Ensembl")[0][2]
    yield task(
        "protein-ensembl",
        f"Which protein is {ensembl.split('.')[0]}?",
        [_acc("P37840"), identifier("ensembl_protein", ensembl.split(".")[0])],
        "uniprot.search",
        "the record with this cross-reference",
        split="edge",
        facts=["P37840"],
    )
    pdb = _own_pdb("P00918")
    yield task(
        "protein-pdb",
        f"PDB 结构 {pdb} 中是什么蛋白?",
        [_acc("P00918"), identifier("pdb", pdb)],
        "uniprot.search",
        "the only record of the store with this structure",
        split="edge",
        facts=["P00918"],
    )
    yield task(
        "protein-alias",
        "HER2",
        [_acc("P04626"), string("gene", "ERBB2")],
        "uniprot.search",
        "gene synonym of the record",
        split="edge",
        facts=["P04626"],
    )
    yield task(
        "protein-zh-mouse",
        "小鼠的 Il5 蛋白有多长?",
        [
            _acc("P04401"),
            number("length", _entry("P04401")["length"], "aa"),
            string("organism", "Mus musculus", "小鼠"),
        ],
        "uniprot.search",
        "length of the mouse record of this gene",
        split="edge",
        facts=["P04401"],
    )


def _isoform(accession: str, wanted: str) -> str:
    """The name of an isoform."""
    return str(next(i["name"] for i in _entry(accession)["isoforms"] if wanted in i["ids"]))


def _own_pdb(accession: str) -> str:
    """The first structure that no other protein of the store shares."""
    others = {
        r[1]
        for p in proteins().values()
        if p["accession"] != accession
        for r in p["references"]
        if r[0] == "PDB"
    }
    return next(r[1] for r in _references(accession, "PDB") if r[1] not in others and not r[1].isdigit())


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
    has = any(g["id"] == "GO:0003924" for g in _entry("P63000")["go"])
    yield task(
        "protein-go-yes",
        "Is RAC1 (P63000) annotated with GO:0003924?",
        [
            choice("annotated", has, ["yes", "is annotated"], ["not annotated"]),
            identifier("go", "GO:0003924"),
            _acc("P63000"),
        ],
        "uniprot.fetch",
        "GO annotations of the record",
        split="edge",
        facts=["P63000"],
    )
    keyword = "Signal" in _entry("P37840")["keywords"] or any(
        s[0] == "Signal peptide" for s in _entry("P37840")["sites"]
    )
    yield task(
        "protein-signal-no",
        "Does P37840 have a signal peptide?",
        [choice("signal_peptide", keyword, ["no", "not annotated", "none"], ["yes"]), _acc("P37840")],
        "uniprot.fetch",
        "no site of this kind in the record",
        split="edge",
        facts=["P37840"],
    )
    yield task(
        "protein-follow-up-length",
        "How long is it?",
        [number("length", _entry("P36888")["length"], "aa"), _acc("P36888")],
        "uniprot.fetch",
        "'it' is the protein of the turn before",
        split="edge",
        history=["What is P36888?"],
        facts=["P36888"],
    )
    yield task(
        "protein-follow-up-zh",
        "这个蛋白质属于哪个物种?",
        [string("organism", "Mus musculus", "小鼠"), _acc("P00520")],
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
    tat = _entry("P0C6U8")
    yield task(
        "protein-viral",
        "How long is replicase polyprotein 1a of SARS coronavirus (P0C6U8)?",
        [number("length", tat["length"], "aa"), _acc("P0C6U8")],
        "uniprot.fetch",
        "length of the record",
        split="edge",
        facts=["P0C6U8"],
    )


def _steps() -> Iterable[Task]:
    """Look up, then go on."""
    yield task(
        "protein-and-papers",
        "Look up P37840 and find papers about it",
        [
            _acc("P37840"),
            string("name", _entry("P37840")["name"]),
            some("pmid", _entry("P37840")["pmids"], 1),
        ],
        "uniprot.fetch pubmed.search",
        "record, and papers it cites",
        split="multistep",
        facts=["P37840"],
    )
    yield task(
        "protein-zh-and-papers",
        "查询 P29033 的功能并查找相关文献",
        [
            _acc("P29033"),
            string("name", _entry("P29033")["name"]),
            some("pmid", _entry("P29033")["pmids"], 1),
        ],
        "uniprot.fetch pubmed.search",
        "record, and papers it cites",
        split="multistep",
        facts=["P29033"],
    )
    yield task(
        "protein-two-organisms",
        "Compare the lengths of human BRAF and mouse Braf",
        [
            _acc("P15056"),
            _acc("P28028"),
            number("length", _entry("P15056")["length"], "aa"),
            number("length", _entry("P28028")["length"], "aa"),
        ],
        "uniprot.search",
        "both records",
        split="multistep",
        facts=["P15056", "P28028"],
    )
