"""A service with a small window that refuses what does not fit, and a run that goes on all the same."""

import json
import re
from dataclasses import dataclass, replace

import pytest

from labagent.models.config import Budget, ModelSettings, Price
from labagent.reproduce import reproduce
from labagent.trace import read_trace
from support.model_server import Fault, ModelServer, Say

PIECE = re.compile(r"\w{1,4}|\s+|[^\w\s]")


def tokens(messages):
    """Tokens as this service counts them: words in pieces of four, blanks, other signs; three a message."""
    return sum(3 + len(PIECE.findall(message["content"])) for message in messages)


@dataclass
class WindowServer(ModelServer):
    """Refuses a request whose prompt and reply do not fit ``window``; else one command that prints 20 kB."""

    window: int = 8192
    turns: int = 200
    refused: int = 0

    def next_step(self, body, headers):
        self.requests.append(body)
        asked = tokens(body["messages"])
        if asked + body["max_tokens"] > self.window:
            self.refused += 1
            text = f"This model's maximum context length is {self.window} tokens; you requested {asked}"
            return Fault(status=400, code="context_length_exceeded", message=text)
        answered = len(self.requests) - self.refused
        mark = re.findall(r"LABAGENT-DONE-[0-9a-f]+", body["messages"][1]["content"])[0]
        work = f"echo turn {answered}; yes 'a line of an observation, 0.{answered}' | head -c 20000"
        done = f"printf '%s\\n' {mark} 'STATUS: FAILURE enough'"
        return Say(f"```bash\n{work if answered <= self.turns else done}\n```", asked, 40)


@pytest.fixture
def talk(make):
    def talk(server, **settings):
        known = {"max_output_tokens": 512, "price": Price(input=1, output=2), "retries": 0}
        model = ModelSettings(model="openai/local", api_base=server.url, **{**known, **settings})
        made = make()
        folder = made.folder.parents[2] / "model/toy/1"
        return replace(
            made, arm="model", model=model, folder=folder, budget=Budget(turns=250, wall_seconds=600)
        )

    return talk


def common(before, after):
    """Bytes of the beginning that two prompts share, message by message."""
    shared = 0
    for one, two in zip(before, after, strict=False):
        first, second = one["content"].encode(), two["content"].encode()
        if first != second:
            return shared + next(i for i in range(len(second) + 1) if first[: i + 1] != second[: i + 1])
        shared += len(second)
    return shared


def test_two_hundred_turns_of_20_kb_pass_through_a_window_of_8k_tokens(talk):
    with WindowServer([]) as server:
        attempt = talk(server, context_tokens=8192)
        record = reproduce(attempt)
    assert (record.ended_by, record.reason, record.turns) == ("agent", "enough", 201)
    observed = [e for e in read_trace(attempt.folder / "try-1/trace.jsonl") if e["event"] == "observation"]
    assert sum(event["bytes"] for event in observed) > 200 * 20_000
    assert server.refused <= 2, "sizes are estimated well enough that hardly a request is in vain"
    last = server.requests[-1]["messages"]
    assert "turn 200" in last[-1]["content"]
    assert re.search(r"bytes of output in \$LABAGENT_OBSERVATIONS/turn-01\d\d.txt\)", json.dumps(last))
    assert all(r["messages"][0] == server.requests[0]["messages"][0] for r in server.requests)

    sent = [request["messages"] for request in server.requests]
    sizes = [sum(len(m["content"].encode()) for m in messages) for messages in sent]
    if not server.refused:
        served = sum(
            int(tokens(after) * common(before, after) / size)
            for before, after, size in zip(sent, sent[1:], sizes[1:], strict=False)
        )
        assert record.usage.prefix_tokens == pytest.approx(served, rel=1e-6)
    assert record.usage.prefix_tokens > 0.3 * record.usage.prompt_tokens


def test_a_window_that_is_smaller_than_was_known_ends_no_run(talk):
    with WindowServer([], window=6000, turns=25) as server:
        record = reproduce(talk(server))
    assert (record.ended_by, record.reason, record.turns) == ("agent", "enough", 26)
    assert 1 <= server.refused <= 6
