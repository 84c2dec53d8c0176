"""What lessons must not carry."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from labagent.files import read_jsonl
from labagent.models.config import ModelSettings, Price
from labagent.models.tables import Quantity
from labagent.reproduce import reproduce
from labagent.reproduce.disclosure import SYSTEM, why_not
from labagent.reproduce.finish import sentinel
from labagent.trace import read_trace
from support.model_server import ModelServer, Say

CONTRACT = (Quantity.parse("auc=answer.json:auc"), Quantity.parse("n=answer.json:n"))


@pytest.fixture
def output(tmp_path):
    (tmp_path / "answer.json").write_text(json.dumps({"auc": 0.87349, "n": 3}))
    return tmp_path


@pytest.mark.parametrize(
    "fix",
    [
        "echo 0.87349 > x.txt",
        "echo 0.873 > x.txt",
        "echo 8.735e-1 > x.txt",
        "sed -i s/nan/0.8735/ table.csv",
        "cp old.json answer.json",
        "sed -i 's#data#{run}/answer.json#' a.py",
    ],
)
def test_answers_are_kept_out(output, fix):
    assert why_not(fix, CONTRACT, output)


@pytest.mark.parametrize(
    "fix",
    [
        "python -m pip install 'numpy<2'",
        "python -m pip install 'x==0.87.349'",
        "python a.py --alpha 0.9",
        "python a.py --threads 3",
        "{env}/bin/pip install x",
        "ln -s {data}/a.csv a.csv",
        "sed -i s/a/b/ a.py",
        "export LD_LIBRARY_PATH=/usr/lib/x86_64-linux-gnu",
        "curl -O https://example.org/home/x.txt",
    ],
)
def test_other_numbers_versions_and_places_of_the_run_may_stay(output, fix):
    assert why_not(fix, CONTRACT, output) == ""


def test_paths_of_this_machine_are_kept_out(output):
    top = next(p.name for p in Path("/").iterdir() if p.is_dir() and p.name not in SYSTEM)
    assert "path" in why_not(f"export PYTHONPATH=/{top}/somebody/code", CONTRACT, output)


def test_a_lesson_that_holds_the_answer_is_withheld_and_the_reason_kept(make):
    commands = [
        "cat values.txt && python -m json.tool answer.json",
        "pip list",
        "touch values.txt && printf '{\"mean\": 2.517}' > answer.json",
        "cat values.txt && python -m json.tool answer.json",
        "python -c 'import toymean'",
        "python -m pip install toymean",
        "python -c 'import toymean'",
        f"printf '%s\\n' {sentinel('model', 'toy', 1, 'data')} 'STATUS: SUCCESS'",
    ]
    with ModelServer([Say(block(command)) for command in commands]) as server:
        model = ModelSettings(model="openai/local", api_base=server.url, price=Price(input=1, output=1))
        made = make()
        attempt = replace(made, arm="model", model=model, folder=made.folder.parents[2] / "model/toy/1")
        record = reproduce(attempt)
    assert record.status == "completed" and record.lessons_written == 1
    withheld = [e for e in read_trace(attempt.folder / "try-1/trace.jsonl") if e["event"] == "withheld"]
    assert [(e["turn"], e["reason"]) for e in withheld] == [
        (1, "it writes or reads the answer (answer.json)")
    ]
    for path in (attempt.folder / "try-1/lessons.jsonl", attempt.memory.events):
        assert [event["fix"] for event in read_jsonl(path)] == ["python -m pip install {distribution}"]


def block(command):
    """A reply with one command."""
    return f"I go on.\n\n```bash\n{command}\n```"
