"""A toy lab on disk: data, a skill with two steps, a task, an environment, a wheel not yet installed."""

import subprocess
import sys
import zipfile
from dataclasses import replace
from pathlib import Path
from textwrap import dedent

import pytest

from labagent.models.config import Budget, SandboxSettings
from labagent.models.run import EnvironmentRecord, SelectionRecord
from labagent.models.sources import DataManifest, StagedFile
from labagent.models.tables import Quantity
from labagent.reproduce import Attempt, MemoryChoice
from support.project import write

ROOT_TEXT = """\
---
name: toy-mean
description: Means of small tables.
---
# Means

When a table's mean is asked for.

| step | locus |
|---|---|
| 1 | [load](references/load.md) |
| 2 | [answer](references/answer.md) |
"""
LOAD = """\
# Load

```python
import os
from pathlib import Path
rows = (Path(os.environ["LABAGENT_DATA"]) / "values.csv").read_text().split()[1:]
Path("rows.txt").write_text("\\n".join(rows))
print(len(rows), "rows")
```
"""
ANSWER = """\
# Answer

```python
import json
from pathlib import Path
from toymean import mean
rows = [float(row) for row in Path("rows.txt").read_text().split()]
Path("answer.json").write_text(json.dumps({"mean": mean(rows)}))
```

```bash
cat answer.json
```
"""


@pytest.fixture(scope="session")
def base(tmp_path_factory):
    """A virtual environment with pip, as the environment stage leaves one."""
    prefix = tmp_path_factory.mktemp("base") / "env"
    subprocess.run([sys.executable, "-m", "venv", str(prefix)], check=True)
    version = ".".join(map(str, sys.version_info[:3]))
    return EnvironmentRecord(
        status="ready", builder="venv", prefix=str(prefix), python=version, lock_sha256="lock"
    )


@pytest.fixture
def wheels(base, monkeypatch):
    """The wheel of ``toymean`` where commands can see it, and pip told to look there and nowhere else."""
    folder = Path(base.prefix) / "wheels"
    folder.mkdir(exist_ok=True)
    info = "toymean-1.0.dist-info"
    with zipfile.ZipFile(folder / "toymean-1.0-py3-none-any.whl", "w") as wheel:
        wheel.writestr("toymean.py", "def mean(values):\n    return sum(values) / len(values)\n")
        wheel.writestr(f"{info}/METADATA", "Metadata-Version: 2.1\nName: toymean\nVersion: 1.0\n")
        wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{info}/RECORD", "")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    return folder


@pytest.fixture
def make(tmp_path, base, wheels):
    """Makes an attempt; keyword arguments replace its fields."""

    def make(*, load=LOAD, answer=ANSWER, **fields) -> Attempt:
        write(tmp_path, "skill/toy-mean/SKILL.md", ROOT_TEXT)
        write(tmp_path, "skill/toy-mean/references/load.md", load)
        write(tmp_path, "skill/toy-mean/references/answer.md", answer)
        data = write(tmp_path, "data/values.csv", "value\n1\n4\n")
        attempt = Attempt(
            arm="offline",
            target="toy",
            number=1,
            folder=tmp_path / "results/runs/offline/toy/1",
            selection=SelectionRecord(
                arm="offline",
                target="toy",
                skill="toy-mean",
                origin="curated",
                status="selected",
                reason="named",
            ),
            environment=base,
            data=DataManifest(
                target="toy",
                status="staged",
                files=(StagedFile(path="values.csv", sha256="0" * 64, size=data.stat().st_size),),
                content_sha256="data",
            ),
            data_folder=tmp_path / "data",
            task=write(tmp_path, "task.md", "Write answer.json with the mean of values.csv.\n"),
            answer=(Quantity.parse("mean=answer.json:mean"),),
            budget=Budget(turns=20, wall_seconds=120, command_seconds=60, mem_mb=2000),
            memory=MemoryChoice(
                "live", tmp_path / "memory/offline.jsonl", write(tmp_path, "memory/lessons.jsonl", "")
            ),
            sandbox=SandboxSettings(),
            skill=tmp_path / "skill/toy-mean",
        )
        return replace(attempt, **fields)

    return make


def block(command: str) -> str:
    """A model's reply with one command."""
    return f"I go on.\n\n```bash\n{dedent(command).strip()}\n```"


def tree(path: Path) -> list[str]:
    """Names of all files below a folder."""
    return sorted(p.relative_to(path).as_posix() for p in path.rglob("*") if p.is_file())
