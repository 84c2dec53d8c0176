"""The one way to call a tool: checks, safety, backends in order, store, secrets, threads."""

from __future__ import annotations

import json
import threading

import pytest

from labagent.cli import main
from labagent.files import sha256_json
from labagent.models.ask_settings import Ask
from labagent.tools import call
from labagent.tools.backends import Choice, Settings, connect, sources, using
from labagent.tools.backends._http import Patience
from labagent.tools.backends.live import connect as connect_live
from labagent.tools.calling import Caller
from labagent.tools.configured import make_caller
from labagent.tools.store import CallStore, call_key
from support.bio_services import SEQUENCE, BioServer, Reply

QUICK = Patience(connect=5, read=5, whole=20, tries=2, backoff=0.001, longest=1.0)


@pytest.fixture
def server(monkeypatch, tmp_path):
    with BioServer() as running:
        monkeypatch.setenv("LABAGENT_UNIPROT_URL", running.url)
        monkeypatch.setenv("LABAGENT_ENTREZ_URL", f"{running.url}/entrez")
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")
        yield running


@pytest.fixture
def recording(tmp_path):
    """Recorded calls of another system: one entry, one search."""
    calls = [
        {
            "tool": "uniprot.fetch",
            "arguments": {"accession": "Q0TST1"},
            "result": {"accession": "Q0TST1", "id": "TEST1_HUMAN", "name": "Old name", "length": 3},
            "recorded_at": "2025-01-01T00:00:00+00:00",
        },
    ]
    path = tmp_path / "calls.jsonl"
    path.write_text("".join(json.dumps(c) + "\n" for c in calls))
    return path


def live():
    return connect_live(Choice("live"), QUICK)


def fetch(caller, accession="Q0TST1", **more):
    return caller.call("uniprot.fetch", {"accession": accession, **more})


def test_calls_are_numbered_and_say_where_their_result_is_from(server):
    caller = Caller(backends=(live(),))
    computed, fetched = caller.call("sequence.stats", {"sequence": "ACGT"}), fetch(caller)
    assert [c.id for c in caller.calls] == ["c1", "c2"] and set(caller.seconds) == {"c1", "c2"}
    assert (computed.source, computed.retrieved) == ("computed", "")
    assert fetched.source == "live" and fetched.retrieved == fetched.result["retrieved"]
    assert fetched.arguments == {"accession": "Q0TST1", "fields": []}
    assert fetched.key == call_key("uniprot.fetch", fetched.version, fetched.arguments)
    assert fetched.result_sha256 == sha256_json(fetched.result)


def test_errors_are_records_with_a_number(server):
    caller = Caller(backends=(live(),))
    for name, arguments, code in (
        ("uniprot.fetsch", {}, "unknown_tool"),
        ("uniprot.fetch", {"accession": 5}, "arguments"),
        ("uniprot.fetch", None, "arguments"),
        ("uniprot.fetch", {"accession": float("nan")}, "arguments"),
        ("uniprot.fetch", {1: {2}}, "arguments"),
        ("uniprot.fetch", {"accession": "nonsense"}, "input"),
    ):
        done = caller.call(name, arguments)
        assert (done.status, done.error.code, done.result) == ("error", code, None)
    assert [c.id for c in caller.calls] == [f"c{n}" for n in range(1, 7)]
    assert server.asked == []


def test_a_level_that_is_not_allowed_never_reaches_a_backend(server):
    caller = Caller(backends=(live(),), safety=("safe", "compute"))
    assert fetch(caller).error.code == "refused" and server.asked == []
    assert caller.call("sequence.stats", {"sequence": "ACGT"}).status == "ok"


def test_the_bundled_facts_answer_without_a_network(monkeypatch):
    import socket

    def refuse(*args, **kwargs):
        raise AssertionError("the network was used")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    done = fetch(Caller(), "P04637")
    assert (done.source, done.result["entry_name"], done.result["length"]) == ("facts", "P53_HUMAN", 393)
    assert done.retrieved == "2025-06-18" and "function" in done.result["missing"]


def test_a_backend_that_is_none_is_that_calls_error(tmp_path):
    for name in ("nowhere", "facts/../x", "protocols", "_http", "recorded:nofile", "mirror"):
        error = fetch(Caller(backends=(name,)), "P04637").error
        assert error.code == "input", (name, error)
    assert Caller(backends=("nowhere",)).call("sequence.stats", {"sequence": "A"}).status == "ok"


# --- order of backends


def test_the_first_that_has_the_entry_answers_and_is_named(server, recording):
    settings = Settings(files={"old": recording})
    done = fetch(Caller(backends=("recorded:old", live()), settings=settings))
    assert (done.source, done.result["name"]) == ("recorded:old", "Old name") and server.asked == []
    done = fetch(Caller(backends=("recorded:old", live()), settings=settings), "A0A0T3ST01")
    assert (done.source, done.result["name"]) == ("live", "Testin-like")


def test_a_source_that_never_has_the_part_asked_for_passes_the_question_on(server, recording):
    settings = Settings(files={"old": recording})
    caller = Caller(backends=("recorded:old", live()), settings=settings)
    assert fetch(caller, fields=["locations"]).source == "live"
    assert fetch(caller, fields=["function", "locations"]).source == "recorded:old"
    alone = fetch(Caller(backends=("recorded:old",), settings=settings), fields=["locations"])
    assert alone.source == "recorded:old" and "locations" in alone.result["missing"]


def test_a_source_that_is_down_is_said_beside_the_answer_of_the_next(server, recording):
    settings = Settings(files={"old": recording})
    server.script += [Reply(503)] * 2
    done = fetch(Caller(backends=(live(), "recorded:old"), settings=settings))
    assert done.source == "recorded:old" and any("live was asked first" in n for n in done.result["notes"])
    server.script += [Reply(503)] * 2
    error = fetch(Caller(backends=("recorded:old", live()), settings=settings), "Q9ZZZ9").error
    assert error.code == "unavailable" and "asked: recorded:old, live" in error.message


def test_backends_are_those_of_the_call_and_of_nothing_else(server):
    assert fetch(Caller(backends=(live(),))).source == "live"
    assert call("uniprot.fetch", {"accession": "P04637"}).result["source"] == "facts"
    seen = []
    with using((live(),)):
        thread = threading.Thread(target=lambda: seen.append([s.name for s in sources()]))
        thread.start()
        thread.join()
        assert [s.name for s in sources()] == ["live"]
    assert seen == [["facts"]]


def test_what_no_source_has_says_who_was_asked(server, recording):
    caller = Caller(backends=(live(), "facts"))
    error = fetch(caller, "Q0DEL1").error
    assert error.code == "not_found" and "Redundant test" in error.message and "live, facts" in error.message
    assert fetch(Caller(backends=()), "P04637").error.code == "unavailable"


def test_papers_come_each_from_the_first_source_that_has_them(server, recording):
    (server.asked).clear()
    caller = Caller(backends=("facts", live()))
    got = caller.call("pubmed.fetch", {"pmids": ["90000001", "20980"], "abstract": False})
    assert [(p["pmid"], p["source"]) for p in got.result["papers"]] == [
        ("90000001", "live"),
        ("20980", "facts"),
    ]
    assert got.source == "live,facts"


# --- store


def replayed(folder, *arguments, **more):
    caller = Caller(CallStore(folder, "replay"), backends=("nowhere",), **more)
    return [fetch(caller, a) for a in arguments], caller


def test_a_call_that_is_kept_is_not_made_again_and_replays_byte_for_byte(server, tmp_path):
    made = [Caller(CallStore(tmp_path / "calls", "auto"), backends=(live(),)) for _ in range(2)]
    first, second = (fetch(c) for c in made)
    assert first == second and len(server.asked) == 1
    assert (made[0].reused, made[1].reused) == (set(), {"c1"})
    (third,), _ = replayed(tmp_path / "calls", "Q0TST1")
    as_text = [c.model_dump_json() for c in (first, second, third)]
    assert as_text[0] == as_text[1] == as_text[2] and len(server.asked) == 1


@pytest.mark.parametrize("mode", ["live", "record", "auto"])
def test_a_record_reads_the_same_in_every_mode(server, tmp_path, mode):
    def ask(how):
        caller = Caller(CallStore(tmp_path / mode, how), backends=("facts",))
        return fetch(caller, "P04637").model_dump_json()

    assert ask(mode) == ask("auto") == ask("replay")


def test_answers_that_are_errors_replay_too(server, tmp_path):
    caller = Caller(CallStore(tmp_path / "calls", "auto"), backends=(live(),))
    asked = ["Q0SPL1", "Q0DEL1", "nonsense", "Q9ZZZ9"]
    made = [fetch(caller, a) for a in asked]
    again, _ = replayed(tmp_path / "calls", *asked)
    assert again == made and [m.error.code for m in made] == ["ambiguous", "not_found", "input", "not_found"]


def test_a_miss_of_a_replay_is_an_error_that_names_the_nearest(server, tmp_path):
    fetch(Caller(CallStore(tmp_path / "calls", "auto"), backends=(live(),)))
    (missed,), caller = replayed(tmp_path / "calls", "Q0TST2")
    assert missed.error.code == "not_recorded" and '"Q0TST1"' in missed.error.message
    assert 'accession: "Q0TST2", recorded "Q0TST1"' in missed.error.hints[0]
    assert caller.reused == set() and len(server.asked) == 1


def test_a_source_that_was_down_is_asked_again(server, tmp_path):
    server.script += [Reply(500)] * 2
    folder = tmp_path / "calls"
    assert fetch(Caller(CallStore(folder, "auto"), backends=(live(),))).error.code == "unavailable"
    assert replayed(folder, "Q0TST1")[0][0].error.code == "unavailable"
    assert fetch(Caller(CallStore(folder, "auto"), backends=(live(),))).status == "ok"
    assert replayed(folder, "Q0TST1")[0][0].status == "ok"


def test_another_order_of_backends_does_not_get_the_answers_of_this_one(server, tmp_path, recording):
    settings, folder = Settings(files={"old": recording}), tmp_path / "calls"

    def ask(*backends):
        return fetch(Caller(CallStore(folder, "auto"), backends=backends, settings=settings)).source

    assert ask("recorded:old") == "recorded:old"
    assert ask(live(), "recorded:old") == "live"
    assert ask("recorded:old", live()) == "recorded:old"
    recording.write_text(recording.read_text().replace("Old name", "New name"))
    caller = Caller(
        CallStore(folder, "auto"), backends=(connect("recorded:old", settings), live()), settings=settings
    )
    assert fetch(caller).result["name"] == "New name"


def test_modes_live_and_record(server, tmp_path):
    folder = tmp_path / "calls"
    for mode, kept in (("live", 0), ("record", 1), ("record", 1)):
        fetch(Caller(CallStore(folder, mode), backends=(live(),)))
        assert len(list(folder.rglob("*.json"))) == kept
    assert len(server.asked) == 3


def test_a_damaged_call_is_an_error_of_a_replay_and_made_again_otherwise(server, tmp_path):
    folder = tmp_path / "calls"
    fetch(Caller(CallStore(folder, "auto"), backends=(live(),)))
    (path,) = folder.rglob("*.json")
    path.write_text(path.read_text().replace(SEQUENCE, SEQUENCE[::-1]))
    (error,), _ = replayed(folder, "Q0TST1")
    assert error.error.code == "unavailable" and path.name in error.error.message
    again = fetch(Caller(CallStore(folder, "auto"), backends=(live(),)))
    assert again.result["sequence"] == SEQUENCE and len(server.asked) == 2
    assert replayed(folder, "Q0TST1")[0][0] == again


def test_a_stored_result_that_does_not_fit_its_tool_is_not_believed(server, tmp_path):
    folder = tmp_path / "calls"
    fetch(Caller(CallStore(folder, "auto"), backends=(live(),)))
    store = CallStore(folder, "record")
    (kept,) = store.entries("uniprot.fetch")
    store.keep(kept.model_copy(update={"result": {**kept.result, "length": "many"}}))
    (error,), _ = replayed(folder, "Q0TST1")
    assert error.error.code == "result" and "length" in error.error.message


def test_secrets_of_arguments_and_answers_are_taken_out_everywhere(server, tmp_path, monkeypatch):
    secret = "correct-horse-battery-9"
    monkeypatch.setenv("SOME_TOKEN", secret)
    caller = Caller(CallStore(tmp_path / "calls", "auto"), backends=(live(),))
    done = caller.call("uniprot.search", {"query": f"kinase {secret}"})
    echo = {"results": [], "note": secret, "messages": [secret]}
    server.script += [Reply(404, echo)]
    failed = fetch(caller, "Q9ZZZ9")
    assert done.status == "ok" and failed.status == "error"
    assert "redacted" in done.arguments["query"] and secret not in server.asked[0].values["query"]
    assert secret not in done.model_dump_json() + failed.model_dump_json()
    assert not any(secret in p.read_text() for p in (tmp_path / "calls").rglob("*.json"))
    assert list(CallStore(tmp_path / "calls").damaged()) == []


def test_callers_and_threads_share_no_entry(server):
    def ask(accession, name):
        caller = Caller(backends=(live(),))
        for _ in range(6):
            if fetch(caller, accession).result["name"] != name:
                wrong.append(accession)
        numbers.append([c.id for c in caller.calls])

    wrong, numbers, shared = [], [], Caller(backends=("facts",))
    pairs = [("Q0TST1", "Testin kinase 1"), ("A0A0T3ST01", "Testin-like")] * 4
    threads = [threading.Thread(target=ask, args=pair) for pair in pairs]
    threads += [threading.Thread(target=fetch, args=(shared, "P04637")) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == [] and numbers == [[f"c{n}" for n in range(1, 7)]] * 8
    assert [c.id for c in shared.calls] == [f"c{n}" for n in range(1, 9)]
    assert {c.result["entry_name"] for c in shared.calls} == {"P53_HUMAN"}


# --- configuration and command line


def test_a_caller_is_made_from_the_configuration(tmp_path, recording):
    ask = Ask(backends=("recorded:old", "facts"), mirrors={"old": recording.name}, calls="kept/calls")
    caller = make_caller(ask, tmp_path)
    assert fetch(caller).source == "recorded:old" and fetch(caller, "P04637").source == "facts"
    assert len(list((tmp_path / "kept" / "calls").rglob("*.json"))) == 2
    assert fetch(make_caller(ask, tmp_path, mode="replay", backends=("nowhere",))).source == "recorded:old"


@pytest.mark.parametrize(
    "values",
    [
        {"backends": ()},
        {"backends": ("mirror:sp",)},
        {"backends": ("../x",)},
        {"calls": "../calls"},
        {"calls": "/tmp/calls"},
        {"email": "nobody"},
        {"email": "a@b\nc"},
        {"max_steps": 0},
        {"store": "keep"},
        {"mirrors": {"a/b": "x"}},
    ],
)
def test_a_configuration_that_cannot_be_is_refused(values):
    with pytest.raises(ValueError):
        Ask.model_validate(values)


def test_the_command_asks_backends_and_keeps_calls(server, tmp_path, recording, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def run(*more, accession="Q0TST1"):
        arguments = json.dumps({"accession": accession})
        status = main(["tools", "call", "uniprot.fetch", "--json", arguments, *more])
        return status, json.loads(capsys.readouterr().out)

    store = ["--store", "kept"]
    status, said = run("--backend", f"recorded:{recording}", "--backend", "live", *store)
    assert (status, said["source"], said["id"]) == (0, "recorded:calls", "c1")
    assert run("--backend", "live", *store)[1]["source"] == "live"
    assert run("--mode", "replay", *store)[1]["source"] == "live"
    status, said = run("--mode", "replay", *store, accession="Q0TST2")
    assert (status, said["error"]["code"]) == (2, "not_recorded")
    assert run("--offline", "--backend", "live")[1]["error"]["code"] == "refused"
    assert run(accession="P04637")[1]["source"] == "facts"
    assert sorted(p.name for p in tmp_path.iterdir() if p.is_dir()) == ["cache", "kept"]
