"""Agents of their own as arms: the whole workflow with real executables that speak real tools' formats."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any

import pytest

from support.harnesses import write_tools
from support.toy import planned, snakemake, toy_project

LOGIN = "orchid-gazebo-lantern"
CONFIG = """\
arms:
  claude:
    harness:
      adapter: claude-code
      command: [claude, --max-turns, "{{turns}}", --max-budget-usd, "{{usd}}"]
      env: [LAB_LOGIN]
      mounts: [{tools}]
      price: {{input: 3, output: 15}}
  codex:
    memory: frozen
    harness:
      adapter: codex
      command: [codex, exec, --json, "{{prompt}}"]
      mounts: [{tools}]
      price: {{input: 1, output: 10, cached_input: 0.1}}
  codex-greedy:
    harness:
      adapter: codex
      command: [codex, exec, --json, "{{prompt}}"]
      variables: {{MODE: greedy}}
      mounts: [{tools}]
      price: {{input: 1000, output: 1000}}
{modes}
  missing: {{harness: {{adapter: claude-code, command: [no-such-agent-cli]}}}}
  unset: {{harness: {{adapter: codex, env: [NO_SUCH_LOGIN]}}}}
budgets:
  default: {{turns: 20, usd: 1.0, wall_seconds: 120}}
  short: {{turns: 20, usd: 100, wall_seconds: 8}}
sandbox: {{network: setup, processes: 64}}
"""
MODE = """\
  {mode}:
    harness:
      adapter: claude-code
      command: [claude]
      variables: {{MODE: {mode}}}
      mounts: [{tools}]
      price: {{input: 300, output: 1500}}
"""
RUNS = {
    "claude": "toy-mean",
    "codex": "toy-mean",
    "codex-greedy": "toy-mean",
    "greedy": "toy-mean",
    "stubborn": "toy-median",
    "flood": "toy-mean",
    "broken": "toy-mean",
    "missing": "toy-mean",
    "unset": "toy-mean",
}


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project after one run of every arm on one target."""
    folder = tmp_path_factory.mktemp("harness")
    tools = write_tools(folder / "tools")
    modes = "".join(MODE.format(mode=mode, tools=tools) for mode in ("greedy", "stubborn", "flood", "broken"))
    root = toy_project(folder / "project", config=CONFIG.format(tools=tools, modes=modes))
    table = root / "config/targets.tsv"
    rows = table.read_text().replace(
        "median=answer.json:median\tprotocol.yaml\t", "median=answer.json:median\tprotocol.yaml\tshort"
    )
    table.write_text(rows)
    scores = [f"results/scores/{arm}/{target}/1.json" for arm, target in RUNS.items()]
    snakemake(root, "--cores", "2", *scores, LAB_LOGIN=LOGIN, OTHER_SECRET_KEY="never-shown-to-tools")
    return root


def record(root: Path, arm: str) -> dict[str, Any]:
    """The run's record."""
    return dict(json.loads((root / f"results/runs/{arm}/{RUNS[arm]}/1/run.json").read_text()))


def folder(root: Path, arm: str) -> Path:
    """The try that counts."""
    return root / f"results/runs/{arm}/{RUNS[arm]}/1" / record(root, arm)["try_folder"]


def events(root: Path, arm: str, kind: str) -> list[dict[str, Any]]:
    """Events of a kind in the trace."""
    lines = (folder(root, arm) / "trace.jsonl").read_text().splitlines()
    return [event for event in map(json.loads, lines) if event["event"] == kind]


def score(root: Path, arm: str) -> dict[str, Any]:
    """The score of the entry."""
    return dict(json.loads((root / f"results/scores/{arm}/{RUNS[arm]}/1.json").read_text()))


def test_claude_code_makes_an_attempt(root: Path) -> None:
    run = record(root, "claude")
    assert (run["status"], run["ended_by"], run["reason"]) == ("completed", "success", "")
    assert (run["agent"], run["model"], run["skill"]) == ("claude-code", "claude-test-1", "toy")
    assert run["cost_usd"] == pytest.approx(0.0815)
    assert run["usage"] == {
        "prompt_tokens": 90 + 9000 + 18000 + 500,
        "cached_tokens": 9000,
        "completion_tokens": 910,
        "prefix_tokens": 0,
    }
    assert (run["turns"], run["failing_turns"]) == (8, 2)
    assert score(root, "claude")["within"] and not score(root, "claude")["tainted"]


def test_its_calls_are_turns_that_audits_and_lessons_can_use(root: Path) -> None:
    commands = {event["turn"]: event["command"] for event in events(root, "claude", "command")}
    assert commands[1] == "cat /skill/references/compute.md"
    assert commands[5].startswith("cat > compute.py <<'END-OF-FILE'\nimport csv")
    statuses = [event["status"] for event in events(root, "claude", "observation")]
    assert statuses == [0, 1, 0, 0, 0, 0, 0, 1]
    assert [event["name"] for event in events(root, "claude", "locus")] == ["compute"]
    (line,) = (folder(root, "claude") / "lessons.jsonl").read_text().splitlines()
    lesson = json.loads(line)
    assert lesson["failure_class"] == "missing_module"
    assert lesson["fix"] == "cp $LABAGENT_DATA/toystats.py ."
    assert line in (root / "memory/claude.jsonl").read_text()
    assert score(root, "claude")["audit"]["commands"] == 8


def test_the_transcript_is_kept_without_secrets(root: Path) -> None:
    transcript = (folder(root, "claude") / "transcript.jsonl").read_text()
    lines = [json.loads(line) for line in transcript.splitlines()]
    assert lines[0]["subtype"] == "init" and lines[-1]["total_cost_usd"] == 0.0815
    assert "the login is [redacted:LAB_LOGIN]" in transcript
    assert (folder(root, "claude") / "output/note.txt").read_text() == "[redacted:LAB_LOGIN]\n"
    for path in (root / "results").rglob("*"):
        if path.is_file():
            assert LOGIN.encode() not in path.read_bytes(), path
    assert not (folder(root, "claude") / "private").exists()
    counted = events(root, "claude", "observation")[7]
    assert counted["text"].strip().endswith("0"), "a variable that is not allowed was passed"


def test_the_network_is_open_for_it_and_said_so(root: Path) -> None:
    sandbox = record(root, "claude")["sandbox"]
    assert sandbox["kind"] == "bubblewrap" and sandbox["network"] == "open"
    assert any("sandbox.network is setup" in warning for warning in sandbox["warnings"])


def test_codex_makes_an_attempt(root: Path) -> None:
    run = record(root, "codex")
    assert (run["status"], run["agent"], run["model"]) == ("completed", "codex", "gpt-test-1")
    assert run["usage"]["prompt_tokens"] == 3000 and run["usage"]["cached_tokens"] == 1000
    assert run["cost_usd"] == pytest.approx((2000 * 1 + 1000 * 0.1 + 200 * 10) / 1e6)
    commands = [event["command"] for event in events(root, "codex", "command")]
    assert commands[0] == "head -n 2 $LABAGENT_DATA/values.csv"
    assert commands[2] == "apply_patch add answer.json"
    assert "1" in events(root, "codex", "observation")[0]["text"]
    assert score(root, "codex")["within"]


@pytest.mark.parametrize("arm", ["greedy", "codex-greedy"])
def test_a_tool_that_overspends_is_ended(root: Path, arm: str) -> None:
    run = record(root, arm)
    assert (run["status"], run["ended_by"]) == ("capped", "usd")
    assert run["cost_usd"] > 1.0
    assert events(root, arm, "cap")[0]["name"] == "usd"
    assert (folder(root, arm) / "transcript.jsonl").stat().st_size > 0


def test_a_tool_that_never_ends_is_ended(root: Path) -> None:
    run = record(root, "stubborn")
    assert (run["status"], run["ended_by"]) == ("capped", "wall_seconds")
    assert run["wall_seconds"] >= 8
    (call,) = events(root, "stubborn", "observation")
    assert call["status"] is None


@pytest.mark.parametrize("arm", ["greedy", "stubborn"])
def test_none_of_its_children_is_left(root: Path, arm: str) -> None:
    alive = folder(root, arm) / "output/alive.txt"
    before = alive.stat().st_size
    assert before > 0
    time.sleep(0.3)
    assert alive.stat().st_size == before


def test_a_flood_is_ended_and_not_kept(root: Path) -> None:
    run = record(root, "flood")
    assert (run["status"], run["ended_by"]) == ("failed", "harness")
    assert "limit of output" in run["reason"] or "limit of disk" in run["reason"]
    assert run["cost_usd"] is None
    transcript = folder(root, "flood") / "transcript.jsonl"
    assert transcript.stat().st_size <= (16 << 20) + 200
    assert json.loads(transcript.read_bytes().rsplit(b"\n", 2)[-2])["bytes"] > 64 << 20


def test_a_tool_that_fails_says_why(root: Path) -> None:
    run = record(root, "broken")
    assert (run["status"], run["ended_by"]) == ("failed", "harness")
    assert "exit status 1" in run["reason"] and "Not logged in" in run["reason"]
    assert "API key is not valid" in run["reason"]


def test_a_missing_tool_is_a_status(root: Path) -> None:
    run = record(root, "missing")
    assert (run["status"], run["ended_by"]) == ("failed", "harness_missing")
    assert "no-such-agent-cli is neither on PATH nor in mounts" in run["reason"]
    assert "npm install" in run["reason"]
    run = record(root, "unset")
    assert (run["status"], run["ended_by"]) == ("failed", "harness_missing")
    assert "NO_SUCH_LOGIN" in run["reason"]
    assert score(root, "missing")["status"] == "failed"


def test_the_records_are_whole(root: Path) -> None:
    from labagent.reproduce.verify import verify_record, verify_try

    for arm, target in RUNS.items():
        path = root / f"results/runs/{arm}/{target}/1/run.json"
        assert verify_record(path) == [], arm
        for trace in path.parent.glob("try-*/trace.jsonl"):
            assert verify_try(trace).faults == (), arm


def test_what_a_setting_changes(root: Path) -> None:
    from labagent.inputs import load_inputs
    from labagent.workflow.keys import Keys

    def key(**settings: Any) -> str:
        harness = {"adapter": "codex", "command": ["codex"], **settings}
        inputs = load_inputs(root, {"arms": {"codex": {"harness": harness}}})
        return Keys(inputs).reproduce("codex", inputs.targets["toy-mean"])

    assert key() == key(mounts=["/opt/codex"]) == key(env=["A_LOGIN"]) == key(price={"input": 1, "output": 2})
    assert len({key(), key(command=["codex", "exec"]), key(variables={"A": "1"}), key(adapter="plain")}) == 4
    assert os.environ.get("LAB_LOGIN") is None


def test_a_tool_that_was_installed_since_is_tried(root: Path) -> None:
    before = (root / "results/runs/unset/toy-mean/1/run.json").read_bytes()
    codex = root.parent / "tools/bin/codex"
    usual = root.parent / "tools/bin/no-such-agent-cli"
    usual.symlink_to(codex)
    config = (root / "config/config.yaml").read_text()
    with_mounts = config.replace(
        "[no-such-agent-cli]", f"[no-such-agent-cli], mounts: [{root.parent / 'tools'}]"
    )
    (root / "config/config.yaml").write_text(with_mounts)
    try:
        planned_jobs = planned(
            root, *(f"results/scores/{arm}/toy-mean/1.json" for arm in ("missing", "unset"))
        )
        assert "reproduce:toy-mean" in planned_jobs
        assert not (root / "results/runs/missing/toy-mean/1/run.json").exists()
        assert (root / "results/runs/unset/toy-mean/1/run.json").read_bytes() == before
    finally:
        (root / "config/config.yaml").write_text(config)
