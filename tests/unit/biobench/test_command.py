"""The command as users run it, without a model: conditions in processes of their own, scores, refusals."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from labagent.biobench.kept import read_answers
from labagent.biobench.running import kept
from labagent.biobench.runs import folder_of, plan
from labagent.cli import run_command
from labagent.models.config import Config
from labagent.trace import read_trace
from labagent.workflow import benching

TASKS = Path(__file__).parents[3] / "benchmarks/biobench/tasks.jsonl"
CHOSEN = ("sequence-length-dna", "sequence-translate", "protein-gene-symbol", "literature-review")
CONDITIONS = ("full", "no_cite")


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A project with four tasks, answered in two conditions by one command."""
    root = tmp_path_factory.mktemp("bench")
    lines = [line for line in TASKS.read_text().splitlines() if json.loads(line)["id"] in CHOSEN]
    (root / "tasks.jsonl").write_text("\n".join(lines) + "\n")
    (root / "config").mkdir()
    config = {"biobench": {"sets": {"own": {"tasks": "tasks.jsonl"}}, "conditions": list(CONDITIONS)}}
    (root / "config/config.yaml").write_text(json.dumps(config))
    done = subprocess.run(
        [sys.executable, "-c", benching.MAIN, "biobench", "run"], cwd=root, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return root, Config.model_validate(config), done


def answers(project, condition):
    root = project[0]
    return read_answers(folder_of(root / "results", benching.place_of("own", condition, "offline", 1)))


def test_each_condition_is_a_process_of_its_own(project):
    told = [line for line in project[2].stdout.splitlines() if "4 of 4 answered" in line]
    assert [line.split("/")[1] for line in told] == list(CONDITIONS)
    assert sum(line.startswith("[4/4]") for line in project[2].stderr.splitlines()) == 2
    for condition in CONDITIONS:
        assert list(answers(project, condition)) == [*CHOSEN]
        assert not (project[0] / "results/biobench/own" / condition / "offline/1/model.jsonl").exists()


def test_scores_stand_beside_an_echo(project, monkeypatch, capsys):
    monkeypatch.chdir(project[0])
    assert run_command(["biobench", "score", "--json"]) == 0
    scored = {s["place"]["condition"]: s for s in json.loads(capsys.readouterr().out)}
    full, bare = scored["full"]["summary"], scored["no_cite"]["summary"]
    assert full["accuracy"]["hits"] >= 3 and full["echo_accuracy"]["hits"] == 0
    assert full["cited"]["hits"] == full["valid"]["hits"] == full["cited"]["total"] > 0
    assert (bare["cited"]["hits"], bare["valid"]["hits"]) == (0, 0) and bare["cited"]["total"] > 0
    assert bare["accuracy"]["hits"] >= full["accuracy"]["hits"], "nothing said in full is lost"
    for s in scored.values():
        assert s["summary"]["trace"]["hits"] == 4 and s["summary"]["failures"]["hits"] == 0
    assert run_command(["biobench", "score", "--condition", "full"]) == 0
    assert "own/full/offline/1" in capsys.readouterr().out


def test_without_plans_there_is_one_step(project, monkeypatch):
    root = project[0]
    monkeypatch.chdir(root)
    assert run_command(["biobench", "run", "--condition", "no_template"]) == 0
    plans = {}
    for condition in ("full", "no_template"):
        place = benching.place_of("own", condition, "offline", 1)
        trace = read_trace(folder_of(root / "results", place) / "tasks/literature-review/trace.jsonl")
        (plans[condition],) = [event for event in trace if event["event"] == "plan"]
    assert len(plans["full"]["steps"]) > len(plans["no_template"]["steps"])


def test_a_run_that_is_there_is_not_made_again(project, monkeypatch, capsys):
    monkeypatch.chdir(project[0])
    before = (project[0] / "results/biobench/own/full/offline/1/answers.jsonl").read_bytes()
    assert run_command(["biobench", "run", "--condition", "full"]) == 0
    told = capsys.readouterr()
    assert "4 of 4 answered" in told.out and "[" not in told.err
    assert (project[0] / "results/biobench/own/full/offline/1/answers.jsonl").read_bytes() == before
    place = benching.place_of("own", "full", "offline", 1)
    assert len(kept(plan(project[0], project[1], place))) == 4


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--condition", "react"], "with a model and there is none"),
        (["--condition", "fool"], "allowed: full, no_cite"),
        (["--model", "gpt"], '"gpt" is not there'),
        (["--set", "held"], 'there is no set "held"'),
        (["--split", "hard"], "splits.0"),
        (["--tasks", "none.jsonl"], "none.jsonl: there is no such file"),
    ],
)
def test_what_cannot_be_run_is_refused_in_words(words, message, project, monkeypatch, capsys):
    monkeypatch.chdir(project[0])
    assert run_command(["biobench", "run", *words]) == 2
    assert message in capsys.readouterr().err


def test_a_run_that_is_not_there_cannot_be_scored(project, monkeypatch, capsys):
    monkeypatch.chdir(project[0])
    assert run_command(["biobench", "score", "--set", "held-out", "--tasks", "tasks.jsonl"]) == 2
    assert "labagent biobench run makes it" in capsys.readouterr().err
