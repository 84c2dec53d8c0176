"""The workflow on a real SLURM cluster of one node: the same report as locally, whatever happens to jobs."""

from __future__ import annotations

import csv
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import labagent
from support.slurm import Cluster, wait, why_not
from support.toy import environment, planned, snakemake, toy_project

pytestmark = [pytest.mark.slurm, pytest.mark.skipif(bool(why_not()), reason=f"no cluster here: {why_not()}")]

SLOW = """
```python
import os, time
if "LABAGENT_OBSERVATIONS" in os.environ and os.path.exists("{flag}"):
    time.sleep(40)
```
"""
QUICK = ("--slurm-init-seconds-before-status-checks", "1", "--latency-wait", "5")


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with Cluster(tmp_path_factory.mktemp("cluster") / "slurm") as running:
        yield running


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The toy project, all but attempted. While ``flag`` is there, an attempt takes forty seconds."""
    root = toy_project(tmp_path_factory.mktemp("toy") / "project", config="sandbox: {kind: none}\n")
    with (root / "skills/toy/references/compute.md").open("a") as stream:
        stream.write(SLOW.format(flag=root / "flag"))
    package = root / "package/labagent"
    shutil.copytree(Path(labagent.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__"))
    snakemake(root, "--cores", "2", "--until", "environment", PYTHONPATH=str(root / "package"))
    return root


@pytest.fixture
def root(prepared: Path, tmp_path: Path) -> Path:
    """A copy of it, with slow attempts."""
    root = tmp_path / "project"
    shutil.copytree(prepared, root, symlinks=True)
    shutil.rmtree(root / ".labagent/environments")
    (root / ".labagent/environments").symlink_to(prepared / ".labagent/environments")
    (prepared / "flag").touch()
    return root


def start(root: Path, cluster: Cluster, *options: str) -> subprocess.Popen[bytes]:
    """Start the workflow on the cluster."""
    command = [sys.executable, "-m", "snakemake", "--profile", "profiles/slurm", *QUICK, *options]
    variables = environment(PYTHONPATH=str(root / "package"), SLURM_CONF=str(cluster.conf))
    with (root / "log").open("a") as log:
        return subprocess.Popen(
            command,
            cwd=root,
            env=variables,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )


def ends(run: subprocess.Popen[bytes], root: Path) -> None:
    """It ends by itself, with the report of a run on one machine."""
    assert run.wait(timeout=240) == 0, (root / "log").read_text()[-4000:]
    with (root / "results/report/entries.tsv").open() as stream:
        verdicts = {row["target"]: row["within"] for row in csv.DictReader(stream, delimiter="\t")}
    assert verdicts == {"toy-mean": "true", "toy-median": "true"}
    assert planned(root, PYTHONPATH=str(root / "package")) == set()


def attempts(cluster: Cluster, state: str = "RUNNING") -> list[str]:
    """Numbers of the jobs that attempt something, in this state."""
    return [number for number, now, what in cluster.jobs() if now == state and "reproduce" in what]


def test_jobs_cancelled_and_a_node_drained(root: Path, prepared: Path, cluster: Cluster) -> None:
    run = start(root, cluster)
    wait(lambda: len(attempts(cluster)) == 2, "two attempts", 120)
    wait(lambda: len(list(root.glob("results/runs/offline/*/1/try-1/trace.jsonl"))) == 2, "their traces", 60)
    cluster.run("scontrol", "update", f"nodename={cluster.host}", "state=drain", "reason=test")
    cluster.run("scancel", attempts(cluster)[0])
    (prepared / "flag").unlink()
    wait(lambda: bool(attempts(cluster, "PENDING")), "the cancelled one to be asked for again", 120)
    cluster.run("scontrol", "update", f"nodename={cluster.host}", "state=resume")
    ends(run, root)
    tries = sorted(len(list(p.glob("try-*"))) for p in root.glob("results/runs/offline/*/1"))
    assert tries == [1, 2], "the cancelled attempt, and no other, was begun anew"


def test_a_killed_workflow_is_taken_up_by_one_more_call(root: Path, prepared: Path, cluster: Cluster) -> None:
    run = start(root, cluster)
    wait(lambda: len(attempts(cluster)) == 2, "two attempts", 120)
    os.killpg(run.pid, signal.SIGKILL)
    run.wait()
    (prepared / "flag").unlink()
    left = set(attempts(cluster))
    ends(start(root, cluster), root)
    said = re.search(
        r"2 of its jobs were still on the cluster and are cancelled: (.*)", (root / "log").read_text()
    )
    assert said and set(said[1].split(", ")) == left


def test_jobs_over_their_memory_leave_no_result_and_the_next_call_makes_it(
    root: Path, prepared: Path, cluster: Cluster
) -> None:
    run = start(root, cluster, "--retries", "0", "--set-resources", "reproduce:mem_mb=20")
    assert run.wait(timeout=240) != 0
    assert not list(root.glob("results/runs/offline/*/1/run.json")), "a job that was killed leaves no result"
    (prepared / "flag").unlink()
    ends(start(root, cluster), root)
