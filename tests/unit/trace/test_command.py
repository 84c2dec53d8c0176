import json

import pytest

from labagent.cli import main
from labagent.models.run import RunRecord, SandboxRecord
from labagent.trace import TraceWriter


@pytest.fixture
def run(tmp_path):
    for number in (1, 2):
        with TraceWriter(tmp_path / f"try-{number}/trace.jsonl") as trace:
            trace.event("command", turn=1, command=f"echo {number}")
            if number == 2:
                (tmp_path / "try-2/observations").mkdir()
                (tmp_path / "try-2/observations/turn-0001.txt").write_text("2\n")
                trace.event("observation", turn=1, file="turn-0001.txt", status=0, text="2")
                trace.event("end", status="completed", ended_by="success")
    return tmp_path


def test_show_prints_all_tries_in_order(run, capsys):
    assert main(["trace", "show", str(run)]) == 0
    text = capsys.readouterr().out
    assert text.index("echo 1") < text.index("echo 2") and "ended_by=success" in text


def ended(folder, **fields):
    sandbox = SandboxRecord(kind="none", requested="auto", network="open")
    what = {"arm": "a", "target": "t", "attempt": 1, "agent": "offline", "sandbox": sandbox}
    RunRecord.model_validate({**what, **fields}).write(folder / "run.json")


@pytest.mark.parametrize("ended_by", ["data_failed", "skill_refused", "env_failed"])
def test_show_begins_with_why_nothing_ran(run, capsys, ended_by):
    ended(run, status="failed", ended_by=ended_by, reason="x.csv is not there")
    for place in (run, run / "run.json"):
        assert main(["trace", "show", str(place)]) == 0
        lines = capsys.readouterr().out.splitlines()
        assert lines[0] == f"failed ({ended_by}): x.csv is not there"
        assert "of an earlier try" in lines[1] and lines[2].startswith("== ")


def test_show_of_an_entry_of_which_nothing_ever_ran(tmp_path, capsys):
    ended(tmp_path, status="env_failed", ended_by="env_failed", reason="no R")
    assert main(["trace", "show", str(tmp_path)]) == 0
    assert capsys.readouterr().out == "env_failed (env_failed): no R\nnothing ran\n"


def test_a_result_with_its_own_try_is_not_called_earlier(run, capsys):
    ended(run, status="completed", ended_by="success", try_folder="try-2")
    assert main(["trace", "show", str(run)]) == 0
    assert "earlier" not in capsys.readouterr().out


def test_show_json_is_json(run, capsys):
    assert main(["trace", "show", str(run / "try-2"), "--json"]) == 0
    (trace,) = json.loads(capsys.readouterr().out)
    assert [event["event"] for event in trace["events"]] == ["command", "observation", "end"]
    assert trace["costs"]["usd"] == 0.0


def test_verify_tells_killed_and_altered_traces(run, capsys):
    assert main(["trace", "verify", str(run)]) == 0
    assert "try-1/trace.jsonl: 1 events, whole (no end" in capsys.readouterr().out
    path = run / "try-2/trace.jsonl"
    path.write_text(path.read_text().replace("echo 2", "echo 3"))
    assert main(["trace", "verify", str(run)]) == 1
    assert "hash does not hold" in capsys.readouterr().out


def test_a_place_without_a_trace_is_an_input_error(tmp_path, capsys):
    assert main(["trace", "show", str(tmp_path)]) == 2
    assert "no trace here" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"event": "comm', "is no JSON"),
        ("[1, 2]", "is no event"),
        ('{"turn": 1}', "is no event"),
    ],
)
def test_a_damaged_line_is_named_by_every_action(tmp_path, capsys, line, said):
    path = tmp_path / "try-1" / "trace.jsonl"
    with TraceWriter(path) as trace:
        trace.event("start", agent="offline")
        trace.event("command", turn=1, command="ls")
        trace.event("end", status="failed", ended_by="agent", reason="")
    lines = path.read_text().splitlines()
    path.write_text("\n".join([lines[0], line, lines[2]]) + "\n")
    for action in ("show", "replay"):
        assert main(["trace", action, str(tmp_path)]) == 2
        told = capsys.readouterr()
        assert f"{path}, line 2: {said}" in told.err and "Traceback" not in told.err
    assert main(["trace", "verify", str(tmp_path)]) == 1
    assert f"line 2 {said}" in capsys.readouterr().out


def test_an_event_without_its_fields_is_a_fault_and_no_crash(tmp_path, capsys):
    path = tmp_path / "trace.jsonl"
    path.write_text('{"event": "command"}\n{"event": "observation", "file": 3}\n')
    assert main(["trace", "verify", str(path)]) == 1
    assert "lacks a field" in capsys.readouterr().out
    assert main(["trace", "show", str(path)]) == 0
