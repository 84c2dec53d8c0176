"""Requests hold nothing of the day, the host or the folder: the same run elsewhere sends the same bytes."""

import json
import platform
import re
import shutil
import socket
import time
from dataclasses import replace

import pytest

from labagent.models.config import ModelSettings, Price, SandboxSettings
from labagent.reproduce import reproduce
from support.model_server import ModelServer, Say

COMMANDS = [
    "locus load",
    "python -c 'import toymean'",
    "cat missing.csv; echo $PWD; ls $LABAGENT_DATA",
    "pwd",
]


def run(attempt, root):
    """The bodies of all requests of a run."""
    script = [Say(f"```bash\n{command}\n```") for command in COMMANDS]
    with ModelServer(script, forever=Say("hm")) as server:
        model = ModelSettings(model="openai/local", api_base=server.url, price=Price(input=1, output=1))
        reproduce(replace(attempt, arm="model", model=model, folder=root / "model/toy/1"))
    return [json.dumps(request) for request in server.requests]


@pytest.mark.parametrize("kind", ["auto", "none"])
def test_two_folders_two_hosts_two_days_one_text(make, tmp_path, monkeypatch, kind):
    attempt = make(sandbox=SandboxSettings(kind=kind))
    reproduce(attempt)  # leaves a lesson, so that requests show one
    first = run(attempt, tmp_path / "results/runs")
    elsewhere = tmp_path / "another-place"
    for name in ("data", "skill", "memory"):
        shutil.copytree(tmp_path / name, elsewhere / name)
    shutil.copy(attempt.task, elsewhere / "task.md")
    moved = replace(
        attempt,
        data_folder=elsewhere / "data",
        task=elsewhere / "task.md",
        skill=elsewhere / "skill/toy-mean",
        memory=replace(
            attempt.memory,
            events=elsewhere / "memory/offline.jsonl",
            library=elsewhere / "memory/lessons.jsonl",
        ),
    )
    now = time.time
    monkeypatch.setattr(time, "time", lambda: now() + 4e7)
    monkeypatch.setattr(socket, "gethostname", lambda: "another-host")
    monkeypatch.setattr(platform, "node", lambda: "another-host")
    second = run(moved, elsewhere / "runs")
    assert first == second
    text = "\n".join(first)
    assert "pip install toymean" in text, "a lesson was shown"
    for own in (str(tmp_path), socket.gethostname(), platform.node(), time.strftime("%Y-%m-%d")):
        assert own not in text
    assert not re.findall(r"\b20[2-9]\d-\d\d-\d\d\b", text)
