"""The README's promise: its commands, as they stand, in a fresh clone with no environment active."""

from __future__ import annotations

import csv
import json
import os
import re
import subprocess
from pathlib import Path

import pytest

from support.toy import CHECKOUT, planned

README = (CHECKOUT / "README.md").read_text(encoding="utf-8")
COMMANDS = [
    line for block in re.findall(r"```bash\n(.*?)```", README, re.S) for line in block.splitlines() if line
]


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clone of the last commit in which the README's commands ran; not ``make test``, which runs this."""
    root = tmp_path_factory.mktemp("clone") / "labagent"
    subprocess.run(["git", "clone", "--quiet", str(CHECKOUT), str(root)], check=True)
    assert "make run" in COMMANDS and "make test" in COMMANDS
    ours = {"VIRTUAL_ENV", "PYTHONPATH", "MAKEFLAGS", "MFLAGS", "MAKELEVEL", "ARGS", "VENV", "PYTEST_ADDOPTS"}
    variables = {k: v for k, v in os.environ.items() if k not in ours}
    for command in COMMANDS:
        if command == "make test":
            continue
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", command],
            cwd=root,
            env=variables,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            timeout=1800,
        )
        assert done.returncode == 0, f"{command}\n{done.stdout[-6000:]}"
    return root


def rows(root: Path, table: str) -> list[dict[str, str]]:
    with (root / f"results/report/{table}.tsv").open(encoding="utf-8") as stream:
        return list(csv.DictReader(stream, delimiter="\t"))


def test_every_bundled_target_was_run_and_lands_within_tolerance(clone: Path) -> None:
    entries = rows(clone, "entries")
    assert len(entries) >= 5
    assert {row["target"]: row["within"] for row in entries} == {row["target"]: "true" for row in entries}
    for row in entries:
        run = clone / f"results/runs/{row['arm']}/{row['target']}/1"
        record = json.loads((run / "run.json").read_text())
        assert record["turns"] >= 4 and list((run / record["try_folder"] / "output").iterdir())


def test_a_lab_was_explored_in_the_same_run_and_reproduces_a_target(clone: Path) -> None:
    explored = [row for row in rows(clone, "skills") if row["origin"] == "offline"]
    assert [row["verdict"] for row in explored] == ["valid"]
    names = {row["skill"] for row in explored}
    assert [row["status"] for row in rows(clone, "entries") if row["skill"] in names] == ["scored"]


def test_a_second_dry_run_says_there_is_nothing_to_do(clone: Path) -> None:
    path = f"{clone / '.venv/bin'}{os.pathsep}{os.environ['PATH']}"
    assert planned(clone, PATH=path) == set()


def test_nothing_of_a_lab_is_tracked(clone: Path) -> None:
    tracked = subprocess.run(
        ["git", "status", "--porcelain"], cwd=clone, capture_output=True, text=True, check=True
    )
    assert tracked.stdout == "", "a run writes to ignored places only"
