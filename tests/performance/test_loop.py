"""What a turn of the loop costs, against mini-swe-agent's loop with the same commands.

Baseline: mini-swe-agent's ``DefaultAgent`` with its ``DeterministicModel`` and ``LocalEnvironment``, the
trajectory on disk after every step, in an environment of its own. Ours: the whole loop with a model that
answers at once, every event written to the trace before the run goes on, commands without a sandbox;
then in the sandbox, stated. Both run the same commands; runs alternate, and the fastest of each side
counts, since others use the machine.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import pytest

from labagent.llm import Message, Reply
from labagent.models.config import Budget, SandboxSettings
from labagent.models.run import Usage
from labagent.models.tables import Quantity
from labagent.reproduce.caps import Caps
from labagent.reproduce.loop import Loop
from labagent.reproduce.model_agent import Assignment, ModelAgent
from labagent.sandbox import Limits, Mount, open_sandbox
from labagent.sandbox.bubblewrap import find_bubblewrap
from labagent.trace import Costs, TraceWriter, verify_chain

pytestmark = pytest.mark.performance

REQUIREMENT = "mini-swe-agent==2.4.6"
PROGRAM = Path(__file__).with_name("mini_swe_agent.py")
MARK = "LABAGENT-DONE-00000000"
REPEATS = 4
WORKLOADS = {
    "a run of 40 turns, a page of output each": ["seq 400"] * 40,
    "a run of 120 turns, a line of output each": ["echo x"] * 120,
}


@dataclass
class Scripted:
    """A model that answers at once with the next command, then ends."""

    commands: list[str]
    name: str = "scripted"
    context_tokens: int = 1_000_000
    asked: int = 0

    def complete(self, messages: list[Message], **_: Any) -> Reply:
        """The next command."""
        last = f"echo {MARK}; echo STATUS: FAILURE: enough"
        command = self.commands[self.asked] if self.asked < len(self.commands) else last
        self.asked += 1
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


@pytest.fixture(scope="module")
def baseline(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The Python of an environment with mini-swe-agent, or a skip that says why there is none."""
    import uv

    prefix = tmp_path_factory.mktemp("mini-swe-agent") / "venv"
    program = uv.find_uv_bin()
    python = str(prefix / "bin" / "python")
    for words in (["venv", str(prefix)], ["pip", "install", "--python", python, REQUIREMENT]):
        done = subprocess.run([program, *words, "--quiet"], capture_output=True, text=True, check=False)
        if done.returncode:
            pytest.skip(f"mini-swe-agent cannot be had here: {done.stderr.strip()[-300:]}")
    return python


def theirs(python: str, commands: list[str], folder: Path) -> float:
    """Seconds of one run in mini-swe-agent's loop."""
    folder.mkdir()
    (folder / "commands.json").write_text(json.dumps(commands))
    words = [
        python,
        str(PROGRAM),
        str(folder / "commands.json"),
        str(folder / "trajectory.json"),
        str(folder),
    ]
    clean = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
    variables = {**clean, "MSWEA_GLOBAL_CONFIG_DIR": str(folder / "config")}
    done = subprocess.run(words, capture_output=True, text=True, check=True, env=variables)
    assert len(json.loads((folder / "trajectory.json").read_text())["messages"]) == 2 * len(commands) + 4
    return float(done.stdout.split()[-1])


def ours(kind: Literal["none", "bubblewrap"], commands: list[str], folder: Path) -> float:
    """Seconds of one run in the loop."""
    for name in ("run", "observations"):
        (folder / name).mkdir(parents=True)
    budget = Budget(turns=len(commands) + 2, wall_seconds=600)
    answer = (Quantity.parse("x=answer.json:x"),)
    sandbox = open_sandbox(
        SandboxSettings(kind=kind),
        mounts=[Mount(folder / "run", "/run", writable=True)],
        variables={},
        cwd="/run",
        limits=Limits(60, 4000, 256, 1000, 1),
    )
    with TraceWriter(folder / "trace.jsonl") as trace:
        loop = Loop(
            agent=ModelAgent(
                Scripted(commands), Assignment(task="Count.", answer=answer, budget=budget, mark=MARK)
            ),
            sandbox=sandbox,
            memory=NoLessons(),
            trace=trace,
            caps=Caps(budget, Costs),
            mark=MARK,
            answer=answer,
            output=folder / "run",
            observations=folder / "observations",
        )
        start = time.perf_counter()
        ending = loop.run()
        seconds = time.perf_counter() - start
    sandbox.close()
    assert (ending.ended_by, len(loop.view.turns)) == ("agent", len(commands) + 1)
    assert verify_chain(folder / "trace.jsonl") == []
    return seconds


def processes(commands: list[str]) -> float:
    """Seconds of the bare processes, their output read."""
    start = time.perf_counter()
    for command in commands:
        subprocess.run(["bash", "-c", command], stdin=subprocess.DEVNULL, capture_output=True, check=True)
    return time.perf_counter() - start


@pytest.mark.parametrize("workload", list(WORKLOADS))
def test_a_turn_costs_no_more_than_in_mini_swe_agents_loop(
    tmp_path: Path, baseline: str, workload: str
) -> None:
    commands = WORKLOADS[workload]
    kinds: list[Literal["none", "bubblewrap"]] = ["none"]
    kinds += [] if find_bubblewrap()[1] else ["bubblewrap"]
    times: dict[str, list[float]] = {name: [] for name in ("mini-swe-agent", "bash", *kinds)}
    for number in range(REPEATS):
        times["mini-swe-agent"].append(theirs(baseline, commands, tmp_path / f"theirs-{number}"))
        times["bash"].append(processes(commands))
        for kind in kinds:
            times[kind].append(ours(kind, commands, tmp_path / f"{kind}-{number}"))
    turn = {name: 1e3 * min(seconds) / len(commands) for name, seconds in times.items()}
    print(
        f"\n{workload}; milliseconds a turn, the fastest of {REPEATS} runs, Python {sys.version.split()[0]}"
    )
    print(f"  bash alone            {turn['bash']:6.2f}")
    print(f"  mini-swe-agent        {turn['mini-swe-agent']:6.2f}")
    for kind in kinds:
        ratio = turn[kind] / turn["mini-swe-agent"]
        print(f"  labagent, {kind:<11} {turn[kind]:6.2f}   ratio {ratio:.2f}")
    assert turn["none"] <= turn["mini-swe-agent"]
