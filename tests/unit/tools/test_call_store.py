"""The store of calls: content-addressed, whole under many writers and kills, damage noticed and named."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from labagent.errors import InfrastructureError, ToolError
from labagent.files import sha256_json
from labagent.models.tools import ToolFailure
from labagent.tools.store import CallStore, Stored, call_key
from labagent.tools.store.nearest import miss

TOOL = "sequence.stats"


def stored(sequence="ACGT", **more):
    arguments = {"sequence": sequence, "type": "auto"}
    values = {"status": "ok", "result": {"length": len(sequence)}, "recorded_at": "2026-01-01T00:00:00+00:00"}
    key = call_key(TOOL, "1.0", arguments)
    return Stored(**{"key": key, "tool": TOOL, "version": "1.0", "arguments": arguments, **values, **more})


def test_the_address_is_the_hash_of_tool_version_and_canonical_arguments():
    key = call_key("a.b", "1.0", {"x": 1, "y": "é"})
    assert key == call_key("a.b", "1.0", {"y": "é", "x": 1})
    assert key == sha256_json({"arguments": {"y": "é", "x": 1}, "version": "1.0", "tool": "a.b"})
    others = [
        call_key("a.c", "1.0", {"x": 1, "y": "é"}),
        call_key("a.b", "1.1", {"x": 1, "y": "é"}),
        call_key("a.b", "1.0", {"x": 1.5, "y": "é"}),
    ]
    assert len({key, *others}) == 4


def test_what_is_kept_is_what_comes_back(tmp_path):
    store = CallStore(tmp_path / "calls")
    kept = store.keep(stored(source="live", retrieved="2026-01-01", sources=("live x",)))
    assert store.get(TOOL, kept.key) == kept and kept.sha256 == kept.content_hash()
    assert store.get(TOOL, call_key(TOOL, "1.0", {"sequence": "A"})) is None
    assert [e.key for e in store.entries(TOOL)] == [kept.key] and list(store.damaged()) == []


@pytest.mark.parametrize("tool", ["../evil", "a.b/../../c", "", "A.B", "a.b\n", "sequence"])
def test_no_name_of_a_tool_leaves_the_folder(tmp_path, tool):
    store = CallStore(tmp_path / "calls")
    with pytest.raises(ToolError):
        store.get(tool, "0" * 64)
    with pytest.raises(ToolError):
        store.path(TOOL, "../" * 20)
    assert list(store.entries(tool)) == []


def test_the_first_writer_wins_and_all_get_what_it_wrote(tmp_path):
    store = CallStore(tmp_path, "auto")
    first = store.keep(stored(recorded_at="first"))
    assert store.keep(stored(recorded_at="second")) == first
    assert store.get(TOOL, first.key).recorded_at == "first"


def test_recording_anew_replaces(tmp_path):
    CallStore(tmp_path, "auto").keep(stored(recorded_at="first"))
    store = CallStore(tmp_path, "record")
    assert store.keep(stored(recorded_at="second")).recorded_at == "second"
    assert store.get(TOOL, stored().key).recorded_at == "second"


def test_a_failure_to_reach_a_source_replaces_no_answer(tmp_path):
    down = ToolFailure(code="unavailable", message="down")
    failed = stored(status="error", result=None, error=down)
    for mode in ("record", "auto"):
        store = CallStore(tmp_path / mode, mode)
        assert store.keep(failed).status == "error"
        assert store.keep(stored()).status == "ok"
        assert store.keep(failed).status == "ok" == store.get(TOOL, failed.key).status


def test_an_answer_of_other_sources_is_replaced(tmp_path):
    store = CallStore(tmp_path, "auto")
    store.keep(stored(sources=("old",)))
    assert store.keep(stored(sources=("new",))).sources == ("new",)
    assert store.get(TOOL, stored().key).sources == ("new",)


def _flip(path):
    text = path.read_text()
    assert '"length": 4' in text
    path.write_text(text.replace('"length": 4', '"length": 5'))


def _truncate(path):
    path.write_text(path.read_text()[:100])


def _other_call(path):
    values = stored("AAAA").sealed().model_dump(mode="json")
    path.write_text(json.dumps(values))


def _forged(path):
    """A changed argument, with a fresh hash: it is not the call of its address."""
    values = stored(arguments={"sequence": "TTTT", "type": "auto"}).sealed().model_dump(mode="json")
    path.write_text(json.dumps(values))


def _unread(path):
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize(
    ("damage", "why"),
    [
        (_flip, "hash"),
        (_truncate, "no JSON"),
        (_other_call, "not the call of this address"),
        (_forged, "not the call of this address"),
        (lambda p: p.write_text("{}"), '"key"'),
        (lambda p: p.write_text("[" * 100_000), "no JSON"),
        (lambda p: p.write_bytes(b"\xff\xfe"), "UnicodeDecodeError"),
        (_unread, "IsADirectoryError"),
    ],
)
def test_damage_is_noticed_and_named(tmp_path, damage, why):
    store = CallStore(tmp_path, "replay")
    kept = CallStore(tmp_path, "auto").keep(stored())
    path = store.path(TOOL, kept.key)
    damage(path)
    with pytest.raises(ToolError) as caught:
        store.get(TOOL, kept.key)
    assert caught.value.code == "unavailable"
    assert path.name in caught.value.message and why in caught.value.message
    assert "delete the file" in caught.value.hints[0]
    assert [p for p, _ in store.damaged()] == [path] and list(store.entries(TOOL)) == []


def test_a_folder_that_cannot_be_written_is_said(tmp_path):
    (tmp_path / "calls").touch()
    with pytest.raises(InfrastructureError, match="calls: a call cannot be kept there: Not a directory"):
        CallStore(tmp_path / "calls").keep(stored())


WRITERS = """
import os, random, sys
from pathlib import Path
sys.path.insert(0, sys.argv[3])
from labagent.tools.store import CallStore
from test_call_store import stored

def write(seed):
    store, seen = CallStore(Path(sys.argv[1]), sys.argv[2]), {}
    order = [*range(40), *random.Random(seed).choices(range(40), k=100_000)]
    for n in order:
        text = "ACGT" * (n * 500 + 1)
        kept = store.keep(stored(text, recorded_at=str(seed)))
        assert kept.result == {"length": len(text)}, kept.result
        again = store.get("sequence.stats", kept.key)
        assert again is not None and again.result == {"length": len(text)}
        if sys.argv[2] == "auto":  # what one writer was told is what all are told
            assert seen.setdefault(n, kept.recorded_at) == kept.recorded_at == again.recorded_at

for seed in range(16):
    if (child := os.fork()) == 0:
        write(seed)
    print(child, flush=True)
sys.stdin.read()
"""


@pytest.mark.parametrize("mode", ["auto", "record"])
def test_sixteen_processes_and_kills_leave_only_whole_calls(tmp_path, mode):
    command = [sys.executable, "-c", WRITERS, str(tmp_path / "calls"), mode, str(Path(__file__).parent)]
    errors = (tmp_path / "errors").open("w+")
    parent = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, text=True
    )
    children = [int(parent.stdout.readline()) for _ in range(16)]
    try:
        while len(list((tmp_path / "calls").glob("*/*/*.json"))) < 40:
            assert (tmp_path / "errors").read_text() == ""
            time.sleep(0.02)
    finally:
        random.Random(1).shuffle(children)
        for child in children:
            os.kill(child, signal.SIGKILL)
        parent.communicate("")
    errors.close()
    store = CallStore(tmp_path / "calls", "replay")
    assert (tmp_path / "errors").read_text() == ""
    assert list(store.damaged()) == []
    assert {e.result["length"] for e in store.entries(TOOL)} == {4 * (n * 500 + 1) for n in range(40)}


def test_a_miss_names_the_nearest_call_and_what_differs(tmp_path):
    store = CallStore(tmp_path / "calls", "auto")
    for sequence in ("ACGTACGTACGT", "GGGG", "MKV"):
        store.keep(stored(sequence))
    error = miss(store, TOOL, "1.1", {"sequence": "ACGTACGTACGA", "type": "auto"})
    assert error.code == "not_recorded"
    assert '"ACGTACGTACGA"' in error.message and '"ACGTACGTACGT"' in error.message
    assert "nearest of 3" in error.message and "1.1" in error.message
    assert error.hints[0] == (
        'differs in version: 1.1, recorded 1.0; sequence: "ACGTACGTACGA", recorded "ACGTACGTACGT"'
    )
    empty = miss(CallStore(tmp_path / "none"), TOOL, "1.0", {"sequence": "A"})
    assert "no call of sequence.stats is" in empty.message
