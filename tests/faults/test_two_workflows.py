"""Two workflows on one folder: the second is refused at once, and the first does not notice."""

from __future__ import annotations

import csv
import subprocess
import sys
from pathlib import Path

from support.toy import environment, planned, snakemake, toy_project, wait_for

SLOW = """
```python
import os, time
while "LABAGENT_OBSERVATIONS" in os.environ and os.path.exists("{flag}"):
    time.sleep(0.1)
```
"""


def test_the_second_of_two_workflows_is_refused(tmp_path: Path) -> None:
    root, flag = toy_project(tmp_path / "project", config="sandbox: {kind: none}\n"), tmp_path / "flag"
    flag.touch()
    with (root / "skills/toy/references/check-result.md").open("a") as stream:
        stream.write(SLOW.format(flag=flag))
    first = subprocess.Popen(
        [sys.executable, "-m", "snakemake", "--cores", "2"],
        cwd=root,
        env=environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        wait_for(lambda: len(list(root.glob("results/runs/offline/*/1/try-1/trace.jsonl"))) == 2)
        second = snakemake(root, "--cores", "2", check=False)
        assert second.returncode != 0
        assert f"process {first.pid} on " in second.stdout and "wait until it is done" in second.stdout
        assert planned(root) >= {"reproduce:toy-mean"}, "a look is allowed"
    finally:
        flag.unlink()
    assert first.wait(timeout=120) == 0
    with (root / "results/report/entries.tsv").open() as stream:
        rows = list(csv.DictReader(stream, delimiter="\t"))
    assert {row["target"]: row["within"] for row in rows} == {"toy-mean": "true", "toy-median": "true"}
    assert all(len(list(run.glob("try-*"))) == 1 for run in root.glob("results/runs/offline/*/1"))
    assert planned(root) == set()
