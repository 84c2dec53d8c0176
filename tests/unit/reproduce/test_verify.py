"""``labagent trace verify`` on what a run left, and on the same tampered with in one way each."""

import json
import re
import shutil
from dataclasses import replace

import pytest

from labagent.cli import main
from labagent.errors import InfrastructureError
from labagent.models.config import ModelSettings, Price
from labagent.reproduce import reproduce
from labagent.reproduce.verify import verify_record, verify_try
from labagent.trace.chain import link
from support.model_server import Fault, ModelServer, Say


def finish(body):
    """A final status, with the mark that the prompt gave."""
    mark = re.findall(r"LABAGENT-DONE-[0-9a-f]+", json.dumps(body["messages"]))[0]
    return f"```bash\nprintf '%s\\n' {mark} 'STATUS: SUCCESS'\n```"


@pytest.fixture(scope="module")
def left(tmp_path_factory):
    """Where the one run of this module is kept."""
    return tmp_path_factory.mktemp("left") / "run"


@pytest.fixture
def run(make, left, tmp_path):
    """A run of two tries, the first of which failed with the service; a fresh copy for each test."""
    if not left.exists():
        answer = "```bash\nfalse; echo '{\"mean\": 2.5}' > answer.json\n```"
        script = [Say("```bash\nfalse\n```", 500, 20), Fault(status=500), Say(answer, 700, 30)]
        with ModelServer(script, forever=Say(finish, 800, 20)) as server:
            price = Price(input=10, output=30)
            model = ModelSettings(model="openai/local", api_base=server.url, price=price, retries=0)
            attempt = replace(make(), arm="model", model=model, folder=left)
            with pytest.raises(InfrastructureError):
                reproduce(attempt)
            assert reproduce(attempt).status == "completed"
    return shutil.copytree(left, tmp_path / "copy")


def faults(run):
    """All that is found, as the command prints it."""
    found = [fault for n in (1, 2) for fault in verify_try(run / f"try-{n}/trace.jsonl").faults]
    return found + verify_record(run / "run.json")


def rewrite(path, change):
    """Change the events of a trace and make its chain hold again."""
    events, before = [json.loads(line) for line in path.read_text().splitlines()], ""
    kept = change(events) or events
    for number, event in enumerate(kept, start=1):
        event["seq"] = number
        event["chain"] = before = link(before, event)
    path.write_text("".join(json.dumps(event, ensure_ascii=False) + "\n" for event in kept))


def test_a_run_as_it_was_left_is_whole(run, capsys):
    assert main(["trace", "verify", str(run)]) == 0
    text = capsys.readouterr().out
    assert text.count("whole") == 2 and "run.json: adds up" in text


@pytest.mark.parametrize("kind", ["observation", "usage", "reply", "command"])
def test_an_event_that_is_missing_is_missed_where_the_chain_was_mended(run, kind):
    def drop(events):
        place = next(i for i, event in enumerate(events) if event["event"] == kind)
        return events[:place] + events[place + 1 :]

    rewrite(run / "try-2/trace.jsonl", drop)
    assert faults(run)


def test_usage_that_does_not_add_up(run):
    def more(events):
        next(event for event in events if event["event"] == "usage")["cost_usd"] += 0.001

    rewrite(run / "try-1/trace.jsonl", more)
    assert any("cost_usd is" in fault for fault in faults(run))
    (run / "try-1/calls.jsonl").unlink()
    rewrite(run / "try-1/trace.jsonl", lambda events: events[:1])
    assert any("usage is" in fault for fault in faults(run))


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda run: (run / "try-2/observations/turn-0001.txt").unlink(), "turn-0001.txt is not there"),
        (
            lambda run: (run / "try-2/observations/turn-0001.txt").write_text("2.5"),
            "not what the command printed",
        ),
        (lambda run: (run / "try-2/memory.json").write_text("{}"), "memory_sha256"),
        (lambda run: (run / "try-2/calls.jsonl").unlink(), "calls.jsonl"),
        (
            lambda run: edit(run / "try-2/calls.jsonl", "You are careful", "You are hasty"),
            "not what its hash says",
        ),
        (
            lambda run: edit(run / "try-2/calls.jsonl", '"max_tokens": 4096', '"max_tokens": 4097'),
            "not at its address",
        ),
        (lambda run: edit(run / "try-2/calls.jsonl", "2.5}' >", "2.6}' >"), "not what its hash says"),
        (
            lambda run: edit(run / "try-2/calls.jsonl", '"prompt_tokens": 700', '"prompt_tokens": 7'),
            "its usage",
        ),
        (
            lambda run: edit(run / "run.json", '"turns": 3', '"turns": 2'),
            "turns is 2; the traces add up to 3",
        ),
        (lambda run: edit(run / "run.json", '"success"', '"agent"'), "the trace ends with success"),
        (lambda run: edit(run / "run.json", '"try-2"', '"try-7"'), "names try-7"),
    ],
)
def test_what_was_changed_is_told(run, change, told):
    change(run)
    assert told in "\n".join(faults(run))
    assert main(["trace", "verify", str(run)]) == 1


def edit(path, old, new):
    """Put another text where one stands."""
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def test_a_killed_try_is_no_fault(run):
    for number in range(1, 12):
        lines = (run / "try-1/trace.jsonl").read_text().splitlines(keepends=True)
        copy = run / f"cut-{number}"
        shutil.copytree(run / "try-1", copy)
        (copy / "trace.jsonl").write_text("".join(lines[:number]))
        report = verify_try(copy / "trace.jsonl")
        torn = [fault for fault in report.faults if "calls.jsonl" not in fault]
        assert torn == [], (number, lines[number - 1])
