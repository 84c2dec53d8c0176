"""Protein tasks: what one record says, and several steps."""

from __future__ import annotations

from collections.abc import Iterable

import _protein_edges
from _entries import acc, entry, references, site
from _task import Task, identifier, number, some, string, task


def tasks() -> Iterable[Task]:
    """All of them, the edge cases included."""
    yield from _basic()
    yield from _protein_edges.tasks()
    yield from _steps()


def _basic() -> Iterable[Task]:
    """One protein, one fact."""
    jak = entry("O60674")
    yield task(
        "protein-accession",
        "O60674",
        [
            acc("O60674"),
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
        [number("length", entry("P35557")["length"], "aa"), acc("P35557")],
        "uniprot.fetch",
        "length of the record",
        facts=["P35557"],
    )
    yield task(
        "protein-organism",
        "Which organism does UniProt entry P03468 come from?",
        [string("organism", entry("P03468")["organism"], "Influenza A virus"), acc("P03468")],
        "uniprot.fetch",
        "organism of the record",
        facts=["P03468"],
    )
    yield task(
        "protein-gene",
        "What is the gene name of P06280?",
        [string("gene", entry("P06280")["gene"]), acc("P06280")],
        "uniprot.fetch",
        "gene of the record",
        facts=["P06280"],
    )
    yield task(
        "protein-location",
        "Where in the cell is P06280 found?",
        [string("location", *entry("P06280")["locations"]), acc("P06280")],
        "uniprot.fetch",
        "location terms of the record",
        facts=["P06280"],
    )
    sh2 = site("P42224", "Domain", "SH2")
    yield task(
        "protein-domain",
        "Where is the SH2 domain in P42224?",
        [number("start", sh2[1]), number("end", sh2[2]), acc("P42224")],
        "uniprot.fetch",
        "site (Domain, SH2) of the record",
        facts=["P42224"],
    )
    yield task(
        "protein-ec",
        "Give the EC number of P04035",
        [identifier("ec", entry("P04035")["ec"][0]), acc("P04035")],
        "uniprot.fetch",
        "EC number of the record",
        facts=["P04035"],
    )
    yield task(
        "protein-entry-name",
        "RASK_HUMAN",
        [acc("P01116"), string("gene", "KRAS"), number("length", 189, "aa")],
        "uniprot.fetch|uniprot.search",
        "the record with this entry name",
        facts=["P01116"],
    )
    yield task(
        "protein-gene-symbol",
        "What is LRRK2?",
        [acc("Q5S007"), string("name", entry("Q5S007")["name"])],
        "uniprot.search",
        "the reviewed human record of this gene",
        facts=["Q5S007"],
    )
    yield task(
        "protein-mouse-gene",
        "mouse Braf",
        [
            acc("P28028"),
            string("organism", "Mus musculus"),
            number("length", entry("P28028")["length"], "aa"),
        ],
        "uniprot.search",
        "the reviewed mouse record of this gene",
        facts=["P28028"],
    )
    yield task(
        "protein-zh-function",
        "EGFR 是什么蛋白?",
        [acc("P00533"), string("name", entry("P00533")["name"])],
        "uniprot.search",
        "the reviewed human record of this gene",
        facts=["P00533"],
    )
    yield task(
        "protein-zh-location",
        "P11413 位于细胞的什么位置?",
        [string("location", *entry("P11413")["locations"]), acc("P11413")],
        "uniprot.fetch",
        "location terms of the record",
        facts=["P11413"],
    )
    yield task(
        "protein-zh-length",
        "人胰岛素 P01308 有多少个氨基酸?",
        [number("length", entry("P01308")["length"], "aa"), acc("P01308")],
        "uniprot.fetch",
        "length of the record",
        facts=["P01308"],
    )
    yield task(
        "protein-yeast",
        "ADK1 in yeast: which UniProt entry and how long?",
        [acc("P07170"), number("length", entry("P07170")["length"], "aa")],
        "uniprot.search",
        "the reviewed yeast record of this gene",
        facts=["P07170"],
    )
    yield task(
        "protein-pdb-list",
        "List PDB structures of P38936",
        [some("pdb", (r[1] for r in references("P38936", "PDB")), 3, only=True), acc("P38936")],
        "uniprot.fetch",
        "PDB cross-references of the record",
        facts=["P38936"],
    )
    yield task(
        "protein-go-process",
        "Which GO molecular functions has P35557?",
        [some("go", (g["id"] for g in entry("P35557")["go"] if g["aspect"] == "F"), 3), acc("P35557")],
        "uniprot.fetch",
        "GO annotations of aspect F",
        facts=["P35557"],
    )
    yield task(
        "protein-disease",
        "Which diseases are linked to variants of GJB2?",
        [some("disease", (d["acronym"] for d in entry("P29033")["diseases"]), 2), acc("P29033")],
        "uniprot.search",
        "disease acronyms of the record",
        facts=["P29033"],
    )


def _steps() -> Iterable[Task]:
    """Look up, then go on."""
    yield task(
        "protein-and-papers",
        "Look up P37840 and find papers about it",
        [
            acc("P37840"),
            string("name", entry("P37840")["name"]),
            some("pmid", entry("P37840")["pmids"], 1),
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
            acc("P29033"),
            string("name", entry("P29033")["name"]),
            some("pmid", entry("P29033")["pmids"], 1),
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
            acc("P15056"),
            acc("P28028"),
            number("length", entry("P15056")["length"], "aa"),
            number("length", entry("P28028")["length"], "aa"),
        ],
        "uniprot.search",
        "both records",
        split="multistep",
        facts=["P15056", "P28028"],
    )
