"""``recorded:NAME``: another system's recorded calls as a source; what was not recorded is said."""

from __future__ import annotations

import json

import pytest

from labagent.tools.backends import Settings
from labagent.tools.calling import Caller

PROTEIN = {"accession": "Q0TST1", "id": "TEST1_HUMAN", "name": "Testin kinase 1", "organism": "Homo sapiens"}
MOUSE = {"accession": "A0A0T3ST01", "id": "TSTK1_MOUSE", "name": "Testin", "organism": "Mus musculus"}
WHEN = "2025-04-01T10:00:00+00:00"


def paper(pmid, title, year="2024"):
    return {"pmid": pmid, "title": title, "authors": ["Doe J"], "journal": "J Tests", "year": year, "url": ""}


def call(tool, arguments, result, **more):
    return {"tool": tool, "arguments": arguments, "result": result, "recorded_at": WHEN, **more}


def found(query, *hits, tool="pubmed.search", **more):
    arguments = {"query": query, "max_results": 5} if tool == "pubmed.search" else {"query": query, "size": 5}
    return call(tool, arguments, {"query": query, "count": len(hits), "hits": list(hits)}, **more)


CALLS = [
    call("uniprot.fetch", {"accession": "Q0TST1"}, {**PROTEIN, "length": 3, "sequence": "MKV"}),
    call("uniprot.fetch", {"accession": "Q0BAD1"}, {"error": {"error": "HTTPError", "message": "404"}}),
    found("testin kinases human", PROTEIN, MOUSE, tool="uniprot.search"),
    found("no such thing", tool="uniprot.search"),
    found("never seen", tool="uniprot.search", origin="implied"),
    found("(flaky test detection) AND 2024[dp]", *(paper(str(n), f"Flaky {n}") for n in range(1, 6))),
    found("pubmed single RNA-seq", paper("11", "Single cells"), paper("12", "More cells", "2020")),
    found("xyznonexistent"),
    call("sequence.analyze", {"sequence": "A"}, {"records": []}),
]


@pytest.fixture
def caller(tmp_path):
    path = tmp_path / "calls.jsonl"
    path.write_text("".join(json.dumps(c) + "\n" for c in CALLS) + "\n")
    return Caller(backends=("recorded:old",), settings=Settings(files={"old": path}))


def test_an_entry_says_what_was_not_recorded(caller):
    for key, by in (("Q0TST1", "accession"), ("TEST1_HUMAN", "entry_name")):
        done = caller.call("uniprot.fetch", {"accession": key})
        got = done.result
        assert (got["accession"], got["length"], got["sequence"], got["found_by"]) == ("Q0TST1", 3, "MKV", by)
        assert (got["gene"], got["reviewed"], got["taxon"]) == ("", None, None)
        assert {"locations", "go", "variants", "names"} <= set(got["missing"]) and got["notes"]
        assert (done.source, done.retrieved) == ("recorded:old", WHEN)
    seen = caller.call("uniprot.fetch", {"accession": "A0A0T3ST01"}).result
    assert seen["name"] == "Testin" and "sequence" in seen["missing"]


@pytest.mark.parametrize("accession", ["Q0BAD1", "P04637", "NONE_HUMAN"])
def test_what_was_not_recorded_is_not_called_not_found(caller, accession):
    assert caller.call("uniprot.fetch", {"accession": accession}).error.code == "not_recorded"


def proteins(caller, **values):
    done = caller.call("uniprot.search", values)
    return done.error.code if done.error else [h["accession"] for h in done.result["hits"]]


def test_a_search_takes_the_recorded_one_that_is_like_it(caller):
    assert proteins(caller, query="Testin kinase human") == ["Q0TST1", "A0A0T3ST01"]
    assert proteins(caller, query="testin kinase", organism="human") == ["Q0TST1"]
    assert proteins(caller, query="testin kinase human", taxon=10090) == ["A0A0T3ST01"]
    assert proteins(caller, query="testin kinase human", gene="tstk1") == ["A0A0T3ST01"]
    assert proteins(caller, query="testin kinase human", taxon=562) == "not_recorded"
    assert proteins(caller, query="no such thing") == []
    assert proteins(caller, query="never seen") == "not_recorded"
    assert proteins(caller, query="haemoglobin") == "not_recorded"
    got = caller.call("uniprot.search", {"query": "testin kinase human"}).result
    assert "testin kinases human" in got["notes"][0] and got["total"] == 2


def papers(caller, query, **more):
    done = caller.call("pubmed.search", {"query": query, **more})
    return done.error.code if done.error else [h["pmid"] for h in done.result["hits"]]


def test_papers_are_found_by_words_and_years(caller):
    assert papers(caller, '("flaky test" detection) AND 2024[dp]') == ["1", "2", "3", "4", "5"]
    assert papers(caller, "flaky test detection", from_year=2024, to_year=2024, size=2) == ["1", "2"]
    assert papers(caller, "single cell RNA-seq") == ["11", "12"]
    assert papers(caller, "xyznonexistent") == []
    assert papers(caller, "(flaky test detection) AND 2023[dp]") == "not_recorded"
    assert papers(caller, "single cell RNA-seq 2020[dp]") == "not_recorded"
    assert papers(caller, "BRAF V600E") == "not_recorded"
    assert papers(caller, "(broken") == "input"


def test_the_total_is_known_only_where_all_were_given(caller):
    def total(query):
        return caller.call("pubmed.search", {"query": query}).result["total"]

    assert total("single cell RNA-seq") == 2 and total("xyznonexistent") == 0
    assert total("(flaky test detection) AND 2024[dp]") is None


def test_without_a_like_search_recorded_papers_are_matched_and_that_is_said(caller):
    assert papers(caller, "cells 2020[dp]") == ["12"]
    got = caller.call("pubmed.search", {"query": "cells 2020[dp]"}).result
    assert "no recorded search" in got["notes"][0] and got["total"] is None


def test_a_recorded_paper_has_no_abstract_that_is_known(caller):
    (got,) = caller.call("pubmed.fetch", {"pmids": ["11", "99"]}).result["papers"]
    assert (got["title"], got["year"], got["has_abstract"]) == ("Single cells", 2024, None)


@pytest.mark.parametrize("text", ["[]\n", "{\n", '{"tool": 1}\n{"a":\n', "3\n"])
def test_a_file_that_is_no_recording_is_named_with_its_line(tmp_path, text):
    path = tmp_path / "broken.jsonl"
    path.write_text(text)
    caller = Caller(backends=(f"recorded:{path}",))
    error = caller.call("uniprot.fetch", {"accession": "P04637"}).error
    assert error.code == "input" and "broken.jsonl, line" in error.message


def test_lines_of_any_shape_are_read(tmp_path):
    odd = [{}, {"tool": "uniprot.fetch", "result": {"accession": 3}}, {"tool": "pubmed.search", "result": []}]
    odd += [{"tool": "pubmed.search", "arguments": 5, "result": {"hits": [5, {"pmid": "../x"}, {"pmid": 7}]}}]
    path = tmp_path / "odd.jsonl"
    path.write_text("".join(json.dumps(c) + "\n" for c in odd))
    caller = Caller(backends=(f"recorded:{path}",))
    assert caller.call("uniprot.fetch", {"accession": "P04637"}).error.code == "not_recorded"
    assert caller.call("pubmed.fetch", {"pmids": ["7"]}).error.code == "not_found"
    assert caller.call("pubmed.search", {"query": "x"}).error.code == "not_recorded"
