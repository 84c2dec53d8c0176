"""A small real lab and a good skill of it, written by the test."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from labagent.models.snapshot import Snapshot
from labagent.snapshot import snapshot

PACKAGE = '''"""Weighted means."""
from pathlib import Path


class Mean:
    """A weighted mean."""

    def __init__(self, power=1.0, *, floor=0.0):
        self.power = power
        self.floor = floor

    def fit(self, values, weights=None):
        """Compute it."""
        weights = weights or [1.0] * len(values)
        kept = [(v, w) for v, w in zip(values, weights) if v >= self.floor]
        self.mean = sum(v**self.power * w for v, w in kept) / sum(w for _, w in kept)
        return self


def load(name):
    """Read a column of numbers."""
    return [float(line) for line in Path(name).read_text().split()]
'''
README = """# tinylab

The mean leaves out values below `floor`.

```python
from tinylab import Mean, load
values = load("data/values.txt")
model = Mean(floor=0.5)
model.fit(values)
print(sum(values))
```
"""
ROOT = """---
name: tiny-mean
description: Weighted means with tinylab. Use for a mean above a floor.
metadata:
  lab: tinylab
---

# Weighted means

Values below the floor are left out [E1]. Not for weights that are negative.

| step | what it does |
|---|---|
| [environment](references/environment.md) | versions |
| [data](references/data.md) | counts |
| [run](references/run.md) | the mean |
| [report](references/report.md) | the answer |
"""
HEAD = """import json, os, sys
sys.path.insert(0, os.path.join(os.environ["LABAGENT_SKILL"], "assets", "source"))
"""
LOCI = {
    "environment": "# Environment\n\n```python\nimport sys\nprint(sys.version)\n```\n",
    "data": "# Data\n\n```python\n"
    + HEAD
    + 'from tinylab import load\nvalues = load(os.path.join(os.environ["LABAGENT_DATA"], "values.txt"))\n'
    + 'print("values:", len(values))\n```\n',
    "run": "# Run\n\nThe class is `Mean` [E2].\n\n```python\n"
    + HEAD
    + "from tinylab import Mean, load\n"
    + 'values = load(os.path.join(os.environ["LABAGENT_DATA"], "values.txt"))\n'
    + 'floor = json.load(open(os.environ["LABAGENT_PROTOCOL"])).get("floor", 0.0)\n'
    + "model = Mean(floor=floor)\nmodel.fit(values)\n"
    + 'json.dump({"mean": model.mean}, open("mean.json", "w"))\n'
    + 'print("mean:", model.mean)\n```\n',
    "report": "# Report\n\n```bash\ncp mean.json answer.json\ncat answer.json\n```\n\n"
    "The mean is in the unit of the values.\n\n- [ ] the count printed is that of the file\n"
    "- [ ] the floor is the protocol's\n",
}
EVIDENCE = [
    ("E1", "a floor leaves values out", "README.md", [3, 3], ["floor"]),
    ("E2", "the class is Mean", "tinylab/__init__.py", [5, 8], ["Mean", "floor"]),
]
QUICKSTART = """data: [data/values.txt]
protocol: {floor: 0.5}
outputs:
  - file: answer.json
    keys: [mean]
seconds: 60
"""


def evidence_line(name: str, statement: str, path: str, lines: list[int], terms: list[str]) -> str:
    source = {"kind": "repository", "path": path, "lines": lines}
    return json.dumps({"id": name, "statement": statement, "source": source, "terms": terms})


@pytest.fixture(scope="session")
def artifacts(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("artifacts") / "tiny-mean"
    files = {"tinylab/__init__.py": PACKAGE, "README.md": README, "data/values.txt": "0.1\n1\n2\n3\n"}
    for name, text in files.items():
        path = folder / "repository" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (folder / "papers").mkdir()
    (folder / "papers" / "paper.txt").write_text("first page\fthe floor is half\f")
    (folder / "issues").mkdir()
    cell = {"cell": 1, "kind": "code", "source": "Mean(floor=0.5)", "outputs": ""}
    (folder / "tutorials").mkdir()
    (folder / "tutorials" / "use.json").write_text(json.dumps([cell]))
    code = {"cell_type": "code", "source": "Mean(floor=0.5)", "outputs": [], "metadata": {}}
    notebook = {"cells": [code], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    (folder / "repository" / "use.ipynb").write_text(json.dumps(notebook))
    thread = {"number": 7, "title": "floor", "body": "why", "comments": [{"body": "because of noise"}]}
    (folder / "issues" / "threads.json").write_text(json.dumps([thread]))
    return folder


@pytest.fixture(scope="session")
def api(artifacts) -> Snapshot:
    return snapshot(artifacts / "repository", "tiny-mean")


@pytest.fixture
def skill(tmp_path, artifacts) -> Path:
    folder = tmp_path / "tiny-mean"
    (folder / "references").mkdir(parents=True)
    (folder / "assets").mkdir()
    (folder / "SKILL.md").write_text(ROOT)
    for name, text in LOCI.items():
        (folder / "references" / f"{name}.md").write_text(text)
    (folder / "environment.yaml").write_text("dependencies:\n  - python=3.11\n  - pip\n")
    (folder / "evidence.jsonl").write_text("".join(evidence_line(*row) + "\n" for row in EVIDENCE))
    (folder / "assets" / "quickstart.yaml").write_text(QUICKSTART)
    shutil.copytree(artifacts / "repository" / "tinylab", folder / "assets" / "source" / "tinylab")
    return folder


@pytest.fixture(scope="session")
def project(tmp_path_factory) -> Path:
    """Where environments are built, once a session."""
    return tmp_path_factory.mktemp("project")


@pytest.fixture
def check(artifacts, api, project, tmp_path):
    """Validate a skill of the small lab up to a tier."""
    from labagent.skills.validate import validate_skill

    def run(folder: Path, tier: int = 3):
        log = tmp_path / "log" / "validate.log"
        return validate_skill(
            folder, origin="curated", snapshot=api, artifacts=artifacts, root=project, log=log, tier=tier
        )

    return run
