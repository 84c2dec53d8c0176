"""SIGKILL at twenty seeded moments of one attempt: nothing recorded is lost, and the sums stay right."""

import json
import os
import pickle
import random
import re
import signal
import subprocess
import sys
import time
from dataclasses import replace
from textwrap import dedent

import pytest

from labagent.llm.recording import read_recording
from labagent.models.config import Budget, ModelSettings, Price
from labagent.models.run import RunRecord
from labagent.reproduce.verify import verify_record, verify_try
from labagent.trace import lost_call, read_trace
from support.model_server import ModelServer, Say

KILLS = 20
TURNS = 7
EVENTS = 33
CALL = {"prompt": 1000, "completion": 10, "cached": 400}
USD = (600 * 10 + 400 * 1 + 10 * 30) / 1e6

# Loads everything once; forks a process for each line it reads, says its number, and how it ended.
STARTER = """
    import os, pickle, sys
    from labagent.llm.service import load_litellm
    from labagent.reproduce import reproduce
    from labagent.reproduce import model_agent
    load_litellm()
    attempt = pickle.load(open(sys.argv[1], "rb"))
    print("ready", flush=True)
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            reproduce(attempt)
            os._exit(0)
        print(child, flush=True)
        print(os.waitpid(child, 0)[1], flush=True)
"""


def work(body):
    """The next of a few commands, then the answer, then the end."""
    turn = len(body["messages"]) // 2
    mark = re.findall(r"LABAGENT-DONE-[0-9a-f]+", json.dumps(body["messages"]))[0]
    command = f"echo turn {turn}; echo {turn} >> steps.txt"
    if turn == TURNS - 1:
        command = "echo '{\"mean\": 2.5}' > answer.json"
    if turn == TURNS:
        command = f"printf '%s\\n' {mark} 'STATUS: SUCCESS'"
    return f"```bash\n{command}\n```"


@pytest.fixture
def attempt(make):
    def attempt(server):
        price = Price(input=10, output=30, cached_input=1)
        model = ModelSettings(model="openai/local", api_base=server.url, retries=1, price=price)
        made = make(budget=Budget(turns=20, usd=50, wall_seconds=120))
        return replace(made, arm="model", model=model, folder=made.folder.parents[2] / "model/toy/1")

    return attempt


class Starter:
    """Starts the attempt again and again, each time in a process of its own."""

    def __init__(self, path):
        code = [sys.executable, "-c", dedent(STARTER), str(path)]
        self.process = subprocess.Popen(code, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout.readline() == "ready\n"

    def start(self):
        self.process.stdin.write("go\n")
        self.process.stdin.flush()
        return int(self.process.stdout.readline())

    def ended(self):
        """The child's wait status."""
        return int(self.process.stdout.readline())

    def close(self):
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()


def lines(trace):
    """Whole lines a trace holds by now."""
    return trace.read_bytes().count(b"\n") if trace.exists() else 0


def kill_at(starter, trace, count, delay):
    """Kill the attempt when its trace has so many events and a moment has passed; what it held then."""
    child = starter.start()
    end = time.monotonic() + 120
    while lines(trace) < count:
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.001)
    time.sleep(delay)
    seen = trace.read_bytes() if trace.exists() else b""
    os.kill(child, signal.SIGKILL)
    assert os.WIFSIGNALED(starter.ended())
    return seen[: seen.rfind(b"\n") + 1]


def test_twenty_kills_lose_nothing_and_count_nothing_twice(attempt, tmp_path):
    moments = random.Random(7)
    say = Say(work, CALL["prompt"], CALL["completion"], CALL["cached"], seconds=0.01)
    with ModelServer([], forever=say) as server:
        mine = attempt(server)
        (tmp_path / "attempt").write_bytes(pickle.dumps(mine))
        starter = Starter(tmp_path / "attempt")
        kept = []
        for number in range(1, KILLS + 1):
            trace = mine.folder / f"try-{number}/trace.jsonl"
            seen = kill_at(starter, trace, moments.randint(1, EVENTS), moments.uniform(0, 0.02))
            assert not (mine.folder / "run.json").exists()
            assert trace.read_bytes().startswith(seen), "an event that was on disk is gone"
            kept.append(trace.read_bytes())
        starter.start()
        assert starter.ended() == 0
        starter.close()
        served = len(server.requests)

    tries = [mine.folder / f"try-{number}" for number in range(1, KILLS + 2)]
    events = [read_trace(folder / "trace.jsonl") for folder in tries]
    for folder, before in zip(tries, kept, strict=False):
        assert (folder / "trace.jsonl").read_bytes() == before, "the next start touched an old try"
    for folder in tries:
        assert verify_try(folder / "trace.jsonl").faults == ()
    asked, answered = (
        [sum(event["event"] == kind for event in trace) for trace in events] for kind in ("request", "usage")
    )
    assert all(0 <= a - b <= 1 for a, b in zip(asked, answered, strict=True))
    assert sum(answered) <= served <= sum(asked), "every reply that arrived is counted, none twice"
    assert asked[-1] == answered[-1] == TURNS
    for folder, count in zip(tries, answered, strict=True):
        recorded = read_recording(folder / "calls.jsonl").calls if count else ()
        assert count - 1 <= len(recorded) <= count

    record = RunRecord.read(mine.folder / "run.json")
    assert verify_record(mine.folder / "run.json") == []
    assert (record.status, record.tries, record.try_folder) == ("completed", KILLS + 1, f"try-{KILLS + 1}")
    assert record.usage.prompt_tokens == sum(answered) * CALL["prompt"]
    assert record.usage.cached_tokens == sum(answered) * CALL["cached"]
    assert record.cost_usd == pytest.approx(sum(answered) * USD)
    lost = sum(lost_call(trace).possible_usd for trace in events)
    assert record.possible_usd == pytest.approx(lost)
    assert (lost > 0) == (sum(asked) > sum(answered))
    assert (tries[-1] / "output/steps.txt").read_text().split() == [str(n) for n in range(1, TURNS - 1)]
