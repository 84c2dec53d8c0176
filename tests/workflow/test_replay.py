"""Recorded attempts through the whole workflow: a replay arm beside the one it replays, ``trace replay``."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from labagent.cli import main
from support.model_server import ModelServer, Say
from support.toy import planned, snakemake, toy_project

CONFIG = """\
models:
  local:
    model: openai/scripted
    api_base: "{url}"
    retries: 1
    backoff_seconds: 0.05
    price: {{input: 1, output: 2}}
arms:
  model: {{model: local}}
  again: {{model: replay, replay: model}}
"""
WORK = (
    'python -c "import csv, json, os; '
    "v = [float(r['value']) for r in csv.DictReader(open(os.environ['LABAGENT_DATA'] + '/values.csv'))]; "
    "json.dump({'mean': sum(v) / len(v), 'median': sorted(v)[2]}, open('answer.json', 'w'))\"; date"
)


def answer(body: dict[str, Any]) -> str:
    """Choose the skill, do the work, finish: by what was asked."""
    text = json.dumps(body["messages"])
    if "Choose the one skill" in text:
        return "toy"
    mark = re.findall(r"LABAGENT-DONE-[0-9a-f]+", text)[0]
    done = f"printf '%s\\n' {mark} 'STATUS: SUCCESS'"
    return f"```bash\n{done if len(body['messages']) > 2 else WORK}\n```"


def record(path: Path) -> dict[str, Any]:
    """A record of the results."""
    return json.loads(path.read_text())


def test_a_replay_arm_needs_no_model_and_trace_replay_compares(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    root = toy_project(tmp_path)
    targets = root / "config/targets.tsv"
    targets.write_text(
        targets.read_text().replace("\tmetric\ttoy\t", "\tmetric\t\t")
    )  # open: a model chooses
    with ModelServer([], forever=Say(answer, 1000, 50)) as server:
        (root / "config/config.yaml").write_text(CONFIG.format(url=server.url))
        goals = [f"results/scores/{arm}/toy-mean/1.json" for arm in ("model", "again")]
        snakemake(root, "--cores", "1", *goals)
        assert len(server.requests) == 3, "a choice and two turns, once"
    first, again = (record(root / f"results/runs/{arm}/toy-mean/1/run.json") for arm in ("model", "again"))
    assert (again["status"], again["turns"], again["replay_of"]) == ("completed", 2, "model/toy-mean/1")
    assert (again["cost_usd"], first["cost_usd"]) == (0.0, pytest.approx(2 * (1000 + 2 * 50) / 1e6))
    chosen = record(root / "results/select/again/toy-mean.json")
    assert (chosen["status"], chosen["skill"]) == ("selected", "toy")
    scores = [record(root / goal) for goal in goals]
    assert [score["within"] for score in scores] == [True, True]
    assert not {"reproduce:toy-mean", "select:toy-mean"} & planned(root, *goals)

    monkeypatch.chdir(root)
    run = "results/runs/model/toy-mean/1"
    for place in (run, f"{run}/try-1", "results/runs/again/toy-mean/1"):
        assert main(["trace", "verify", place]) == 0
    assert main(["trace", "replay", run]) == 0
    assert "2 commands, 1 answer files" in capsys.readouterr().out
    (root / run / "try-1/output/answer.json").write_text('{"mean": 7.0}')
    assert main(["trace", "replay", f"{run}/try-1", "--json"]) == 1
    (difference,) = json.loads(capsys.readouterr().out)["differences"]
    assert difference.startswith("output/answer.json: ")

    task = root / "config/task-mean.md"
    task.write_text(task.read_text().replace("column", "colunn"))
    assert main(["trace", "replay", run]) == 2
    error = capsys.readouterr().err
    assert "-Write answer.json with the mean of the column." in error
    assert "+Write answer.json with the mean of the colunn." in error
    assert os.environ.get("OPENAI_API_KEY") is None or "sk-" not in error


def test_a_recording_from_elsewhere_is_replayed(tmp_path: Path) -> None:
    root = toy_project(tmp_path / "here")
    goal = "results/scores/model/toy-mean/1.json"
    with ModelServer([], forever=Say(answer, 1000, 50)) as server:
        (root / "config/config.yaml").write_text(CONFIG.format(url=server.url))
        snakemake(root, "--cores", "1", goal)
    (root / "results").rename(root / "recorded")
    (root / "config/config.yaml").write_text(
        "arms:\n  again: {model: replay, replay: model, recording: recorded}\n"
    )
    snakemake(root, "--cores", "1", goal.replace("model", "again"))
    assert record(root / goal.replace("model", "again"))["within"] is True
    (root / "recorded/runs").rename(root / "recorded/gone")
    assert "reproduce:toy-mean" in planned(root, goal.replace("model", "again"))
    done = snakemake(root, "--cores", "1", goal.replace("model", "again"), check=False)
    assert done.returncode != 0
    log = (root / "results/logs/reproduce/again/toy-mean/1.log").read_text()
    assert "no recorded attempt to replay; arm model has to make it first" in log
