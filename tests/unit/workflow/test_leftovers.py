"""What a killed workflow leaves, seen and cleared by the next one."""

import os
import socket
import subprocess
import sys

import pytest

from labagent.errors import LabagentError
from labagent.files import read_json, write_json
from labagent.workflow import leftovers


@pytest.fixture
def locked(tmp_path):
    """A workflow's folder with Snakemake's locks."""
    locks = tmp_path / leftovers.LOCKS
    locks.mkdir(parents=True)
    for name in ("0.input.lock", "0.output.lock"):
        (locks / name).write_text("results/x\n")
    return tmp_path


def begun_by_a_dead_process(root):
    code = (
        "import pathlib, sys; from labagent.workflow.leftovers import begin; begin(pathlib.Path(sys.argv[1]))"
    )
    subprocess.run([sys.executable, "-c", code, str(root)], check=True)


def locks(root):
    return len(list((root / leftovers.LOCKS).iterdir()))


def test_the_lock_of_a_killed_workflow_is_removed(locked):
    begun_by_a_dead_process(locked)
    pid = read_json(locked / leftovers.STATE)["pid"]
    assert leftovers.running(locked) == ""
    assert leftovers.clear(locked) == [f"the last run (process {pid}) was killed; its lock is removed"]
    assert locks(locked) == 0
    assert leftovers.clear(locked) == []


def test_a_workflow_that_runs_keeps_its_lock(locked):
    leftovers.begin(locked)
    assert leftovers.running(locked) == f"process {os.getpid()} on {socket.gethostname()}"
    with pytest.raises(LabagentError, match=f"process {os.getpid()} on .* runs this workflow; wait"):
        leftovers.clear(locked)
    assert locks(locked) == 2
    assert leftovers.clear(locked, unlock=True) == [] and leftovers.running(locked) == ""


def test_a_workflow_of_another_machine_runs_until_its_user_says_no(locked):
    write_json(locked / leftovers.STATE, {"host": "elsewhere", "pid": 1, "began": "x"})
    with pytest.raises(LabagentError, match=r"process 1 on elsewhere .*snakemake --unlock"):
        leftovers.clear(locked)
    assert leftovers.clear(locked, unlock=True) == []
    assert leftovers.clear(locked) == [], "then Snakemake's own lock counts"


def test_a_number_that_is_another_process_now_is_no_life(locked):
    write_json(
        locked / leftovers.STATE, {"host": socket.gethostname(), "pid": os.getpid(), "began": "then 1"}
    )
    assert leftovers.clear(locked) and locks(locked) == 0


@pytest.mark.parametrize("state", [{"pid": 1}, ["?"]])
def test_what_cannot_be_told_is_left_alone(locked, state):
    write_json(locked / leftovers.STATE, state)
    assert leftovers.clear(locked) == [] and locks(locked) == 2


def test_a_broken_state_is_left_alone(locked):
    (locked / ".labagent").mkdir()
    (locked / leftovers.STATE).write_text("{")
    assert leftovers.clear(locked) == [] and locks(locked) == 2


@pytest.mark.parametrize(
    ("words", "looks"),
    [
        (["-n"], True),
        (["-pn", "--cores", "1"], True),
        (["--dry-run"], True),
        (["--cores", "1"], False),
        (["--notemp"], False),
        (["results/n"], False),
    ],
)
def test_dry_runs(words, looks):
    assert leftovers.only_looks(["snakemake", *words]) is looks
