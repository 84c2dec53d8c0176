"""Mirrors of PubMed XML and MEDLINE text: records, updates, deletions, faults, queries."""

from __future__ import annotations

import gzip
import random
from dataclasses import replace
from pathlib import Path

import pytest

from labagent.cli import main
from labagent.errors import InputError, ToolError
from labagent.tools.backends import Source, connect, using
from labagent.tools.literature.records import PaperHits, PaperRecord, SearchArguments
from labagent.tools.literature.syntax import matches, parse_query
from labagent.tools.literature.words import words_of
from labagent.tools.mirrors.building import build
from labagent.tools.registry import call
from support.flat_files import Entry, Paper, chain, pubmed_xml

PAPERS = (
    Paper("101", "Role of TNF-α in <i>BRCA1</i> loss", "We show H<sub>2</sub>O &amp; more.", 2010,
          mesh=("Breast Neoplasms", "Humans"), doi="10.1/abc.2", keywords=("DNA repair",)),
    Paper("102", "Breast cancer of mice", "No humans here.", 2015, (("Smith", "JT"), ("Müller", "KF")),
          types=("Review", "Journal Article")),
    Paper("103", "Cancer of the breast", "Mutations of BRCA2.", 2015, (("Smith", "AB"),), journal="Nat Test"),
    Paper("104", "A kinase", "", 2020, (("Jones", "J"),)),
    Paper("105", "Retracted work on p53", "Wrong.", 2012, types=("Retracted Publication",)),
)  # fmt: skip


def written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def mirrored(folder: Path, *texts: str) -> Source:
    """A mirror of files with these texts, read in this order."""
    files = [written(folder / f"{k}.xml", text) for k, text in enumerate(texts)]
    build(folder / "pm.sqlite", files)
    return connect(f"mirror:{folder / 'pm.sqlite'}")


@pytest.fixture(scope="module")
def mirror(tmp_path_factory: pytest.TempPathFactory) -> Source:
    return mirrored(tmp_path_factory.mktemp("papers"), pubmed_xml(PAPERS))


def fetch(source: Source, *pmids: str) -> dict[str, PaperRecord]:
    assert source.literature is not None
    return {p.pmid: p for p in source.literature.papers(pmids)}


def search(source: Source, query: str, **more: object) -> PaperHits:
    assert source.literature is not None
    return source.literature.search_papers(SearchArguments.model_validate({"query": query, **more}))


def found(source: Source, query: str, **more: object) -> list[str]:
    hits = search(source, query, **{"size": 100, **more})
    assert hits.total == len(hits.hits)
    return [h.pmid for h in hits.hits]


def test_a_paper_is_read_whole(mirror: Source):
    paper = fetch(mirror, "101")["101"]
    assert paper.title == "Role of TNF-α in BRCA1 loss" and paper.abstract == "We show H2O & more."
    assert (paper.year, paper.journal, paper.doi) == (2010, "J Test", "10.1/abc.2")
    assert (paper.authors, paper.author_count) == (("Casbon JA",), 1)
    assert paper.mesh == ("Breast Neoplasms", "Humans") and paper.keywords == ("DNA repair",)
    assert paper.source == "mirror:pm" and paper.retrieved and paper.url.endswith("/101/")
    assert fetch(mirror, "104")["104"].has_abstract is False
    assert fetch(mirror, "105")["105"].retracted and not paper.retracted
    assert set(fetch(mirror, "101", "999", "103")) == {"101", "103"}


def test_medline_text_says_the_same(mirror: Source, tmp_path: Path):
    plain = [
        replace(p, title=p.title.replace("<i>", "").replace("</i>", ""), abstract="Words.") for p in PAPERS
    ]
    text = written(tmp_path / "m.txt", "".join(p.medline() for p in plain))
    build(tmp_path / "pm.sqlite", [text])
    medline = fetch(connect(f"mirror:{tmp_path / 'pm.sqlite'}"), *(p.pmid for p in plain))
    xml = fetch(mirrored(tmp_path, pubmed_xml(plain)), *(p.pmid for p in plain))
    for pmid, paper in medline.items():
        assert paper.model_copy(update={"retrieved": ""}) == xml[pmid].model_copy(update={"retrieved": ""})


@pytest.mark.parametrize(
    ("query", "pmids"),
    [
        ("breast cancer", ["103", "102"]),
        ('"breast cancer"', ["102"]),
        ("cancer[ti] NOT mice", ["103"]),
        ("BRCA*", ["101", "103"]),
        ("BRCA1 OR BRCA2", ["101", "103"]),
        ("(BRCA1 OR kinase) AND 2020[dp]", ["104"]),
        ("BRCA1 OR kinase AND 2020[dp]", ["104"]),
        ("2011:2015[dp]", ["102", "103", "105"]),
        ("2016:3000[dp]", ["104"]),
        ("1999[dp]", []),
        ("smith[au]", ["102", "103"]),
        ("smith j[au]", ["102"]),
        ("Muller KF[au]", ["102"]),
        ("Müller[au]", ["102"]),
        ("TNF-alpha", ["101"]),
        ("TNF alpha", ["101"]),
        ("TNFα", ["101"]),
        ("review[pt]", ["102"]),
        ('"breast neoplasms"[mh]', ["101"]),
        ("nat test[ta]", ["103"]),
        ("10.1/abc.2[doi]", ["101"]),
        ("103[pmid]", ["103"]),
        ("DNA repair", ["101"]),
        ("role of the kinase", []),
        ("2015", []),
    ],
)
def test_queries(mirror: Source, query: str, pmids: list[str]):
    assert sorted(found(mirror, query)) == sorted(pmids)


def test_years_of_the_arguments_count_and_the_order_is_said(mirror: Source):
    assert found(mirror, "breast", from_year=2015, order="date") == ["103", "102"]
    assert found(mirror, "breast", to_year=2014) == ["101"]
    by_date = search(mirror, "2000:3000[dp]", order="date", size=2)
    assert [h.pmid for h in by_date.hits] == ["104", "103"] and by_date.total == 5
    assert "newest year first" in by_date.order and "BM25" in search(mirror, "breast").order
    assert search(mirror, "breast NOT review[pt]").translation == "(breast NOT review[type])"


def test_a_query_that_cannot_be_read_is_an_error_of_the_tool(mirror: Source):
    for query in ("(p53", "p53[xyz]", "NOT p53", "the", "a " * 300 + "p53 " * 250, "((((" * 100):
        with using([mirror]):
            reply = call("pubmed.search", {"query": query})
        assert reply.error is not None and reply.error.code == "input", query
    with pytest.raises(ToolError):
        search(mirror, "of the in")


def test_mesh_headings_are_said_to_be_matched_as_written(mirror: Source):
    assert any("MeSH" in note for note in search(mirror, "humans[mh]").notes)


VOCABULARY = "brca1 tnf-α kinase repair cancer breast mice p53 dna il-6 zinc review signal".split()


def test_queries_find_what_a_plain_reading_of_every_paper_finds(tmp_path: Path):
    """FTS5 against ``syntax.matches``, which goes through the words of each paper."""
    rng = random.Random(7)
    papers = [
        Paper(str(k), " ".join(rng.choices(VOCABULARY, k=5)), " ".join(rng.choices(VOCABULARY, k=8)),
              rng.randint(2000, 2006), mesh=(), types=())
        for k in range(1, 61)
    ]  # fmt: skip
    source = mirrored(tmp_path, pubmed_xml(papers))

    def term(depth: int) -> str:
        if depth and rng.random() < 0.5:
            return f"({query(depth - 1)})"
        words = rng.sample(VOCABULARY, k=rng.choice((1, 1, 2)))
        if len(words) == 2:
            return f'"{" ".join(words)}"' + rng.choice(("", "[ti]", "[tiab]"))
        return rng.choice((words[0], f"{words[0]}[ti]", f"{words[0][:4]}*", f"{rng.randint(2000, 2006)}[dp]"))

    def query(depth: int) -> str:
        return f" {rng.choice(('AND', 'OR', 'NOT', 'AND'))} ".join(
            term(depth) for _ in range(rng.randint(1, 3))
        )

    compared = 0
    for _ in range(150):
        asked = query(2)
        tree = parse_query(asked)
        want = []
        for p in papers:
            fields = {"title": words_of(p.title), "abstract": words_of(p.abstract)}
            both = [words_of(p.title), words_of(p.abstract)]
            fits = matches(tree, {**fields, "text": [*both[0], "|", *both[1]]}, p.year)
            want += [p.pmid] if fits else []
        assert sorted(found(source, asked)) == sorted(want), asked
        compared += bool(want)
    assert compared > 60


def test_updates_replace_and_delete(tmp_path: Path):
    first = pubmed_xml(
        [
            Paper("1", "Old title", "alpha"),
            Paper("2", "Kept"),
            Paper("3", "Gone"),
            Paper("4", "Second", version=2),
        ]
    )
    later = pubmed_xml([Paper("1", "New title", "beta"), Paper("4", "First", version=1)], deleted=["3", "77"])
    source = mirrored(tmp_path, first, later)
    assert set(fetch(source, "1", "2", "3", "4")) == {"1", "2", "4"}
    assert fetch(source, "1")["1"].title == "New title"
    assert fetch(source, "4")["4"].title == "Second"
    assert found(source, "beta") == ["1"] == found(source, "new")
    assert found(source, "alpha") == [] == found(source, "old") == found(source, "gone")
    assert sorted(found(source, "title OR kept OR second")) == ["1", "2", "4"]


def test_gzip_and_a_single_article(tmp_path: Path):
    (tmp_path / "x.xml.gz").write_bytes(gzip.compress(pubmed_xml(PAPERS).encode()))
    assert build(tmp_path / "a.sqlite", [tmp_path / "x.xml.gz"]).entries == 5
    written(tmp_path / "one.xml", PAPERS[0].xml())
    assert build(tmp_path / "b.sqlite", [tmp_path / "one.xml"]).entries == 1


def test_electronic_years_and_labels_and_groups(tmp_path: Path):
    article = """<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>9</PMID><Article>
    <Journal><JournalIssue><PubDate><MedlineDate>1998 Dec-1999 Jan</MedlineDate></PubDate></JournalIssue>
    <Title>T</Title></Journal><ArticleTitle>On x</ArticleTitle>
    <Abstract><AbstractText Label="METHODS">We did.</AbstractText>
    <AbstractText Label="RESULTS">It was.</AbstractText></Abstract>
    <AuthorList><Author><CollectiveName>The Group
    </CollectiveName></Author><Author><LastName>Roe</LastName><Initials>R</Initials><Suffix>Jr</Suffix></Author>
    </AuthorList><ArticleDate><Year>1997</Year></ArticleDate></Article></MedlineCitation>
    <PubmedData><ArticleIdList><ArticleId IdType="pmc">PMC7</ArticleId>
    <ArticleId IdType="doi">10.9/z</ArticleId>
    </ArticleIdList><ReferenceList><Reference><ArticleIdList><ArticleId IdType="doi">10.0/other</ArticleId>
    </ArticleIdList></Reference></ReferenceList></PubmedData></PubmedArticle></PubmedArticleSet>"""
    source = mirrored(tmp_path, article)
    paper = fetch(source, "9")["9"]
    assert paper.abstract == "METHODS: We did.\nRESULTS: It was."
    assert paper.authors == ("The Group", "Roe R Jr") and paper.year == 1998
    assert (paper.pmcid, paper.doi, paper.journal) == ("PMC7", "10.9/z", "T")
    assert found(source, "1997[dp]") == ["9"] == found(source, "1998[dp]")


LAUGHS = (
    '<?xml version="1.0"?>\n<!DOCTYPE PubmedArticleSet [\n<!ENTITY a "ha">\n<!ENTITY b "&a;&a;&a;">\n]>\n'
    "<PubmedArticleSet><PubmedArticle>&b;</PubmedArticle></PubmedArticleSet>"
)
OUTSIDE = (
    '<!-- <PubmedArticleSet> --><!DOCTYPE PubmedArticleSet [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
    "<PubmedArticleSet><PubmedArticle>&x;</PubmedArticle></PubmedArticleSet>"
)
WHOLE = pubmed_xml(PAPERS)
FAULTS = {
    "entities that grow": (LAUGHS, "line 3: the entity 'a' is declared"),
    "a file as entity": (OUTSIDE, "the entity 'x' is declared"),
    "an unknown entity": (WHOLE.replace("A kinase", "A &foo; kinase"), "no well-formed XML after PMID 103"),
    "cut": (WHOLE[: WHOLE.index("Retracted")], "no well-formed XML after PMID 104"),
    "a tag that is not closed": (WHOLE.replace("</ArticleTitle>", "", 1), "line 4: no well-formed XML"),
    "no PubMed id": (
        WHOLE.replace('<PMID Version="1">102</PMID>', ""),
        "without a PubMed id (behind PMID 101)",
    ),
    "another kind of XML": ("<?xml version='1.0'?><eSearchResult/>", "not a file that a mirror can be built"),
    "nothing in it": (pubmed_xml([]), "no entry is left"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_faulty_xml_is_one_clear_error(tmp_path: Path, name: str):
    text, message = FAULTS[name]
    with pytest.raises(InputError) as raised:
        build(tmp_path / "pm.sqlite", [written(tmp_path / "faulty.xml", text)])
    assert "faulty.xml" in str(raised.value) and message in str(raised.value)
    assert not (tmp_path / "pm.sqlite").exists()


def test_latin_1_that_says_so_is_read_and_what_lies_is_not(tmp_path: Path):
    """An XML declaration names the encoding; bytes that are none of it are a fault with its line."""
    text = pubmed_xml([Paper("1", "Müller")])
    (tmp_path / "x.xml").write_bytes(text.replace("utf-8", "iso-8859-1").encode("latin-1"))
    build(tmp_path / "pm.sqlite", [tmp_path / "x.xml"])
    assert fetch(connect(f"mirror:{tmp_path / 'pm.sqlite'}"), "1")["1"].title == "Müller"
    (tmp_path / "x.xml").write_bytes(text.encode("latin-1"))
    with pytest.raises(InputError, match="line 4: no well-formed XML"):
        build(tmp_path / "pm.sqlite", [tmp_path / "x.xml"])


MEDLINE = "".join(p.medline() for p in PAPERS)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (MEDLINE.replace("JT  - ", "JT: ", 1), "line 4: entry 101: 'JT: Journal of Tests' is neither"),
        (MEDLINE.replace("PMID- 102", "PMID- x2"), "a record without a PubMed id (PMID is 'x2')"),
        (MEDLINE.replace("TI  - A kinase\n", ""), "entry 104: a record without a title"),
        (MEDLINE + "PMID- 106\nTI", "entry 106: 'TI' is neither"),
        (MEDLINE + "PMID- 106\n", "entry 106: a record without a title (TI): is the file whole?"),
    ],
)
def test_faulty_medline_text_is_one_clear_error(tmp_path: Path, text: str, message: str):
    with pytest.raises(InputError) as raised:
        build(tmp_path / "pm.sqlite", [written(tmp_path / "faulty.txt", text)])
    assert "faulty.txt" in str(raised.value) and message in str(raised.value)


def test_medline_lines_that_go_on_and_windows_lines(tmp_path: Path):
    text = "\n1: \nPMID- 5\nTI  - A long title that\n      goes on\nDP  - 2001\n\n\nPMID- 6\nTI  - B\n"
    (tmp_path / "m.txt").write_bytes(text.replace("\n", "\r\n").encode())
    build(tmp_path / "pm.sqlite", [tmp_path / "m.txt"])
    papers = fetch(connect(f"mirror:{tmp_path / 'pm.sqlite'}"), "5", "6")
    assert papers["5"].title == "A long title that goes on" and papers["6"].title == "B"


def test_files_of_both_kinds_are_refused(tmp_path: Path):
    xml = written(tmp_path / "x.xml", WHOLE)
    dat = written(tmp_path / "x.dat", Entry("P11111", "A_HUMAN", chain(1)).text())
    with pytest.raises(InputError, match="a mirror holds one of them"):
        build(tmp_path / "pm.sqlite", [xml, dat])


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    written(tmp_path / "x.xml", WHOLE)
    target = str(tmp_path / "pm.sqlite")
    assert main(["mirror", "build", target, str(tmp_path / "x.xml")]) == 0
    assert main(["mirror", "search", target, "breast AND 2015[dp]", "--size", "1"]) == 0
    shown = capsys.readouterr()
    assert shown.out.splitlines()[-1].split("\t")[:2] in (["102", "2015"], ["103", "2015"])
    assert "2 found" in shown.err
    assert main(["mirror", "search", target, "(breast"]) == 2
    assert "parenthesis" in capsys.readouterr().err
    assert main(["mirror", "search", target, "breast", "--size", "0"]) == 2
