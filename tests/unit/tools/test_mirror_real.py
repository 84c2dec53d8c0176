"""Mirrors of the real files of Biopython's source distribution, against what Biopython reads in them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from Bio import Entrez, Medline, SwissProt

from labagent.errors import InputError
from labagent.tools.backends import Source, connect, using
from labagent.tools.backends.protocols import ProteinSource
from labagent.tools.literature.records import SearchArguments as PaperQuery
from labagent.tools.mirrors.building import build
from labagent.tools.mirrors.entry import comments_of, plain
from labagent.tools.mirrors.features import KINDS
from labagent.tools.mirrors.flat import entries
from labagent.tools.mirrors.papers import paper_record
from labagent.tools.mirrors.readers.medline import records as medline_rows
from labagent.tools.mirrors.streams import opened
from labagent.tools.proteins.records import ProteinRecord
from labagent.tools.proteins.records import SearchArguments as ProteinQuery
from labagent.tools.registry import call
from support.biopython_files import biopython_files

FLAT = (
    "multi_ex.txt", "P04439.txt", "P62258.txt", "Q7Z739.txt", "P16235.txt", "O95832.txt", "P60904.txt",
    "Q13454.txt", "Q13639.txt", "P0CK95.txt", "P60137.txt", "P0A186.txt", "P68308.txt", "P39896.txt",
    "O23729.txt", "F2CXE6.txt", "H2CNN8.txt", "sp012", "sp013", "sp016",
)  # fmt: skip
XML = ("pubmed1.xml", "pubmed2.xml", "pubmed4.xml", "pubmed5.xml", "pubmed6.xml", "pubmed7.xml")
MARKUP = re.compile(r"</?(?:i|b|u|sub|sup|none|m[a-z]+)(?: [^>]*)?>")
MEDLINE = ("pubmed_result1.txt", "pubmed_result2.txt", "pubmed_result3.txt")


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return biopython_files(tmp_path_factory.mktemp("biopython"))


@pytest.fixture(scope="module")
def proteins(files: Path, tmp_path_factory: pytest.TempPathFactory) -> Source:
    target = tmp_path_factory.mktemp("mirror") / "proteins.sqlite"
    built = build(target, [files / "SwissProt" / name for name in FLAT])
    assert built.entries == 27
    return connect(f"mirror:{target}")


@pytest.fixture(scope="module")
def papers(files: Path, tmp_path_factory: pytest.TempPathFactory) -> Source:
    target = tmp_path_factory.mktemp("mirror") / "papers.sqlite"
    build(target, [*(files / "Entrez" / n for n in XML), *(files / "Medline" / n for n in MEDLINE)])
    return connect(f"mirror:{target}")


def squeezed(text: str) -> str:
    """Text without white space: lines are joined otherwise by Biopython."""
    return re.sub(r"\s", "", text)


def oracle(files: Path) -> list[SwissProt.Record]:
    found = []
    for name in FLAT:
        with (files / "SwissProt" / name).open() as stream:
            found += list(SwissProt.parse(stream))
    return found


def protein(source: Source, key: str) -> ProteinRecord:
    assert source.proteins is not None
    return source.proteins.protein(key)


def test_entries_are_those_of_biopython(files: Path, proteins: Source):
    for theirs in oracle(files):
        ours = protein(proteins, theirs.accessions[0])
        assert (ours.accession, *ours.secondary) == tuple(theirs.accessions)
        assert ours.entry_name == theirs.entry_name
        assert ours.reviewed == (theirs.data_class in ("Reviewed", "STANDARD"))
        assert (ours.sequence, ours.length, ours.mass) == (theirs.sequence, *theirs.seqinfo[:2])
        assert ours.taxon == int(theirs.taxonomy_id[0])
        assert squeezed(theirs.organism).startswith(squeezed(ours.organism).partition("(")[0])
        assert list(ours.keywords) == [plain(k) for k in theirs.keywords]
        assert [p for r in theirs.references for d, p in r.references if d == "PubMed"] == list(ours.pmids)
        assert ours.entry_version == (theirs.annotation_update[1] if ours.entry_version else None)


def test_names_and_genes_are_those_of_biopython(files: Path, proteins: Source):
    for theirs in oracle(files):
        ours = protein(proteins, theirs.accessions[0])
        description = squeezed(plain(theirs.description))
        assert ours.name and all(squeezed(name) in description for name in (ours.name, *ours.names))
        own = re.split(r"Contains:|Includes:", plain(theirs.description))[0]
        stated = re.findall(r"(?:Full|Short|Allergen|CD_antigen|INN)=([^;]+);", own)
        if stated:
            assert [ours.name, *ours.names] == list(dict.fromkeys(n.strip() for n in stated))
        genes = [plain(n) for g in theirs.gene_name for k in g for n in ([g[k]] if k == "Name" else g[k])]
        assert [n for n in (ours.gene, *ours.gene_synonyms) if n] == list(dict.fromkeys(genes))


def test_comments_and_references_are_those_of_biopython(files: Path, proteins: Source):
    for theirs in oracle(files):
        ours = protein(proteins, theirs.accessions[0])
        stated = [
            squeezed(plain(c.removeprefix("FUNCTION:"))) for c in theirs.comments if c.startswith("FUNCTION")
        ]
        assert [squeezed(text) for text in ours.function] == stated
        assert len(ours.go) == sum(r[0] == "GO" for r in theirs.cross_references)
        pairs = [(r[0], r[1]) for r in theirs.cross_references if r[0] != "GO"]
        assert [(r.database, r.id) for r in ours.references] == pairs


def test_all_comments_are_read(files: Path):
    for name in FLAT:
        path = files / "SwissProt" / name
        with opened(path) as source, path.open() as stream:
            for ours, theirs in zip(entries(source), SwissProt.parse(stream), strict=True):
                stated = [squeezed(plain(c)) for c in theirs.comments if not c.startswith("---")]
                assert [squeezed(f"{t}:{text}") for t, text in comments_of(ours)] == stated


def test_features_are_those_of_biopython(files: Path, proteins: Source):
    for theirs in oracle(files):
        ours = protein(proteins, theirs.accessions[0])
        rest = [f for f in theirs.features if f.type != "VARIANT"]
        assert [f.kind for f in ours.features] == [KINDS[f.type] for f in rest]
        for mine, other in zip(ours.features, rest, strict=True):
            stated = other.qualifiers.get("note") or other.qualifiers.get("description") or ""
            assert squeezed(plain(stated)).rstrip(".") in squeezed(mine.note)
            if str(other.location.start).isdigit() and str(other.location.end).isdigit():
                assert (mine.first, mine.last) == (int(other.location.start) + 1, int(other.location.end))
        variants = [f for f in theirs.features if f.type == "VARIANT"]
        assert len(ours.variants) == len(variants)
        for variant in ours.variants:
            assert ours.sequence[variant.first - 1 : variant.last] == variant.original


def test_isoforms_are_made_by_their_changes(proteins: Source):
    """Lengths of isoforms, counted by hand from the features of the records."""
    with using([proteins]):
        for asked, length in (("P62258-1", 255), ("P62258-2", 233), ("P16235-4", None)):
            reply = call("uniprot.fetch", {"accession": asked})
            assert reply.status == "ok", reply.error
            assert reply.result is not None and reply.result["isoform"] == asked
            if length:
                assert len(reply.result["sequence"]) == reply.result["length"] == length


def test_secondary_accessions_lead_to_the_entry(files: Path, proteins: Source):
    for theirs in oracle(files):
        for secondary in theirs.accessions[1:4]:
            found = protein(proteins, secondary)
            assert (found.accession, found.found_by) == (theirs.accessions[0], "secondary")
        assert protein(proteins, theirs.entry_name).found_by in ("entry_name", "accession")


def test_searches_find_what_is_in_the_files(files: Path, proteins: Source):
    assert proteins.proteins is not None
    source: ProteinSource = proteins.proteins

    def found(**query: object) -> set[str]:
        hits = source.search_proteins(ProteinQuery.model_validate({"size": 50, **query}))
        assert hits.total == len(hits.hits)
        return {h.accession for h in hits.hits}

    everything = oracle(files)
    human = {r.accessions[0] for r in everything if r.organism.startswith("Homo sapiens")}
    assert found(organism="human") == found(taxon=9606) == found(organism="HOMO SAPIENS") == human
    palmitate = {r.accessions[0] for r in everything if "palmitoyl" in squeezed(" ".join(r.comments)).lower()}
    assert found(query="palmitoylated") and found(query="palmitoylated") <= palmitate
    for theirs in everything:
        rows = [r for r in theirs.cross_references if r[0] in ("RefSeq", "PDB")]
        for row in rows[:1] + rows[-1:]:
            assert theirs.accessions[0] in found(query=f'"{row[1]}"'), row
    assert found(query="phosphoserine", reviewed=False) == set()
    assert found(gene="ywhae") == {"P62258"} == found(gene="YWHAE", organism="human")


@pytest.mark.parametrize("name", XML)
def test_articles_are_those_of_bio_entrez(files: Path, papers: Source, name: str):
    with (files / "Entrez" / name).open("rb") as stream:
        read = Entrez.read(stream)
    assert papers.literature is not None
    for article in read["PubmedArticle"]:
        citation = article["MedlineCitation"]
        (ours,) = papers.literature.papers([str(citation["PMID"])])
        stated = citation["Article"]
        assert ours.title == " ".join(MARKUP.sub("", stated["ArticleTitle"]).split())
        authors = stated["AuthorList"]
        assert ours.author_count == len(authors)
        assert ours.authors[0].startswith(authors[0].get("LastName", authors[0].get("CollectiveName")))
        parts = stated.get("Abstract", {}).get("AbstractText", [])
        assert squeezed(MARKUP.sub("", "".join(parts))) == squeezed(
            re.sub(r"(?m)^[A-Z][A-Z /&]+: ", "", ours.abstract)
            if any(p.attributes for p in parts)
            else ours.abstract
        )
        assert ours.has_abstract == bool(parts)
        assert list(ours.types) == [str(t) for t in stated["PublicationTypeList"]]
        assert [m.partition("/")[0] for m in ours.mesh] == [
            str(h["DescriptorName"]) for h in citation.get("MeshHeadingList", [])
        ]
        date = stated["Journal"]["JournalIssue"]["PubDate"]
        assert str(ours.year) in (date.get("Year"), date.get("MedlineDate", "")[:4])
        dois = {str(i) for i in article["PubmedData"]["ArticleIdList"] if i.attributes["IdType"] == "doi"}
        assert {ours.doi} - {""} == dois


@pytest.mark.parametrize("name", MEDLINE)
def test_records_are_those_of_bio_medline(files: Path, papers: Source, name: str):
    path = files / "Medline" / name
    assert papers.literature is not None
    with path.open() as stream, opened(path) as source:
        theirs, ours = list(Medline.parse(stream)), [paper_record(r.body) for r in medline_rows(source)]
    for other, mine in zip((t for t in theirs if t), ours, strict=True):
        assert mine.pmid == other["PMID"] and mine.title == other["TI"]
        assert list(mine.authors) == other["AU"] and mine.journal == other["TA"]
        assert squeezed(mine.abstract) == squeezed(other.get("AB", ""))
        assert list(mine.mesh) == other.get("MH", []) and list(mine.types) == other.get("PT", [])
        assert str(mine.year) == other["DP"][:4]
        hits = papers.literature.search_papers(
            PaperQuery(query=f"({mine.title.rstrip('.')}) AND {mine.authors[0]}[au]")
        )
        assert mine.pmid in {h.pmid for h in hits.hits}


@pytest.mark.parametrize(
    "name", ["sp015", "keywlist.txt", "README", "uni001", "multi_ex.fasta", "multi_ex.xml"]
)
def test_files_of_another_kind_are_refused(files: Path, tmp_path: Path, name: str):
    with pytest.raises(InputError, match=name):
        build(tmp_path / "x.sqlite", [files / "SwissProt" / name])
    assert not list(tmp_path.glob("*.sqlite"))
