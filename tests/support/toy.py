"""A whole project with a toy lab that needs no download: real rules, real environment, real sandbox.

The lab is a small Python package with data, used from the staged data folder. Its curated skill computes a
mean and a median in four loci.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

from support.project import LABS, REFERENCES, TARGETS, write

CHECKOUT = Path(__file__).parents[2]
WORKFLOW = ("Snakefile", "workflow/rules", "workflow/scripts", "workflow/report", "profiles")
VALUES = "value\n1\n2\n3\n10\n17\n"

SKILL = """\
---
name: toy
description: Mean and median of a column of numbers with the toystats package. Use for tests.
license: MIT
metadata:
  version: "1.0"
---

# Mean and median

Use it for a column of numbers in a CSV file. Not for columns with gaps.

## Inputs

`$LABAGENT_DATA` holds the table and the package; `$LABAGENT_PROTOCOL` names the column.

## Loci

| step | locus | leaves |
|---|---|---|
| 1 | [check-data](references/check-data.md) | `values.json` |
| 2 | [compute](references/compute.md) | `numbers.json` |
| 3 | [check-result](references/check-result.md) | |
| 4 | [report-answer](references/report-answer.md) | `answer.json` |
"""
LOCI = {
    "check-data": """\
# Check the data

The table has one column of numbers.

```python
import csv, json, os
protocol = json.load(open(os.environ["LABAGENT_PROTOCOL"]))
with open(os.path.join(os.environ["LABAGENT_DATA"], "values.csv")) as stream:
    values = [float(row[protocol["column"]]) for row in csv.DictReader(stream)]
print("values:", len(values))
json.dump(values, open("values.json", "w"))
```
""",
    "compute": """\
# Compute

`mean` divides by the number of values [E1].

```python
import json, os, sys
sys.path.insert(0, os.environ["LABAGENT_DATA"])
import toystats
values = json.load(open("values.json"))
numbers = {"mean": toystats.mean(values), "median": toystats.median(values)}
print(numbers)
json.dump(numbers, open("numbers.json", "w"))
```
""",
    "check-result": """\
# Check the result

The mean lies between the extremes.

```python
import json
values, numbers = json.load(open("values.json")), json.load(open("numbers.json"))
print("range:", min(values), max(values))
assert min(values) <= numbers["mean"] <= max(values)
```
""",
    "report-answer": """\
# Report

```bash
cp numbers.json answer.json
cat answer.json
```
""",
}
PACKAGE = '''\
"""Mean and median."""


def mean(values):
    """The arithmetic mean."""
    return sum(values) / len(values)


def median(values):
    """The middle value."""
    ordered = sorted(values)
    return ordered[len(ordered) // 2]
'''


def toy_project(root: Path, *, config: str = "") -> Path:
    """A project below ``root`` with one lab, one curated skill and the targets toy-mean and toy-median."""
    for name in WORKFLOW:
        source = CHECKOUT / name
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, root / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy2(source, root / name)
    write(root, "config/config.yaml", config or "attempts: 1\n")
    write(root, "config/labs.tsv", LABS + "toy\tcurated\tlab\t\t\t\t\texpected/**\n")
    data = "lab:toy/toystats.py;values.csv"
    row = f"toy-{{q}}\tmetric\ttoy\ttask-{{q}}.md\t{data}\t{{q}}=answer.json:{{q}}\tprotocol.yaml\t\n"
    write(root, "config/targets.tsv", TARGETS + row.format(q="mean") + row.format(q="median"))
    references = "toy-{q}\t{q}\t{q}\tmatch\t{v}\t\t\t\t0.01\tabs\ta book, page 1\t\n"
    write(
        root,
        "config/references.tsv",
        REFERENCES + references.format(q="mean", v="6.60") + references.format(q="median", v="3.00"),
    )
    for quantity in ("mean", "median"):
        write(root, f"config/task-{quantity}.md", f"Write answer.json with the {quantity} of the column.\n")
    write(root, "config/protocol.yaml", "column: value\n")
    write(root, "config/values.csv", VALUES)
    write(root, "benchmarks/metric/family.yaml", "scorer: metric\ntitle: Any value with a tolerance\n")
    write(root, "lab/README.md", "# toystats\n\nMean and median of lists.\n")
    write(root, "lab/toystats.py", PACKAGE)
    write(root, "lab/data/values.csv", "value\n4\n8\n9\n")
    write(root, "lab/expected/result.txt", "6.60 3.00\n")
    write_skill(root / "skills/toy")
    (root / "memory").mkdir(exist_ok=True)
    return root


def write_skill(folder: Path) -> Path:
    """The toy lab's curated skill."""
    write(folder, "SKILL.md", SKILL)
    for name, text in LOCI.items():
        write(folder, f"references/{name}.md", text)
    write(folder, "environment.yaml", "name: toy\nchannels: [conda-forge]\ndependencies:\n  - python=3.11\n")
    write(
        folder,
        "evidence.jsonl",
        '{"id": "E1", "statement": "The mean divides by the number of values.", "source": '
        '{"kind": "repository", "path": "toystats.py", "lines": [4, 6]}, "terms": ["sum", "len"]}\n',
    )
    write(
        folder,
        "assets/quickstart.yaml",
        "data: [toystats.py, data/values.csv]\nprotocol: {column: value}\n"
        "outputs:\n  - file: answer.json\n    keys: [mean, median]\n",
    )
    return folder


def environment(**more: str) -> dict[str, str]:
    """Variables for a subprocess that runs the workflow."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("LABAGENT_", "SNAKEMAKE"))}
    return {**clean, "PATH": path, **more}


def snakemake(
    root: Path, *arguments: str, check: bool = True, **variables: str
) -> subprocess.CompletedProcess[str]:
    """One Snakemake call in a project; standard output and error together."""
    done = subprocess.run(
        [sys.executable, "-m", "snakemake", *arguments],
        cwd=root,
        env=environment(**variables),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        timeout=1500,
    )
    assert not check or done.returncode == 0, done.stdout
    return done


def planned(root: Path, *arguments: str, **variables: str) -> set[str]:
    """Rules (with target or skill) that a dry run would run, as ``rule:wildcard``."""
    text = snakemake(root, "-n", *arguments, **variables).stdout
    jobs: set[str] = set()
    rule = ""
    for line in text.splitlines():
        words = line.split()
        if len(words) >= 2 and words[0] in {"rule", "localrule"} and words[1].endswith(":"):
            rule = words[1].rstrip(":")
            jobs.add(rule)
        elif words[:1] == ["wildcards:"]:
            values = dict(item.rstrip(",").split("=", 1) for item in words[1:])
            jobs.discard(rule)
            jobs.add(f"{rule}:{values.get('target') or values.get('skill')}")
    return jobs - {"all"}


def kill_tree(process: subprocess.Popen[str]) -> None:
    """SIGKILL to a process and all its descendants, at once."""
    import psutil

    tree = [*psutil.Process(process.pid).children(recursive=True), psutil.Process(process.pid)]
    for member in tree:
        try:
            member.send_signal(signal.SIGKILL)
        except psutil.NoSuchProcess:
            continue
    process.wait()


def wait_for(condition: object, seconds: float = 120.0) -> None:
    """Wait until a callable says true."""
    assert callable(condition)
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.05)
