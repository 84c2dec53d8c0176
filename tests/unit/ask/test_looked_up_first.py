"""Names, isoforms and papers that have to be looked up before the question is answered."""

from __future__ import annotations

import pytest

from labagent.ask import answer
from labagent.ask.plans._queries import relaxed
from labagent.tools.calling import Caller


@pytest.mark.parametrize(
    "question", ["Papers about P38398", "P38398 的文献", "papers on P04637 and DNA repair"]
)
def test_papers_are_searched_by_the_name_of_an_accession(question):
    made = answer(question, caller=Caller())
    queries = [c.arguments["query"] for c in made.calls if c.tool == "pubmed.search"]
    gene = "TP53" if "P04637" in question else "BRCA1"
    assert queries and all(gene in q and "P38398" not in q and "P04637" not in q for q in queries)
    assert made.outcome == "answer" and made.dropped == ()


@pytest.mark.parametrize(
    ("query", "wider"),
    [
        ("hemoglobin cooperativity oxygen", "hemoglobin OR cooperativity OR oxygen"),
        ("KRAS AND membrane AND trafficking", "KRAS AND (membrane OR trafficking)"),
        ("(membrane trafficking) AND 2018:2020[dp]", "2018:2020[dp] AND (membrane OR trafficking)"),
        ("(TP53 OR p53) AND DNA repair", "(TP53 OR p53) AND (DNA OR repair)"),
        ('"single cell" AND zzyzx', '"single cell" OR zzyzx'),
        ("KRAS", ""),
        ("KRAS NOT lung NOT colon", ""),
        ("membrane OR trafficking", ""),
    ],
)
def test_a_query_is_relaxed_within_its_words(query, wider):
    assert relaxed(query) == wider


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("papers about hemoglobin cooperativity oxygen zzyzx", "The search was relaxed"),
        ("关于 hemoglobin cooperativity zzyzx 的文献", "检索已放宽"),
    ],
)
def test_a_search_that_has_nothing_is_relaxed_once_and_says_so(question, says):
    made = answer(question, caller=Caller())
    searches = [c for c in made.calls if c.tool == "pubmed.search"]
    assert [bool(c.result["hits"]) for c in searches] == [False, True] and says in made.text
    assert made.outcome == "answer" and searches[1].arguments["query"] in made.text


def test_a_search_that_has_papers_is_not_relaxed():
    made = answer("papers about hemoglobin oxygen affinity", caller=Caller())
    assert [c.tool for c in made.calls].count("pubmed.search") == 1 and "relaxed" not in made.text


def test_an_identifier_of_another_database_is_named_with_what_it_leads_to():
    made = answer("ENSP00000350283", caller=Caller())
    assert "identifier ENSP00000350283 leads to UniProt P38398" in made.text and made.dropped == ()


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("How long is isoform P38398-2?", "P38398-2 (2) is an isoform of P38398; it is not"),
        ("length of isoform 2 of BRCA1", "P38398-2 (2) is an isoform of P38398; it is not"),
        ("P38398 异构体 2 的长度", "P38398-2 (2) 是 P38398 的异构体"),
        ("How long is isoform 2-4 of P37840?", "P37840-2 (2-4) is an isoform of P37840"),
        ("length of isoform 1 of BRCA1", "The length of P38398-1 is 1,863 residues"),
    ],
)
def test_an_isoform_that_is_asked_for_is_named(question, named):
    made = answer(question, caller=Caller())
    assert named in made.text and made.dropped == ()
    assert ("1,863" in made.text) == ("isoform 1" in question)


def test_papers_are_shown_beside_a_variant_in_a_sequence():
    made = answer("Assess the effect of KRAS G12D and find papers on it", caller=Caller())
    tools = {c.tool for c in made.calls}
    assert {"variant.effect", "pubmed.search"} <= tools and "BLOSUM62" in made.text and "PMID: " in made.text
    made = answer(
        "Assess the effect of KRAS G12D in MTEYKLVVVGAGGVGKSALT and find papers on it", caller=Caller()
    )
    tools = {c.tool for c in made.calls}
    assert {"variant.effect", "pubmed.search"} <= tools and "BLOSUM62" in made.text and "PMID: " in made.text


@pytest.mark.parametrize(
    "question", ["P04637", "KRAS V12D", "What is the function of P01308?", "P69905 variants"]
)
def test_what_holds_values_of_results_is_called_a_fact(question):
    made = answer(question, caller=Caller())
    unflagged = [s.text for s in made.statements if not s.factual and any(c.isdigit() for c in s.text)]
    errors = {c.id for c in made.calls if c.status == "error"}
    assert [t for s in made.statements for t in unflagged if s.text == t and not set(s.cites) & errors] == []
