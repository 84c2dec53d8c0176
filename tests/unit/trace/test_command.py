import json

import pytest

from labagent.cli import main
from labagent.trace import TraceWriter


@pytest.fixture
def run(tmp_path):
    for number in (1, 2):
        with TraceWriter(tmp_path / f"try-{number}/trace.jsonl") as trace:
            trace.event("command", turn=1, command=f"echo {number}")
            if number == 2:
                trace.event("end", status="completed", ended_by="success")
    return tmp_path


def test_show_prints_all_tries_in_order(run, capsys):
    assert main(["trace", "show", str(run)]) == 0
    text = capsys.readouterr().out
    assert text.index("echo 1") < text.index("echo 2") and "ended_by=success" in text


def test_show_json_is_json(run, capsys):
    assert main(["trace", "show", str(run / "try-2"), "--json"]) == 0
    (trace,) = json.loads(capsys.readouterr().out)
    assert [event["event"] for event in trace["events"]] == ["command", "end"]
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
