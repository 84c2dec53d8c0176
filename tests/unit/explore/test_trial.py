"""Drafts are tried: the next example where one does not run, missing modules added."""

from __future__ import annotations

import pytest
import yaml

from labagent.explore.requirements import add_requirement, requirement_for
from labagent.explore.trial import Trial
from labagent.models.config import EnvironmentSettings, SandboxSettings

BROKEN = """# tinylab

```python
from tinylab import Line, load_growth
x, y = load_growth()
line = Line()
line.fit(x, y)
ahead = line.predict([5, 6])
worse = line.predict("text")
```
"""
GOOD = """# Guide

```python
from tinylab import Line, load_growth
x, y = load_growth()
line = Line().fit(x, y)
```
"""


@pytest.fixture
def tried(draft, project, tmp_path):
    trial = Trial(EnvironmentSettings(), SandboxSettings(), project, tmp_path / "trial.log")
    return lambda files: draft(files, trial=trial)


def test_the_next_example_is_taken_where_the_best_does_not_run(files, tried):
    files["README.md"], files["docs/guide.md"] = BROKEN, GOOD
    record, _, _, folder = tried(files)
    assert record.status == "drafted", record.reason
    assert len(record.struck) == 1
    assert record.struck[0].startswith("README.md:4-9: tier 3, run: references/run.md, line ")
    assert "docs/guide.md" in (folder / "SKILL.md").read_text()


def test_where_none_runs_the_reasons_are_said(files, tried):
    files["README.md"] = BROKEN
    record = tried(files)[0]
    assert record.status == "refused"
    assert "no example runs. README.md:4-9: tier 3, run" in record.reason


def test_a_missing_module_becomes_a_requirement_once(tmp_path):
    (tmp_path / "environment.yaml").write_text("dependencies: [python=3.11, pip]\n")
    assert requirement_for("sklearn.linear_model") == "scikit-learn"
    assert requirement_for("pkg_resources") == "setuptools<81"
    assert add_requirement(tmp_path, "setuptools<81")
    assert not add_requirement(tmp_path, "setuptools<81")
    content = yaml.safe_load((tmp_path / "environment.yaml").read_text())
    assert content["dependencies"] == ["python=3.11", "pip", {"pip": ["setuptools<81"]}]
