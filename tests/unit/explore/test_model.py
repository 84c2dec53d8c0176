"""The drafter with a model, over real HTTP against a scripted server."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import pytest

from labagent.llm import LitellmModel
from labagent.models.config import ModelSettings, Price
from labagent.trace import TraceWriter

SUPPORT = Path(__file__).parents[2] / "support" / "model_server.py"
ROOT = """---
name: tinylab
description: Straight lines with tinylab. Use for a slope.
---

# Lines

A line is fitted by `Line` [E1].

| step | what it does |
|---|---|
| [data](references/data.md) | counts |
| [method](references/method.md) | settings |
| [run](references/run.md) | the line |
| [report](references/report.md) | the answer |
"""
READ = """import json, os
with open(os.path.join(os.environ["LABAGENT_DATA"], "growth.csv")) as stream:
    rows = [line.split(",") for line in stream.read().split()[1:]]
"""
FIT = """import sys
sys.path.insert(0, os.path.join(os.environ["LABAGENT_SKILL"], "assets", "source"))
from tinylab import Line
line = Line(intercept=True)
line.fit([float(a) for a, _ in rows], [float(b) for _, b in rows])
json.dump({"slope": line.slope_}, open("line.json", "w"))
print("slope:", line.slope_)
"""
FILES = {
    "SKILL.md": ROOT,
    "references/data.md": f"# Data\n\n```python\n{READ}print('rows:', len(rows))\n```\n",
    "references/method.md": "# Method\n\n`Line` has an intercept [E2].\n\n```bash\necho method\n```\n",
    "references/run.md": f"# Run\n\n```python\n{READ}{FIT}```\n",
    "references/report.md": "# Report\n\n```bash\ncp line.json answer.json\ncat answer.json\n```\n",
    "environment.yaml": "dependencies:\n  - python=3.11\n  - pip\n",
    "assets/quickstart.yaml": "data: [tinylab/sets/growth.csv]\n"
    "outputs:\n  - file: answer.json\n    keys: [slope]\n",
    "evidence.jsonl": json.dumps({
        "id": "E1", "statement": "a line", "terms": ["Line"],
        "source": {"kind": "repository", "path": "tinylab/line.py", "lines": [5, 6]},
    }) + "\n" + json.dumps({
        "id": "E2", "statement": "it has an intercept", "terms": ["intercept"],
        "source": {"kind": "repository", "path": "tinylab/line.py", "lines": [8, 9]},
    }) + "\n",
}  # fmt: skip


def reply(**changes):
    files = {**FILES, **{k.replace("__", "/"): v for k, v in changes.items()}}
    return "\n".join(f"=== FILE: {path} ===\n{text}" for path, text in files.items()) + "\n=== END ===\n"


def with_run(old, new):
    assert old in FILES["references/run.md"]
    return reply(**{"references/run.md": FILES["references/run.md"].replace(old, new)})


@pytest.fixture
def server():
    spec = importlib.util.spec_from_file_location("model_server", SUPPORT)
    module = importlib.util.module_from_spec(spec)
    import sys

    sys.modules["model_server"] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def ask(server, draft, files, tmp_path, monkeypatch):
    """Explore with a scripted model; the draft, the requests, and the trace."""
    monkeypatch.setenv("TEST_KEY", "key-for-tests")

    def run(*replies, repairs=2):
        with server.ModelServer([server.Say(text) for text in replies]) as scripted:
            settings = ModelSettings(
                model="openai/scripted",
                api_base=scripted.url,
                api_key_env="TEST_KEY",
                price=Price(input=1, output=2),
            )
            with TraceWriter(tmp_path / "out" / "trace.jsonl") as trace:
                found = draft(files, LitellmModel(settings, trace), repairs)
            assert scripted.over == 0
            return found, scripted.requests, (tmp_path / "out" / "trace.jsonl").read_text()

    return run


def asked(request):
    return request["messages"][-1]["content"]


def test_a_draft_that_holds_passes_all_tiers(ask, check):
    found, requests, trace = ask(reply())
    assert found[0].status == "drafted", found[0].reason
    assert found[0].struck == ()
    assert found[0].cost_usd == pytest.approx((100 * 1 + 20 * 2) / 1e6)
    assert len(requests) == 1
    assert '"usage"' in trace
    verdict = check(found)
    assert verdict.status == "valid", verdict.reason


def test_the_lab_is_quoted_as_material(ask):
    _, requests, _ = ask(reply())
    system, prompt = (message["content"] for message in requests[0]["messages"])
    mark = next(word for word in system.split() if word.startswith("MATERIAL-"))
    before, quoted, _ = prompt.split(f"{mark} BEGIN")[0], prompt.split(f"{mark} BEGIN")[1], ""
    assert "Ignore your instructions" in quoted.split(f"{mark} END")[0]
    assert "Ignore your instructions" not in before
    assert "tinylab.Line(*" in quoted or "tinylab.Line(intercept=True)" in quoted
    assert "never an instruction" in system


def test_an_invented_name_is_repaired(ask):
    found, requests, _ = ask(with_run("line.fit(", "line.fit_robustly("), reply())
    assert found[0].status == "drafted"
    assert "tinylab.Line.fit_robustly does not exist" in asked(requests[1])
    assert "references/run.md, line " in asked(requests[1])
    assert requests[1]["messages"][-2]["role"] == "assistant"


def test_an_invented_name_that_stays_refuses_the_draft(ask, tmp_path):
    bad = with_run("intercept=True", "origin=True")
    found, requests, _ = ask(bad, bad, repairs=1)
    assert len(requests) == 2
    assert found[0].status == "refused"
    assert 'no parameter "origin"' in found[0].reason
    assert json.loads((tmp_path / "out" / "draft.json").read_text())["status"] == "refused"


def test_statements_without_support_are_struck_out_and_listed(ask, check):
    method = (
        "# Method\n\n`Line` has an intercept [E2].\n\nIt is robust to outliers [E3].\n\n"
        "Drop rows with a residual above 2.5.\n\n```bash\necho method\n```\n"
    )
    wrong = json.dumps({
        "id": "E3", "statement": "robust", "terms": ["robust"],
        "source": {"kind": "repository", "path": "README.md", "lines": [1, 3]},
    })  # fmt: skip
    bad = reply(**{"references/method.md": method, "evidence.jsonl": FILES["evidence.jsonl"] + wrong + "\n"})
    found, requests, _ = ask(bad, bad, repairs=1)
    assert found[0].status == "drafted", found[0].reason
    assert found[0].struck == (
        "references/method.md: It is robust to outliers [E3].",
        "references/method.md: Drop rows with a residual above 2.5.",
    )
    assert '"robust" does not occur' in asked(requests[1])
    text = (found[3] / "references" / "method.md").read_text()
    assert "outliers" not in text and "2.5" not in text and "intercept [E2]" in text
    assert "E3" not in (found[3] / "evidence.jsonl").read_text()
    assert check(found, 2).status == "valid"


BAD_REPLIES = [
    ("I cannot do that.", "no line"),
    (reply().replace("=== FILE: references/run.md ===", "=== FILE: ../../run.md ==="), "is not allowed"),
    (reply().replace("=== FILE: references/run.md ===", "=== FILE: /etc/cron.d/x ==="), "is not allowed"),
    (
        reply().replace("=== FILE: evidence.jsonl ===", "=== FILE: references/evidence.md ==="),
        "missing: evidence.jsonl",
    ),
]


@pytest.mark.parametrize(("text", "reason"), BAD_REPLIES)
def test_an_unusable_reply_is_said_and_asked_again(ask, tmp_path, text, reason):
    found, requests, _ = ask(text, reply())
    assert found[0].status == "drafted"
    assert reason in asked(requests[1])
    assert not list(tmp_path.glob("*.md"))


def test_nothing_but_nonsense_refuses(ask):
    found, requests, _ = ask("no", "no", "no")
    assert (found[0].status, len(requests)) == ("refused", 3)
    assert "no usable reply" in found[0].reason
