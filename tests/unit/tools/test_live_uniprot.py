"""``uniprot.*`` over real HTTP: UniProt's formats, obsolete accessions, faults of a server."""

from __future__ import annotations

import pytest

from labagent.errors import ToolError
from labagent.tools.backends import Choice
from labagent.tools.backends._http import Patience
from labagent.tools.backends._uniprot import search_query
from labagent.tools.backends.live import connect
from labagent.tools.calling import Caller
from labagent.tools.proteins.notes import told_diseases
from labagent.tools.proteins.records import PARTS, SearchArguments
from labagent.tools.store import CallStore
from support.bio_services import SEQUENCE, BioServer, Reply, entry

QUICK = Patience(connect=5, read=5, whole=20, tries=4, backoff=0.001, longest=1.0)


@pytest.fixture
def server(monkeypatch, tmp_path):
    """A service, and nothing else that can be reached."""
    with BioServer() as running:
        monkeypatch.setenv("LABAGENT_UNIPROT_URL", running.url)
        monkeypatch.setenv("LABAGENT_ENTREZ_URL", f"{running.url}/entrez")
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")
        yield running


@pytest.fixture
def caller(server):
    return Caller(backends=(connect(Choice("live"), QUICK),))


def fetch(caller, accession, **more):
    return caller.call("uniprot.fetch", {"accession": accession, **more})


def test_every_part_of_an_entry_is_read(caller):
    done = fetch(caller, "q0tst1")
    got = done.result
    assert (done.status, done.source, got["missing"]) == ("ok", "live", [])
    assert done.retrieved.startswith("20") and got["url"].endswith("/Q0TST1/entry")
    assert (got["accession"], got["entry_name"], got["reviewed"]) == ("Q0TST1", "TEST1_HUMAN", True)
    assert (got["name"], got["name_kind"]) == ("Testin kinase 1", "recommended")
    assert got["names"] == ["Protein of tests", "TK-1"]
    assert (got["gene"], got["gene_synonyms"]) == ("TSTK1", ["TST", "FLJ00001"])
    assert (got["organism"], got["taxon"], got["existence"]) == ("Homo sapiens", 9606, 1)
    assert (got["sequence"], got["length"], got["mass"]) == (SEQUENCE, len(SEQUENCE), 5900)
    assert got["function"] == ["Phosphorylates tests (PubMed:90000001)", "Isoform 2: Fails on purpose"]
    assert got["locations"] == ["Cell membrane", "Single-pass membrane protein", "Cytoplasm"]
    assert got["go"] == [{"id": "GO:0005737", "aspect": "C", "term": "cytoplasm", "evidence": "IDA"}]
    assert (got["ec"], got["keywords"]) == (["2.7.11.99"], ["Kinase", "Membrane"])
    assert got["diseases"] == [
        {
            "name": "Flaky syndrome 1",
            "acronym": "FLK1",
            "mim": "999999",
            "note": "Caused by variants of the gene",
        }
    ]
    assert got["references"] == [{"database": "PDB", "id": "9TST", "more": ["X-ray"]}]
    assert got["pmids"] == ["90000001", "90000002"]
    assert (got["entry_version"], got["entry_date"], got["sequence_version"]) == (77, "2025-02-05", 2)


def test_features_have_positions_and_variants_their_change(caller):
    got = fetch(caller, "Q0TST1").result
    kinds = {f["kind"]: f for f in got["features"]}
    assert (kinds["Domain"]["first"], kinds["Domain"]["last"], kinds["Domain"]["note"]) == (5, 30, "Test")
    assert kinds["Binding site"]["note"] == "ATP"
    assert (kinds["Signal"]["first"], kinds["Signal"]["last"]) == (1, None)
    assert "Natural variant" not in kinds
    first, gone, other = got["variants"]
    assert (first["first"], first["original"], first["changed"]) == (7, "A", "V")
    assert (first["dbsnp"], first["diseases"], first["pmids"]) == (["rs1234567"], ["FLK1"], ["90000002"])
    assert (gone["original"], gone["changed"]) == (SEQUENCE[8:10], "")
    assert (other["original"], other["diseases"], other["dbsnp"]) == (SEQUENCE[10], [], ["rs22", "rs33"])


@pytest.mark.parametrize(
    ("note", "told"),
    [
        ("in LFS; germline mutation", ("LFS",)),
        ("in CF and CBAVD; dbSNP:rs1", ("CF", "CBAVD")),
        ("in MTC, MEN2A and HSCR1", ("MTC", "MEN2A", "HSCR1")),
        ("in BLC, a nevus of the skin, and TD1; somatic", ("BLC", "TD1")),
        ("in PSNP1/atypical PSNP1; may be a risk factor for LFS", ("PSNP1",)),
        ("In LFS (severe form).", ("LFS",)),
        ("R -> H (in LFS and CF; dbSNP:rs1)", ("LFS", "CF")),
        ("Missing (in CF)", ("CF",)),
        ("V -> I (in familial cancer not matching LFS; germline mutation)", ()),
        ("in a familial cancer not matching LFS; germline mutation", ()),
        ("risk factor for PSNP1", ()),
        ("no effect; milder than in CF", ()),
        ("in CFTR; in XYZ", ()),
        ("", ()),
    ],
)
def test_a_disease_is_told_only_where_the_note_lists_it(note, told):
    known = {"LFS", "CF", "CBAVD", "MTC", "MEN2A", "HSCR1", "BLC", "TD1", "PSNP1"}
    assert told_diseases(note, known) == told


def test_a_submitted_name_stands_where_none_is_recommended(caller):
    got = fetch(caller, "A0A0T3ST01").result
    assert (got["name"], got["name_kind"], got["reviewed"]) == ("Testin-like", "submitted", False)
    assert got["gene"] == "mCG_1"


def test_only_the_parts_asked_for_are_given(caller):
    got = fetch(caller, "Q0TST1", fields=["locations", "go"]).result
    filled = {part for part in PARTS if got.get("pmids" if part == "papers" else part)}
    assert filled == {"locations", "go"} == set(got["fields"])
    assert (got["name"], got["length"], got["organism"]) == ("Testin kinase 1", len(SEQUENCE), "Homo sapiens")


@pytest.mark.parametrize(("asked", "by"), [("Q0OLD1", "secondary"), ("Q0MRG1", "merged")])
def test_an_obsolete_accession_is_followed_and_said(caller, asked, by):
    got = fetch(caller, asked).result
    assert (got["asked"], got["accession"], got["found_by"]) == (asked, "Q0TST1", by)
    assert any(asked in note and "Q0TST1" in note for note in got["notes"])


def test_a_split_entry_is_asked_back_with_its_successors(caller):
    error = fetch(caller, "Q0SPL1").error
    assert error.code == "ambiguous"
    assert error.faults[0].allowed == "Q0TST1, A0A0T3ST01"


def test_a_deleted_entry_says_why(caller):
    error = fetch(caller, "Q0DEL1").error
    assert error.code == "not_found" and "Redundant test" in error.message
    assert "deleted" in error.hints[0]


def test_an_unknown_entry_is_not_found(caller):
    error = fetch(caller, "Q9ZZZ9").error
    assert error.code == "not_found" and "Resource not found" in error.message


def test_an_entry_name_is_looked_up(caller, server):
    assert fetch(caller, "TEST1_HUMAN").result["found_by"] == "entry_name"
    assert server.asked[-1].values["query"] == "(id:TEST1_HUMAN)"
    server.found = []
    assert fetch(caller, "NONE1_HUMAN").error.code == "not_found"


@pytest.mark.parametrize("text", ["BRCA1", "P0463", "../P04637", "P04637/x", "", "P04637-0"])
def test_what_is_no_accession_is_never_asked(caller, server, text):
    assert fetch(caller, text).error.code in ("input", "arguments")
    assert server.asked == []


def test_an_isoform_has_its_own_sequence_length_and_mass(caller):
    got = fetch(caller, "Q0TST1-2").result
    assert got["sequence"] == "MG" + SEQUENCE[3:49] and got["length"] == 48
    assert got["isoform"] == "Q0TST1-2" and got["mass"] != 5900
    assert fetch(caller, "Q0TST1-1").result["sequence"] == SEQUENCE


def test_an_isoform_that_cannot_be_made_is_not_that_of_another(caller):
    got = fetch(caller, "Q0TST1-3").result
    assert (got["sequence"], got["length"], got["mass"]) == ("", None, None)
    assert any("Q0TST1-3" in note and "not" in note for note in got["notes"])
    error = fetch(caller, "Q0TST1-9").error
    assert error.code == "not_found" and "Q0TST1-2" in error.faults[0].allowed


def test_a_version_of_the_sequence_is_honoured_or_not_had(caller):
    assert fetch(caller, "Q0TST1.2").result["sequence_version"] == 2
    error = fetch(caller, "Q0TST1.1").error
    assert error.code == "not_found" and "version 2" in error.message


def test_a_search_states_total_order_and_query(caller, server):
    server.total = 4321
    done = caller.call(
        "uniprot.search",
        {"query": "flaky kinase", "gene": "TSTK1", "taxon": 9606, "reviewed": True, "size": 1},
    )
    got, sent = done.result, server.asked[-1].values
    assert (got["total"], len(got["hits"]), sent["size"]) == (4321, 1, "1")
    assert got["query"] == sent["query"]
    assert sent["query"] == (
        'flaky AND kinase AND (gene_exact:"TSTK1") AND (organism_id:9606) AND (reviewed:true)'
    )
    hit = got["hits"][0]
    assert (hit["accession"], hit["gene"], hit["reviewed"]) == ("Q0TST1", "TSTK1", True)
    assert hit["function"].startswith("Phosphorylates") and got["order"]


def test_an_empty_search_is_a_result(caller, server):
    server.found, server.total = [], 0
    got = caller.call("uniprot.search", {"query": "nothing"}).result
    assert (got["total"], got["hits"]) == (0, []) and got["notes"]


@pytest.mark.parametrize(
    ("text", "sent"),
    [
        ("Q9H3P7: 这个蛋白质", '"Q9H3P7:" AND 这个蛋白质'),
        ('"heat shock" AND (a:b) OR 70', '"heat shock" AND "AND" AND "(a:b)" AND "OR" AND 70'),
        ("TNF-α *", '"TNF-α"'),
        ("insul*", "insul*"),
        ('a "unclosed', "a AND unclosed"),
        ("back\\slash", '"back slash"'),
    ],
)
def test_no_text_is_read_as_a_command_of_the_query_language(text, sent):
    assert search_query(SearchArguments(query=text)) == sent


def test_a_query_without_a_word_is_refused(caller, server):
    for values in ({"query": "@#$%"}, {"query": ""}, {"reviewed": True}):
        assert caller.call("uniprot.search", values).error.code == "input"
    with pytest.raises(ToolError, match="no word"):
        search_query(SearchArguments(query="?!"))
    assert server.asked == []


def test_a_full_server_is_asked_again_after_the_time_it_names(caller, server):
    server.script += [
        Reply(429, {"messages": ["slow down"]}, {"Retry-After": "0.3"}),
        Reply(503, "busy"),
        Reply(500),
    ]
    assert fetch(caller, "Q0TST1").status == "ok"
    times = [a.at for a in server.asked]
    assert len(times) == 4 and times[1] - times[0] >= 0.3


def test_a_wait_that_is_too_long_is_an_error_that_says_so(caller, server):
    server.script += [Reply(429, headers={"Retry-After": "3600"})]
    error = fetch(caller, "Q0TST1").error
    assert error.code == "unavailable" and "429" in error.message and "3600 s" in error.message
    assert error.hints and len(server.asked) == 1


@pytest.mark.parametrize(
    "fault",
    [
        Reply(body='{"entryType": "UniProtKB revie'),
        Reply(body=entry(), cut=200),
        Reply(drop=True),
        Reply(body="<html>an error page</html>"),
        Reply(body="[1, 2]"),
        Reply(504),
    ],
)
def test_a_damaged_answer_is_asked_for_again_and_never_believed(caller, server, fault):
    server.script += [fault]
    assert fetch(caller, "Q0TST1").result["sequence"] == SEQUENCE
    server.script += [fault] * 4
    error = fetch(caller, "Q0TST1").error
    assert error.code == "unavailable" and "4 tries" in error.message


def test_an_entry_of_another_form_is_no_entry(caller, server):
    for body in ({}, {"primaryAccession": 3}, {"primaryAccession": "Q0TST1", "sequence": "MK"}):
        server.script += [Reply(body=body)]
        assert fetch(caller, "Q0TST1").error.code == "unavailable"
    odd = entry(genes="none", comments=[3, {"commentType": []}], features=[{"type": "Domain"}], organism=None)
    server.script += [Reply(body=odd)]
    got = fetch(caller, "Q0TST1").result
    assert (got["gene"], got["organism"], got["sequence"]) == ("", "", SEQUENCE)


def test_a_redirect_to_another_host_is_not_followed(caller, server):
    server.script += [Reply(302, headers={"Location": "http://localhost:9/uniprotkb/Q0TST1"})]
    error = fetch(caller, "Q0TST1").error
    assert error.code == "unavailable" and "another server" in error.message and len(server.asked) == 1
    server.script += [Reply(302, headers={"Location": "/uniprotkb/Q0TST1"})] * 9
    assert "circle" in fetch(caller, "Q0TST1").error.message


def test_a_password_in_an_address_is_sent_and_not_told(server, monkeypatch, tmp_path):
    monkeypatch.setenv("LABAGENT_UNIPROT_URL", server.url.replace("//", "//me:pw-9@"))
    source = connect(Choice("live"), QUICK)
    caller = Caller(CallStore(tmp_path / "calls"), backends=(source,))
    assert fetch(caller, "Q0OLD1").status == "ok" and "authorization" in server.asked[-1].headers
    server.script += [Reply(503)] * 4
    said = fetch(caller, "A0A0T3ST01").error.message + repr(source) + source.identity
    kept = "".join(p.read_text() for p in (tmp_path / "calls").rglob("*.json"))
    assert "does not answer" in said and "pw-9" not in said + kept and '"live http://127' in kept


def test_an_address_that_is_none_is_said(monkeypatch):
    for address in ("file:///etc/passwd", "ftp://host", "rest.uniprot.org"):
        monkeypatch.setenv("LABAGENT_UNIPROT_URL", address)
        error = fetch(Caller(backends=("live",)), "P04637").error
        assert error.code == "input" and "http" in error.message


def test_answers_are_bounded_in_size_and_time(server):
    small = Patience(connect=5, read=5, whole=20, tries=2, backoff=0.001, longest=1.0, largest=20_000)
    caller = Caller(backends=(connect(Choice("live"), small),))
    server.script += [Reply(body=entry(comments=[{"commentType": "X" * 90_000}]))]
    assert fetch(caller, "Q0TST1").error.code == "limit"
    slow = Patience(connect=5, read=1.0, whole=20, tries=4, backoff=0.001, longest=1.0)
    caller = Caller(backends=(connect(Choice("live"), slow),))
    server.script += [Reply(body=entry(), seconds=5.0)]
    assert fetch(caller, "Q0TST1").status == "ok"
    drips = Patience(connect=5, read=5, whole=0.1, tries=1, backoff=0.001, longest=1.0)
    caller = Caller(backends=(connect(Choice("live"), drips),))
    server.script += [Reply(body=entry(comments=[{"commentType": "X" * 200_000}]), seconds=0.05)]
    error = fetch(caller, "Q0TST1").error
    assert error.code == "unavailable" and "takes longer" in error.message


def test_compressed_answers_are_read_and_bounded_by_what_they_hold(caller, server):
    server.script += [Reply(body=entry(), packed=True)]
    assert fetch(caller, "Q0TST1").result["sequence"] == SEQUENCE
    server.script += [Reply(body=entry(), packed=True, cut=300)]
    assert fetch(caller, "Q0TST1").status == "ok" and len(server.asked) == 3
    small = Patience(connect=5, read=5, whole=20, tries=1, largest=200_000)
    bounded = Caller(backends=(connect(Choice("live"), small),))
    server.script += [Reply(body=entry(comments=[{"commentType": "X" * 900_000}]), packed=True)]
    assert fetch(bounded, "Q0TST1").error.code == "limit"


def test_a_proxy_of_the_environment_is_used(server, monkeypatch):
    monkeypatch.setenv("LABAGENT_UNIPROT_URL", "http://rest.example.invalid")
    monkeypatch.setenv("http_proxy", server.url)
    monkeypatch.setenv("NO_PROXY", "")
    monkeypatch.setenv("no_proxy", "")
    assert fetch(Caller(backends=(connect(Choice("live"), QUICK),)), "Q0TST1").status == "ok"
    assert server.asked[-1].headers["host"] == "rest.example.invalid"
