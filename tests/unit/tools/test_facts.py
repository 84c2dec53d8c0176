"""The backend of bundled facts: every row is found, by every key it has, and says no more than the row."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import labagent.tools
from labagent.errors import ToolError
from labagent.models.facts import InactiveEntry, PaperFacts, ProteinFacts
from labagent.tools.backends import Source, connect, using
from labagent.tools.backends._bundle import FOLDER, Bundle
from labagent.tools.backends.facts import FactsPapers, FactsProteins
from labagent.tools.literature.records import PaperHits
from labagent.tools.literature.records import SearchArguments as PaperQuery
from labagent.tools.literature.syntax import matches, parse_query
from labagent.tools.literature.words import words_of
from labagent.tools.proteins.records import ProteinHits, ProteinRecord
from labagent.tools.proteins.records import SearchArguments as ProteinQuery
from labagent.tools.registry import call


def rows(name: str) -> list[dict[str, Any]]:
    folder = Path(labagent.tools.__file__).parent / "facts"
    with gzip.open(folder / f"{name}.jsonl.gz", "rt", encoding="utf-8") as stream:
        return [json.loads(line) for line in stream]


PROTEINS = rows("proteins")
PAPERS = rows("literature")
INACTIVE = rows("inactive")


@pytest.fixture(scope="module")
def facts() -> Source:
    return connect("facts")


def protein(source: Source, key: str) -> ProteinRecord:
    assert source.proteins is not None
    return source.proteins.protein(key)


def proteins(source: Source, **query: object) -> ProteinHits:
    assert source.proteins is not None
    return source.proteins.search_proteins(ProteinQuery.model_validate(query))


def papers(source: Source, query: str, **more: object) -> PaperHits:
    assert source.literature is not None
    return source.literature.search_papers(PaperQuery.model_validate({"query": query, **more}))


def test_every_row_is_of_its_schema():
    for row in PROTEINS:
        ProteinFacts.model_validate(row)
    for row in PAPERS:
        PaperFacts.model_validate(row)
    for row in INACTIVE:
        InactiveEntry.model_validate(row)


def test_every_protein_says_what_its_row_says(facts: Source):
    for row in PROTEINS:
        found = protein(facts, row["accession"])
        assert found == ProteinRecord.model_validate(found.model_dump())
        for name in (
            "entry_name",
            "reviewed",
            "name",
            "gene",
            "organism",
            "taxon",
            "sequence",
            "length",
            "mass",
        ):
            assert getattr(found, name) == row[name], (row["accession"], name)
        assert found.entry_date == found.retrieved == row["source"]["entry_date"]
        assert [[r.database, r.id, *r.more] for r in found.references] == row["references"]
        assert [[f.kind, f.first, f.last, f.note] for f in found.features] == row["sites"]
        changes = [(v.first, v.last, v.original, v.changed, list(v.dbsnp)) for v in found.variants]
        assert changes == [(v["first"], v["last"], v["from"], v["to"], v["dbsnp"]) for v in row["variants"]]
        assert [g.id for g in found.go] == [g["id"] for g in row["go"]]
        assert list(found.pmids) == row["pmids"] and "function" in found.missing
        for part, values in (("go", found.go), ("papers", found.pmids), ("isoforms", found.isoforms)):
            assert not (part in found.missing and values), (row["accession"], part)


def test_every_key_leads_to_its_entry(facts: Source):
    gone = {row["accession"] for row in INACTIVE}
    for row in PROTEINS:
        assert protein(facts, row["entry_name"]).found_by == "entry_name"
        for secondary in sorted(set(row["secondary"]) - gone)[:2]:
            found = protein(facts, secondary)
            assert (found.accession, found.found_by, found.asked) == (
                row["accession"],
                "secondary",
                secondary,
            )


def test_inactive_accessions_say_what_became_of_them(facts: Source):
    for row in INACTIVE:
        with pytest.raises(ToolError) as raised:
            protein(facts, row["accession"])
        if row["reason"] == "deleted":
            assert raised.value.code == "not_found" and "deleted" in raised.value.hints[0]
        else:
            assert raised.value.code == "ambiguous"
            assert raised.value.allowed == ", ".join(row["successors"])


def copied(folder: Path, inactive: list[dict[str, Any]]) -> Bundle:
    """The facts with other inactive accessions."""
    for name in ("proteins", "literature"):
        (folder / f"{name}.jsonl.gz").write_bytes((FOLDER / f"{name}.jsonl.gz").read_bytes())
    lines = "".join(json.dumps(row) + "\n" for row in inactive)
    (folder / "inactive.jsonl.gz").write_bytes(gzip.compress(lines.encode()))
    return Bundle(folder)


def test_merged_accessions_are_followed(tmp_path: Path):
    row = INACTIVE[0]
    merged = [
        {**row, "accession": "Q00001", "reason": "merged", "successors": ["P04637"]},
        {**row, "accession": "Q00002", "reason": "merged", "successors": ["P99999"]},
    ]
    store = copied(tmp_path, merged)
    found = FactsProteins(store).protein("Q00001")
    assert (found.accession, found.found_by, found.asked) == ("P04637", "merged", "Q00001")
    with pytest.raises(ToolError) as elsewhere:
        FactsProteins(store).protein("Q00002")
    assert elsewhere.value.code == "not_found" and "P99999" in elsewhere.value.hints[0]
    assert store.identity != Bundle(FOLDER).identity


def test_what_is_not_there_is_said(facts: Source):
    with pytest.raises(ToolError) as raised:
        protein(facts, "P99999")
    assert raised.value.code == "not_found" and "75 proteins" in str(raised.value)
    hits = proteins(facts, gene="NOSUCH1")
    assert hits.total == 0 and hits.hits == () and "75 proteins" in hits.notes[-1]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({"gene": "TP53"}, {"P04637"}),
        ({"gene": "brca2", "organism": "human"}, {"P51587"}),
        ({"gene": "brca2", "organism": "mouse"}, {"P97929"}),
        ({"gene": "Brca2"}, {"P51587", "P97929"}),
        ({"gene": "RNF53"}, {"P38398"}),
        ({"query": "NP_009225.1"}, {"P38398"}),
        ({"query": "NP_009225"}, {"P38398"}),
        ({"query": "NM_007294"}, {"P38398"}),
        ({"query": "ENSG00000141510"}, {"P04637"}),
        ({"query": "1JM7"}, {"P38398"}),
        ({"query": "rs121913529"}, {"P01116"}),
        ({"organism": "yeast"}, {"P03069", "P07170", "P32329", "Q04958", "Q08448"}),
        ({"organism": "HIV-1"}, {"P03378"}),
        ({"query": "cystic fibrosis", "taxon": 9606}, {"P13569"}),
        ({"query": "hemoglobin", "reviewed": False}, set()),
    ],
)
def test_proteins_are_found(facts: Source, query: dict[str, object], found: set[str]):
    hits = proteins(facts, size=50, **query)
    assert {h.accession for h in hits.hits} == found and hits.total == len(found)


def test_a_dbsnp_number_leads_to_the_variants(facts: Source):
    """Counted in the rows themselves."""
    numbers = {n: row for row in PROTEINS for v in row["variants"] for n in v["dbsnp"]}
    for number in sorted(numbers)[::400]:
        row = numbers[number]
        stated = [
            f"{v['from']}{v['first']}{v['to'] or 'del'}" for v in row["variants"] if number in v["dbsnp"]
        ]
        hits = proteins(facts, query=number, size=50)
        assert row["accession"] in {h.accession for h in hits.hits}
        assert f"{number} of {row['accession']}: {', '.join(stated)}" in hits.notes


def test_human_comes_before_nothing_it_is_the_asker_who_chooses(facts: Source):
    """Without an organism all are given, those named first so by the gene's first name, then by accession."""
    assert [h.organism for h in proteins(facts, gene="BRAF").hits] == ["Homo sapiens", "Mus musculus"]


def test_an_isoform_whose_sequence_is_not_held_is_said(facts: Source):
    with using([facts]):
        reply = call("uniprot.fetch", {"accession": "P38398-2"})
        other = call("uniprot.fetch", {"accession": "P38398-1"})
        none = call("uniprot.fetch", {"accession": "P38398-99"})
    assert reply.result is not None and other.result is not None and none.error is not None
    assert reply.result["sequence"] == "" and reply.result["length"] is None
    assert any("does not hold the sequence of P38398-2" in note for note in reply.result["notes"])
    assert other.result["length"] == 1863 and none.error.code == "not_found"


def test_every_paper_is_found_by_its_number(facts: Source):
    assert facts.literature is not None
    found = {p.pmid: p for p in facts.literature.papers([row["pmid"] for row in PAPERS])}
    assert len(found) == len(PAPERS)
    for row in PAPERS:
        paper = found[row["pmid"]]
        assert (paper.year, paper.journal, paper.doi) == (row["year"], row["journal"], row["doi"])
        assert paper.title == " ".join(row["title"].split()) and list(paper.authors) == row["authors"]
        assert (
            list(paper.proteins) == row["proteins"] and [list(v) for v in paper.variants] == row["variants"]
        )
        assert paper.has_abstract is None and paper.abstract == "" and paper.retrieved > "2010"
        assert paper == type(paper).model_validate(paper.model_dump())
    assert facts.literature.papers(["999999999"]) == []


QUERIES = (
    '"breast cancer"[ti]', "breast cancer[ti]", "cancer[ti] NOT breast[ti]", "mutat*[ti] AND 1995:1999[dp]",
    "alpha-synuclein[ti]", "α-synuclein[ti]", "TNF-alpha[ti]", "crystal structure[ti] OR nmr[ti]", "2001[dp]",
    "(BRCA1[ti] OR BRCA2[ti]) AND 2005:3000[dp]", "haemoglobin[ti]", '"p53"[ti] NOT (mice[ti] OR mouse[ti])',
    "Nature[ta]", "kinase*[ti] 2010[dp]", "hemoglobin variant*[ti]",
)  # fmt: skip


@pytest.mark.parametrize("query", QUERIES)
def test_papers_found_are_those_of_a_plain_reading(facts: Source, query: str):
    """Against ``syntax.matches`` on the words of every row."""
    tree = parse_query(query)
    want = set()
    for row in PAPERS:
        fields = {
            "title": words_of(row["title"]),
            "text": words_of(row["title"]),
            "journal": words_of(row["journal"]),
        }
        if matches(tree, fields, row["year"]):
            want.add(row["pmid"])
    hits = papers(facts, query, size=100)
    assert hits.total == len(want) > 0
    assert {h.pmid for h in hits.hits} <= want


def test_papers_are_found_by_what_cites_them(facts: Source):
    """A variant in no title: by the entry that cites the paper as its evidence."""
    genes = {row["accession"]: row["gene"] for row in PROTEINS}
    unnamed = [r for r in PAPERS if r["variants"] and not any(genes[a] in r["title"] for a in r["proteins"])]
    for row in unnamed[::200]:
        (accession, variant), *_ = row["variants"]
        protein_row = next(p for p in PROTEINS if p["accession"] == accession)
        change = next(v for v in protein_row["variants"] if v["id"] == variant)
        label = f"{change['from']}{change['first']}{change['to'] or 'del'}"
        hits = papers(facts, f"{genes[accession]} AND {label} AND {row['year']}[dp]", size=100)
        assert row["pmid"] in {h.pmid for h in hits.hits}
        assert papers(facts, f"{genes[accession]}[ti] AND {row['pmid']}[pmid]").total == 0
    assert papers(facts, "KRAS[ti] G12D[ti]").total == 0


def test_orders_and_years(facts: Source):
    newest = papers(facts, "p53", order="date", size=30)
    years = [(h.year or 0, int(h.pmid)) for h in newest.hits]
    assert years == sorted(years, reverse=True) and "newest" in newest.order
    best = papers(facts, "p53", size=30)
    assert [h.pmid for h in best.hits] != [h.pmid for h in newest.hits] and best.total == newest.total
    assert all("p53" in h.title.lower() for h in best.hits[:5])
    assert {h.year for h in papers(facts, "p53", from_year=2000, to_year=2001, size=100).hits} == {2000, 2001}


def test_what_is_not_kept_is_left_out_and_said(facts: Source):
    hits = papers(facts, "p53 NOT review[pt]")
    assert hits.total and any("left out" in note and "review" in note for note in hits.notes)
    assert any("titles" in note for note in hits.notes)
    with pytest.raises(ToolError) as raised:
        papers(facts, "review[pt]")
    assert raised.value.code == "input" and "nothing is left" in str(raised.value)


def test_authors_with_dotted_initials(facts: Source):
    row = next(r for r in PAPERS if any(a.endswith(" Y.-F.") for a in r["authors"]))
    name = next(a for a in row["authors"] if a.endswith(" Y.-F.")).removesuffix(" Y.-F.").lower()
    for query in (f"{name} YF[au]", f"{name} Y[au]", f"{name} Y.-F.[au]"):
        assert row["pmid"] in {h.pmid for h in papers(facts, query, size=100).hits}, query
    everybody = sum(any(name in words_of(a) for a in r["authors"]) for r in PAPERS)
    assert papers(facts, f"{name.capitalize()}[au]").total == everybody > 100


def test_first_searches_of_many_threads_at_once():
    """A store of their own that nobody has read yet."""
    store = Bundle(FOLDER)
    search, literature = FactsProteins(store), FactsPapers(store)

    def ask(number: int) -> tuple[str, int | None]:
        row = PROTEINS[number % len(PROTEINS)]
        hits = search.search_proteins(ProteinQuery(query=row["accession"]))
        found = literature.search_papers(PaperQuery(query=f"{PAPERS[number]['pmid']}[pmid]"))
        assert [h.pmid for h in found.hits] == [PAPERS[number]["pmid"]]
        return hits.hits[0].accession, hits.total

    with ThreadPoolExecutor(16) as pool:
        found = list(pool.map(ask, range(64)))
    assert found == [(PROTEINS[n % len(PROTEINS)]["accession"], 1) for n in range(64)]


LIGHT = """
import sys
from labagent.tools.backends import connect
source = connect("facts")
assert source.proteins.protein("P04637").gene == "TP53"
assert source.literature.papers(["20980"])
heavy = {"Bio", "numpy", "pandas", "litellm", "requests", "scipy", "rich"}
print(sorted(heavy & {name.partition(".")[0] for name in sys.modules}))
"""


def test_a_fetch_loads_nothing_heavy():
    done = subprocess.run([sys.executable, "-c", LIGHT], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
