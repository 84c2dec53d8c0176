"""SIGKILL of the whole process tree in the middle of an attempt: nothing is lost, nothing is done twice."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from support.toy import environment, kill_tree, planned, snakemake, toy_project, wait_for

SLOW = """\
```python
import os, time
if not os.path.exists("/tmp/labagent-toy-never"):
    time.sleep(4)
print("slept")
```
"""


def commands(trace: Path) -> int:
    """Commands a trace holds."""
    return trace.read_text(encoding="utf-8").count('"event": "command"') if trace.exists() else 0


def test_a_killed_run_is_finished_by_the_next_call(tmp_path: Path) -> None:
    root = toy_project(tmp_path)
    with (root / "skills/toy/references/check-result.md").open("a") as stream:
        stream.write("\n" + SLOW)
    process = subprocess.Popen(
        [sys.executable, "-m", "snakemake", "--cores", "1"],
        cwd=root,
        env=environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    runs = root / "results/runs/offline"
    wait_for(lambda: any(runs.glob("*/1/run.json")))
    first = next(runs.glob("*/1/run.json"))
    other = runs / ("toy-mean" if first.parents[1].name == "toy-median" else "toy-median") / "1"
    wait_for(lambda: commands(other / "try-1/trace.jsonl") >= 3)
    kill_tree(process)
    killed = (other / "try-1/trace.jsonl").read_bytes()
    finished = first.stat().st_mtime_ns

    assert "killed" not in snakemake(root, "-n").stdout, "a dry run clears nothing up"
    again = snakemake(root, "--cores", "2")
    assert f"the last run (process {process.pid}) was killed; its lock is removed" in again.stdout

    assert first.stat().st_mtime_ns == finished, "a finished entry was repeated"
    record = json.loads((other / "run.json").read_text())
    assert (record["tries"], record["try_folder"], record["status"]) == (2, "try-2", "completed")
    assert (other / "try-1/trace.jsonl").read_bytes() == killed
    assert record["turns"] == commands(other / "try-1/trace.jsonl") + commands(other / "try-2/trace.jsonl")
    assert planned(root) == set()
