import os
import signal
import subprocess
import sys
import textwrap
import time

import pytest

from labagent.errors import InputError
from labagent.models.run import Usage
from labagent.trace import TraceWriter, costs, read_trace, verify_chain

KEY = "sk-" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0"


def write_some(path, count=3):
    with TraceWriter(path) as trace:
        for number in range(count):
            trace.event("command", turn=number, text=f"echo {number}")


def test_events_come_back_in_order_with_a_chain_that_holds(tmp_path):
    write_some(tmp_path / "trace.jsonl")
    events = read_trace(tmp_path / "trace.jsonl")
    assert [(e["seq"], e["event"], e["turn"]) for e in events] == [
        (1, "command", 0),
        (2, "command", 1),
        (3, "command", 2),
    ]
    assert verify_chain(tmp_path / "trace.jsonl") == []


@pytest.mark.parametrize("change", ["alter", "remove", "swap"])
def test_the_chain_shows_tampering(tmp_path, change):
    path = tmp_path / "trace.jsonl"
    write_some(path, 5)
    lines = path.read_text().splitlines()
    if change == "alter":
        lines[2] = lines[2].replace("echo 2", "echo 9")
    elif change == "remove":
        del lines[2]
    else:
        lines[1], lines[2] = lines[2], lines[1]
    path.write_text("\n".join(lines) + "\n")
    assert verify_chain(path)


def test_a_torn_last_line_is_left_out_and_writing_goes_on(tmp_path):
    path = tmp_path / "trace.jsonl"
    write_some(path)
    whole = path.read_bytes()
    path.write_bytes(whole + whole.splitlines()[-1][:20])
    assert len(read_trace(path)) == 3
    write_some(path, 1)
    assert [e["seq"] for e in read_trace(path)] == [1, 2, 3, 4]
    assert verify_chain(path) == []


def test_a_broken_line_in_the_middle_is_an_error(tmp_path):
    path = tmp_path / "trace.jsonl"
    write_some(path)
    lines = path.read_text().splitlines()
    path.write_text("\n".join([lines[0], lines[1][:20], lines[2]]) + "\n")
    with pytest.raises(InputError, match="line 2: is no JSON"):
        read_trace(path)


def test_secrets_do_not_reach_the_file(tmp_path):
    path = tmp_path / "trace.jsonl"
    with TraceWriter(path) as trace:
        trace.event("observation", text=f"OPENAI_API_KEY={KEY}", nested={"list": [KEY]})
    assert KEY not in path.read_text()


def test_text_that_is_no_unicode_is_written_all_the_same(tmp_path):
    path = tmp_path / "trace.jsonl"
    write = TraceWriter(path)
    write.event("observation", text="bad \udcff byte, line\u2028separator")
    assert "line\u2028separator" in read_trace(path)[0]["text"]
    assert verify_chain(path) == []


def test_costs_add_up_and_an_unknown_price_stays_unknown(tmp_path):
    path = tmp_path / "trace.jsonl"
    usage = Usage(prompt_tokens=10, cached_tokens=4, completion_tokens=3)
    with TraceWriter(path) as trace:
        trace.event("usage", usage=usage.model_dump(), cost_usd=0.25)
        trace.event("retry", possible_usd=0.5, possible_tokens=40)
        trace.event("usage", usage=usage.model_dump(), cost_usd=0.5)
    known = costs(path)
    assert (known.usd, known.calls, known.possible_usd, known.possible_tokens) == (0.75, 2, 0.5, 40)
    assert known.usage == Usage(prompt_tokens=20, cached_tokens=8, completion_tokens=6)
    with TraceWriter(path) as trace:
        trace.event("usage", usage=usage.model_dump(), cost_usd=None)
    assert costs(path).usd is None
    assert costs(path).tokens == 39


def test_a_killed_writer_loses_nothing_it_acknowledged(tmp_path):
    path = tmp_path / "trace.jsonl"
    code = """
        import sys
        from pathlib import Path
        from labagent.trace import TraceWriter
        trace = TraceWriter(Path(sys.argv[1]))
        for n in range(100000):
            trace.event("command", turn=n, text="x" * 3000)
            print(n, flush=True)
    """
    child = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code), str(path)], stdout=subprocess.PIPE, text=True
    )
    while child.stdout.readline() != "20\n":
        pass
    time.sleep(0.05)
    os.kill(child.pid, signal.SIGKILL)
    acknowledged = child.stdout.read().splitlines()
    child.wait()
    turns = [event["turn"] for event in read_trace(path)]
    assert turns[: 21 + len(acknowledged)] == list(range(21 + len(acknowledged)))
    assert verify_chain(path) == []
