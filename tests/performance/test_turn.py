"""What the agent's loop costs a turn, without the model's and the commands' own time. Stated, never asserted.

Starting the sandbox, the trace on disk, redaction, the prompt and the reply are in it.
"""

from __future__ import annotations

import time
from pathlib import Path
from statistics import median
from typing import Any

import pytest

from labagent.llm import Message, Reply
from labagent.models.config import Budget, SandboxSettings
from labagent.models.run import Usage
from labagent.models.tables import Quantity
from labagent.reproduce.caps import Caps
from labagent.reproduce.loop import Loop
from labagent.reproduce.model_agent import Assignment, ModelAgent
from labagent.sandbox import Limits, Mount, open_sandbox
from labagent.trace import Costs, TraceWriter, read_trace

pytestmark = pytest.mark.performance

TURNS = 60
MARK = "LABAGENT-DONE-00000000"


class Scripted:
    """A model that answers at once: commands that print a page, then the end."""

    name = "scripted"
    context_tokens = 128_000

    def __init__(self) -> None:
        self.asked = 0

    def complete(self, messages: list[Message], **_: Any) -> Reply:
        """The next command."""
        self.asked += 1
        last = f"echo {MARK}; echo STATUS: FAILURE: enough"
        command = last if self.asked == TURNS else "seq 400"
        return Reply(f"I go on.\n\n```bash\n{command}\n```", usage=Usage(), cost_usd=0.0)

    def worst_case_tokens(self, messages: list[Message]) -> int:
        """Four characters a token."""
        return sum(len(message["content"]) for message in messages) // 4

    def worst_case_usd(self, messages: list[Message]) -> float:
        """Nothing."""
        return 0.0


class NoLessons:
    """No command of the script fails."""

    def match(self, command: str, result: object) -> Any:
        """Never asked."""
        raise AssertionError(command)


@pytest.mark.parametrize("kind", ["none", "bubblewrap"])
def test_overhead_per_turn(tmp_path: Path, kind: str) -> None:
    for name in ("run", "observations"):
        (tmp_path / name).mkdir()
    budget = Budget(turns=TURNS + 1, wall_seconds=600)
    sandbox = open_sandbox(
        SandboxSettings(kind=kind),
        mounts=[Mount(tmp_path / "run", "/run", writable=True)],
        variables={},
        cwd="/run",
        limits=Limits(60, 4000, 256, 1000, 1),
    )
    answer = (Quantity.parse("x=answer.json:x"),)
    assignment = Assignment(task="Count.", answer=answer, budget=budget, mark=MARK)
    start = time.perf_counter()
    with TraceWriter(tmp_path / "trace.jsonl") as trace:
        loop = Loop(
            agent=ModelAgent(Scripted(), assignment),
            sandbox=sandbox,
            memory=NoLessons(),
            trace=trace,
            caps=Caps(budget, Costs),
            mark=MARK,
            answer=answer,
            output=tmp_path / "run",
            observations=tmp_path / "observations",
        )
        ending = loop.run()
    whole = time.perf_counter() - start
    sandbox.close()
    assert (ending.ended_by, len(loop.view.turns)) == ("agent", TURNS)
    cost = [1e3 * each for each in beside_commands(read_trace(tmp_path / "trace.jsonl"))]
    print(
        f"\nsandbox {kind}: a turn beside its command, median {median(cost):.0f} ms (goal below 20), "
        f"most {max(cost):.0f} ms; {TURNS} turns with their commands {whole:.2f} s"
    )


def beside_commands(events: list[dict[str, Any]]) -> list[float]:
    """Seconds from each command's start to the next one's, less what the command itself took."""
    starts = [event["time"] for event in events if event["event"] == "command"]
    took = [event["seconds"] for event in events if event["event"] == "observation"]
    turns = zip(starts, starts[1:], took, strict=False)
    return [later - earlier - seconds for earlier, later, seconds in turns]
