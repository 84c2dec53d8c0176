"""Drafts are tried: the next example where one does not run, missing modules added."""

from __future__ import annotations

import pytest
import yaml

from labagent.explore.requirements import add_requirement, requirement_for
from labagent.explore.spare import effort
from labagent.explore.trial import Trial
from labagent.models.config import EnvironmentSettings, SandboxSettings
from labagent.models.snapshot import Example

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

LONG = """# tinylab

```python
import time
from tinylab import Line, load_growth
epochs = 500
x, y = load_growth()
for _ in range(epochs):
    time.sleep(10)
line = Line().fit(x, y)
ahead = line.predict([5, 6])
```
"""


@pytest.fixture
def tried(draft, project, tmp_path):
    trial = Trial(EnvironmentSettings(), SandboxSettings(), project, tmp_path / "trial.log")
    return lambda files, **settings: draft(files, trial=trial, **settings)


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


def test_an_example_that_runs_too_long_gives_way_to_a_shorter_one(files, tried):
    files["README.md"], files["docs/guide.md"] = LONG, GOOD
    record, _, _, folder = tried(files, example_seconds=20)
    assert record.status == "drafted", record.reason
    assert record.struck[0].startswith("README.md:4-11: tier 3, run: references/run.md, line ")
    assert record.struck[0].endswith("ran longer than 20 s, which is the most that a run may take")
    assert "seconds: 900" in (folder / "assets/quickstart.yaml").read_text()


def test_no_longer_example_is_tried_after_one_that_ran_too_long(files, tried):
    files["README.md"], files["docs/guide.md"] = LONG, LONG.replace("500", "900").replace("ahead = ", "")
    record = tried(files, example_seconds=3)[0]
    assert record.status == "refused"
    assert "docs/guide.md" not in record.reason
    assert "ran longer than 3 s" in record.reason


def test_nothing_is_tried_after_the_lab_s_time(files, tried):
    files["README.md"], files["docs/guide.md"] = BROKEN, GOOD
    record = tried(files, wall_seconds=0.001)[0]
    assert record.status == "refused"
    assert record.reason == "no example runs. 2 more: not tried: the 0.001 s of the lab are over"


def test_the_shortest_example_has_the_smallest_count_of_repetitions():
    def piece(code):
        return (Example(language="python", code=code, file="a", first_line=1, last_line=1, origin="docs"),)

    codes = ["fit(epochs=10_000)", "n_iter = 20\nfit(x)", 'cfg["n_samples"] = 300', "fit(x, 5000)"]
    assert [effort(piece(code)) for code in codes] == [(10_000, 1), (20, 2), (300, 1), (0, 1)]


def test_a_missing_module_becomes_a_requirement_once(tmp_path):
    (tmp_path / "environment.yaml").write_text("dependencies: [python=3.11, pip]\n")
    assert requirement_for("sklearn.linear_model") == "scikit-learn"
    assert requirement_for("pkg_resources") == "setuptools<81"
    assert add_requirement(tmp_path, "setuptools<81")
    assert not add_requirement(tmp_path, "setuptools<81")
    content = yaml.safe_load((tmp_path / "environment.yaml").read_text())
    assert content["dependencies"] == ["python=3.11", "pip", {"pip": ["setuptools<81"]}]
