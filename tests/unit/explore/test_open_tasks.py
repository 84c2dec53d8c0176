"""Open tasks: no method named; analysis skills with loci in common come out of task texts and a corpus."""

from __future__ import annotations

import json

import pytest

from labagent.errors import InputError
from labagent.explore.open_tasks import OpenTask, explore_open
from labagent.models.config import PERSPECTIVES, Explorer, ModelSettings, Price
from labagent.models.exploration import ExplorationRecord
from labagent.skills.validate import validate_skill
from support.model_server import ModelServer, Say

BRIEF = {
    "method": "summaries of a column",
    "purpose": "answers questions on one column",
    "criteria": [{"id": "C1", "text": "which summary resists outliers"}],
    "capabilities": [{"id": "K1", "does": "centre"}, {"id": "K2", "does": "spread"}],
    "targets": {"centre": ["K1"], "spread": ["K2"]},
    "questions": {name: f"which summary, for a {name}" for name in PERSPECTIVES},
    "analyses": [
        {"name": "centre-of-column", "targets": ["centre"], "does": "centre"},
        {"name": "spread-of-column", "targets": ["spread"], "does": "spread"},
    ],
    "shared": ["data", "report"],
    "queries": ["median outliers"],
}
ROOT = """---
name: {name}
description: {what} of a column of numbers. Use for one column.
---

# {what}

The median resists outliers [E1]. It is not for several columns.

| step | what it does |
|---|---|
| [data](references/data.md) | counts |
| [choice](references/choice.md) | which summary |
| [run](references/run.md) | the number |
| [report](references/report.md) | the answer |
"""
DATA = """# Data

```python
import json, os
rows = open(os.path.join(os.environ["LABAGENT_DATA"], "values.csv")).read().split()[1:]
print("rows:", len(rows))
json.dump([float(row) for row in rows], open("values.json", "w"))
```
"""
RUN = """# Run

```python
import json, statistics
values = json.load(open("values.json"))
found = statistics.{call}
print("{key}:", found)
json.dump({{"{key}": found}}, open("found.json", "w"))
```
"""
REPORT = """# Report

The key is of all rows, in the column's unit. {extra}

- [ ] rows counted
- [ ] number printed

```bash
cp found.json answer.json
cat answer.json
```
"""


def skill(name, what, key, call, extra=""):
    files = {
        "SKILL.md": ROOT.format(name=name, what=what),
        "references/data.md": DATA,
        "references/choice.md": "# Choice\n\nChosen since it resists outliers [E1].\n\n"
        "```bash\nwc -l values.json\n```\n",
        "references/run.md": RUN.format(call=call, key=key),
        "references/report.md": REPORT.format(extra=extra),
        "environment.yaml": "dependencies:\n  - python=3.11\n",
        "assets/quickstart.yaml": f"data: [data/{key}/values.csv]\n"
        f"outputs:\n  - file: answer.json\n    keys: [{key}]\n",
    }
    return "\n".join(f"=== FILE: {path} ===\n{text}" for path, text in files.items()) + "\n=== END ===\n"


def answer(body):
    text = body["messages"][-1]["content"]
    if text.startswith("Write the research brief"):
        return json.dumps(BRIEF)
    if text.startswith("You are a scout"):
        found = {"statement": "the median resists outliers", "hit": "H1", "terms": ["median"]}
        return json.dumps({"findings": [found]})
    if text.startswith("Round "):
        return json.dumps({"met": {"C1": ["E1"]}})
    if text.startswith("List what"):
        return json.dumps({"prescriptions": []})
    if text.startswith("Read your files"):
        return json.dumps({"faults": []})
    if '"centre-of-column"' in body["messages"][1]["content"][:80]:
        return skill("centre-of-column", "Centre", "centre", "median(values)")
    return skill("spread-of-column", "Spread", "spread", "pstdev(values)", "Said only here.")


@pytest.fixture
def explore(tmp_path, monkeypatch):
    monkeypatch.setenv("TEST_KEY", "key-for-tests")
    (tmp_path / "values").mkdir()
    (tmp_path / "values/values.csv").write_text("value\n4\n8\n9\n")
    (tmp_path / "corpus").mkdir()
    (tmp_path / "corpus/book.txt").write_text("Page one.\n\fThe median resists outliers; means do not.\n")
    tasks = {
        "centre": OpenTask("Which value is typical of the column?\n", tmp_path / "values"),
        "spread": OpenTask("How far do the values lie apart?\n", tmp_path / "values"),
    }

    def run(name="open-column"):
        with ModelServer([], forever=Say(answer)) as server:
            model = ModelSettings(
                model="openai/scripted",
                api_base=server.url,
                api_key_env="TEST_KEY",
                price=Price(input=1, output=1),
            )
            record = explore_open(
                name,
                tasks,
                explorer="test",
                settings=Explorer(),
                model=model,
                destination=tmp_path / "out",
                corpus=[tmp_path / "corpus"],
            )
        return record, ExplorationRecord.read(tmp_path / "out/exploration.json"), server.requests

    return run


def test_each_analysis_becomes_a_skill_and_they_share_loci(explore, tmp_path):
    record, exploration, requests = explore()
    assert record.status == "drafted", record.reason
    assert exploration.analyses == {"centre-of-column": "", "spread-of-column": ""}
    assert exploration.found[0].source.kind == "paper" and exploration.found[0].source.page == 2
    first, second = (tmp_path / "out/skill" / name / "references" for name in exploration.analyses)
    for name in ("data.md", "report.md"):
        assert (first / name).read_bytes() == (second / name).read_bytes()
    assert "Said only here" not in (second / "report.md").read_text()
    assert (first / "run.md").read_text() != (second / "run.md").read_text()
    assert set(exploration.shared) == {"references/data.md", "references/report.md"}
    # Each scout has the question in the words of its perspective.
    asked = [r["messages"][-1]["content"] for r in requests]
    scouts = [text for text in asked if text.startswith("You are a scout")]
    assert sorted(q for q in BRIEF["questions"].values() if any(q in text for text in scouts)) == sorted(
        BRIEF["questions"].values()
    )
    for name in exploration.analyses:
        verdict = validate_skill(
            tmp_path / "out/skill" / name,
            origin="test",
            snapshot=None,
            artifacts=tmp_path / "out/sources",
            root=tmp_path,
            log=tmp_path / "v.log",
        )
        assert verdict.status == "valid", verdict.reason


def test_a_task_in_no_analysis_is_sent_back(explore, monkeypatch):
    monkeypatch.setitem(BRIEF, "analyses", BRIEF["analyses"][:1])
    record, _, requests = explore()
    assert record.status == "refused"
    assert "each task must be in exactly one" in json.dumps(requests[1])


def test_a_name_that_leads_elsewhere_is_refused(explore, tmp_path):
    with pytest.raises(InputError, match="must be lowercase letters"):
        explore("../elsewhere")
    assert not (tmp_path / "out").exists()
