"""The whole explore agent on a small real lab, over real HTTP against a scripted model."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import threading
import time

import pytest

from labagent.models.config import ModelSettings, Price
from labagent.models.exploration import ExplorationRecord
from labagent.trace import read_trace, verify_chain
from support.drafts import FILES, reply
from support.model_server import ModelServer, Say

PERSPECTIVES = ("user", "maintainer", "reviewer", "statistician", "engineer")
BRIEF = {
    "method": "least squares",
    "purpose": "fits a straight line",
    "criteria": [
        {"id": "C1", "text": "how Line is called"},
        {"id": "C2", "text": "known failures, few points"},
    ],
    "capabilities": [
        {
            "id": "K1",
            "does": "fits",
            "identifiers": ["tinylab.Line", "tinylab.RobustLine"],
            "needs": "x and y",
        }
    ],
    "queries": ["Line fit intercept"],
}
# What each scout says of the passage that holds the term.
SAYS = {
    "user": ("fits through points", "class Line"),
    "maintainer": ("warns of few points", 'warnings.warn("few points")'),
    "reviewer": ("both coefficients are given", "def summary"),
    "statistician": ("fewer than 5 points are too few", "n < 5"),
    "engineer": ("needs 64 GB of memory", "import warnings"),
}
SECOND = ("heights are read", "growth.csv")
UNSUPPORTED = "Drop rows with a residual above 2.5."


def last(body):
    return body["messages"][-1]["content"]


def passages(text):
    """Name and text of each passage of a prompt."""
    parts = re.split(r"^--- (H\d+): \S+\n", text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def finding(statement, term, text):
    hit = next((name for name, passage in passages(text).items() if term in passage), "H1")
    return {"statement": f"{statement} ({term})", "hit": hit, "terms": [term]}


def perspective_of(text):
    words = {"carry out the method": "user", "a maintainer": "maintainer", "a reviewer of": "reviewer"}
    words |= {"a statistician": "statistician", "a systems engineer": "engineer"}
    return next((name for word, name in words.items() if word in text.split("\n")[0]), "")


class Scripted:
    """A model that goes through all steps; ``barrier`` holds scouts until all have asked."""

    def __init__(self, *, barrier=None, met=None, drafts=(), reflection=None, faults=()):
        self.barrier, self.reflection, self.faults = barrier, reflection, list(faults)
        self.met = met or [{"C1": ["E1"]}, {"C1": ["E1"], "C2": ["E2"]}]
        self.drafts = list(drafts) or [reply()]
        self.steps: list[str] = []
        self._lock = threading.Lock()

    def __call__(self, body):
        text = last(body)
        step, answer = self._answer(text)
        with self._lock:
            self.steps.append(step)
        return answer if isinstance(answer, str) else json.dumps(answer)

    def _answer(self, text):
        if text.startswith("Write the research brief"):
            return "brief", BRIEF
        if text.startswith("You are a scout"):
            return self._scout(text)
        if text.startswith("Round "):
            number = int(text.split()[1])
            queries = {name: ["growth.csv data"] for name in PERSPECTIVES}
            met = self.met[min(number, len(self.met)) - 1]
            return "supervisor", {"met": met, "queries": queries, "why": "as found"}
        if text.startswith("Read your files as a reviewer"):
            faults = [{"file": "references/run.md", "rule": "counts", "what": f} for f in self.faults]
            return "critique", {"faults": faults}
        if text.startswith("List what your files prescribe"):
            return "reflection", self.reflection or {"prescriptions": []}
        return "files", self.drafts.pop(0) if len(self.drafts) > 1 else self.drafts[0]

    def _scout(self, text):
        perspective = perspective_of(text)
        if self.barrier is not None:
            self.barrier.wait(60)
        again = "Known already" in text
        said = SECOND if again and perspective == "user" else SAYS[perspective]
        if again and perspective != "user":
            return f"scout {perspective}", {"findings": []}
        return f"scout {perspective}", {"findings": [finding(*said, text)]}


def settings(url, **changes):
    values = {"price": Price(input=1, output=2), "retries": 0, "backoff_seconds": 0.01, **changes}
    return ModelSettings(model="openai/scripted", api_base=url, api_key_env="TEST_KEY", **values)


@pytest.fixture
def agent(draft, files, tmp_path, monkeypatch):
    """Explore with a script; gives the draft, its record, the trace and the server."""
    monkeypatch.setenv("TEST_KEY", "key-for-tests")

    def run(script, lab=None, **explorer):
        with ModelServer([], forever=Say(script)) as server:
            found = draft(lab or files, settings(server.url), **{"rounds": 3, **explorer})
        out = tmp_path / "out"
        record = ExplorationRecord.read(out / "exploration.json")
        return found, record, read_trace(out / "trace.jsonl"), server

    return run


def cited(found):
    return {json.loads(line)["id"] for line in (found[3] / "evidence.jsonl").read_text().splitlines()}


def test_the_whole_agent(agent, check, tmp_path):
    run = FILES["references/run.md"].replace("line.fit(", "line.fit_robustly(")
    method = FILES["references/method.md"].replace("[E2].", f"[E2].\n\n{UNSUPPORTED}", 1)
    bad = reply(**{"references/run.md": run, "references/method.md": method})
    stubborn = reply(**{"references/method.md": method})
    script = Scripted(barrier=threading.Barrier(5), drafts=[bad, stubborn], faults=["counts are missing"])
    found, record, trace, server = agent(script, repairs=1)

    # Scouts: the barrier opens only when all five requests of a round are at the server at once.
    assert sorted(step for step in script.steps if step.startswith("scout")) == sorted(
        f"scout {name}" for name in PERSPECTIVES for _ in range(2)
    )
    assert [item.perspective for item in record.found][:4] == [
        "user",
        "maintainer",
        "reviewer",
        "statistician",
    ]
    assert [item.id for item in record.found] == [f"E{n}" for n in range(1, len(record.found) + 1)]
    # Prose without evidence is dropped, with the reason.
    assert any(
        ("64 GB" in item.text and "does not occur" in item.why) or "figure" in item.why
        for item in record.dropped
    )
    assert not any("64 GB" in item.statement for item in record.found)
    # The hallucinated capability went, the real one stayed.
    assert record.brief.capabilities[0].identifiers == ("tinylab.Line",)
    # The supervisor stopped since all criteria have evidence.
    assert record.stopped_by == "criteria"
    assert [round_.open for round_ in record.rounds] == [("C2",), ()]
    # The hallucinated identifier went back and was mended; the threshold was struck out and is listed.
    sent = [event for event in trace if event["event"] == "repaired"]
    assert "fit_robustly does not exist" in json.dumps(sent[0]["sent"])
    assert "counts are missing" in json.dumps(sent[0]["sent"])
    assert found[0].status == "drafted", found[0].reason
    assert found[0].struck == (f"references/method.md: {UNSUPPORTED}",)
    assert record.struck == found[0].struck
    assert [p.text for p in record.prescriptions if p.outcome == "struck"] == [UNSUPPORTED]
    assert UNSUPPORTED not in (found[3] / "references/method.md").read_text()
    assert check(found).status == "valid"
    # Every step is in the trace, which holds; costs are those of all calls.
    names = {event["event"] for event in trace}
    assert {"start", "brief", "scout", "search", "evidence", "dropped", "supervised", "checked"} <= names
    assert {"repaired", "struck", "lesson", "end", "usage", "reply"} <= names
    assert verify_chain(tmp_path / "out/trace.jsonl") == []
    assert record.calls == len(server.requests) == sum(event["event"] == "usage" for event in trace)
    assert found[0].cost_usd == pytest.approx(record.calls * (100 * 1 + 20 * 2) / 1e6)
    lanes = [event["lane"] for event in trace if "lane" in event]
    assert lanes == sorted(lanes, key=lambda n: (n[:8], PERSPECTIVES.index(n[9:])))


def test_evidence_cites_the_fewest_lines_and_overrules_the_models_own(agent):
    found, record, _, _ = agent(Scripted())
    by = {item.id: item for item in record.found}
    text = (found[1] / "repository/tinylab/line.py").read_text().split("\n")
    first, final = by["E4"].source.lines
    assert first == final and "n < 5" in text[first - 1]
    lines = [json.loads(line) for line in (found[3] / "evidence.jsonl").read_text().splitlines()]
    assert {line["id"]: line["statement"] for line in lines} == {
        name: by[name].statement for name in ("E1", "E2")
    }


def test_rounds_are_capped(agent):
    script = Scripted(met=[{}])
    script._scout = lambda text: ("scout", {"findings": [finding(*SAYS[perspective_of(text)], text)]})
    _, record, _, _ = agent(script, rounds=1)
    assert (record.stopped_by, len(record.rounds)) == ("rounds", 1)
    assert record.rounds[0].open == ("C1", "C2")


def test_returns_that_diminish_end_the_rounds_whatever_the_model_says(agent):
    _, record, _, _ = agent(Scripted(met=[{}]), rounds=9)
    assert [(r.new, r.diminishing) for r in record.rounds] == [(4, False), (1, False), (0, True)]
    assert record.stopped_by == "diminishing"


def test_met_without_evidence_stays_open(agent):
    _, record, _, _ = agent(Scripted(met=[{"C1": ["E1"], "C2": ["E99"]}]), rounds=1)
    assert record.rounds[0].open == ("C2",)
    assert any(item.text == "C2" and "without evidence" in item.why for item in record.dropped)


@pytest.mark.parametrize(
    ("caps", "name"),
    [({"calls": 12}, "calls"), ({"usd": 0.05}, "US$"), ({"tokens": 30_000}, "tokens")],
)
def test_caps_end_the_search_and_leave_room_to_write(agent, caps, name):
    found, record, trace, server = agent(Scripted(met=[{}]), rounds=9, **caps)
    assert record.stopped_by == "cap"
    assert name in record.reason
    assert any(event["event"] == "cap" for event in trace) or name in record.reason
    assert record.calls == len(server.requests) <= caps.get("calls", 99)
    assert record.cost_usd <= caps.get("usd", 9)
    assert record.tokens <= caps.get("tokens", 10**9)
    assert found[0].status == "drafted", found[0].reason


def test_a_cap_before_the_draft_is_a_stated_refusal(agent):
    found, _, _, server = agent(Scripted(), calls=1, rounds=0)
    assert found[0].status == "drafted" and len(server.requests) == 1
    found, _, _, _ = agent(Scripted(), rounds=1, usd=0.0)
    assert found[0].status == "refused"
    assert "US$" in found[0].reason


def test_nonsense_is_asked_about_once_and_then_stated(agent):
    script = Scripted()
    answer = script._answer
    asked = []

    def brief(text):
        if text.startswith("Write the research brief"):
            return "brief", "Sure! Here is the brief."
        if text.startswith("That answer cannot be used"):
            asked.append(text)
            return "again", json.dumps({**BRIEF, "criteria": []})
        return answer(text)

    script._answer = brief
    found, record, _, server = agent(script)
    assert len(server.requests) == 2
    assert "not one JSON object" in asked[0]
    assert found[0].status == "refused"
    assert found[0].reason.startswith("no research brief: brief: two replies could not be used")
    assert record.stopped_by == "failed"


def test_a_scout_that_fails_does_not_end_the_others(agent):
    script = Scripted()
    answer = script._answer

    def broken(text):
        if text.startswith("You are a scout") and perspective_of(text) == "reviewer":
            return "scout", '{"findings": [], "findings": []}'
        if text.startswith("That answer cannot be used"):
            return "again", '{"statement": NaN}'
        return answer(text)

    script._answer = broken
    found, record, _, _ = agent(script)
    assert found[0].status == "drafted"
    assert [text for text in record.failures if text.startswith("scout reviewer, round 1")]
    assert "reviewer" not in {item.perspective for item in record.found}


EXPLORE = """
import json, sys
sys.path[:0] = json.loads(sys.argv[1])
from pathlib import Path
from labagent.explore.drafting import explore
from labagent.models.config import Explorer, ModelSettings
from labagent.models.tables import Lab
from labagent.snapshot import snapshot
root = Path(sys.argv[2])
explore(
    Lab(skill="tinylab", source="explore", repository="."), artifacts=root / "artifacts",
    snapshot=snapshot(root / "artifacts/repository", "tinylab"), explorer="test",
    settings=Explorer(rounds=2, max_repairs=1), model=ModelSettings.model_validate_json(sys.argv[3]),
    destination=root / "out", key="k1",
)
"""


def explore_in_process(root, model):
    command = [sys.executable, "-c", EXPLORE, json.dumps(sys.path), str(root), model.model_dump_json()]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def test_killed_and_started_again_nothing_paid_is_lost(stage, files, tmp_path, monkeypatch):
    monkeypatch.setenv("TEST_KEY", "key-for-tests")
    stage(tmp_path / "artifacts", files)
    held = threading.Event()
    script = Scripted(met=[{"C1": ["E1"]}, {"C2": ["E2"]}])

    def slow(body):
        if last(body).startswith("Round 1") and not held.is_set():
            held.set()
            server.wait(60)  # the reply never comes: the process is killed while it waits
        return script(body)

    with ModelServer([], forever=Say(slow)) as server:
        process = explore_in_process(tmp_path, settings(server.url))
        while not held.is_set():
            assert process.poll() is None, process.stdout.read()
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
        process.wait()
        before = len(server.requests)
        assert before == 7  # brief, five scouts, the supervisor
        second = explore_in_process(tmp_path, settings(server.url))
        assert second.wait() == 0, second.stdout.read()
        after = server.requests[before:]
    assert last(after[0]).startswith("Round 1"), "a paid reply was asked for again"
    record = ExplorationRecord.read(tmp_path / "out/exploration.json")
    assert record.cached == 6
    assert record.calls == len(server.requests) - 1
    trace = read_trace(tmp_path / "out/trace.jsonl")
    lost = [event for event in trace if event["event"] == "retry"]
    assert len(lost) == 1 and lost[0]["possible_usd"] > 0
    assert sum(event["event"] == "usage" for event in trace) == record.calls
    assert verify_chain(tmp_path / "out/trace.jsonl") == []


def test_what_mended_a_draft_is_a_lesson_that_the_next_exploration_is_told(agent, tmp_path, monkeypatch):
    from labagent.memory import Memory

    memory = Memory("explore-test", "live", tmp_path / "library.jsonl", tmp_path / "explore-test.jsonl")
    bad = reply(
        **{"references/run.md": FILES["references/run.md"].replace("line.fit(", "line.fit_robustly(")}
    )
    _, _, trace, _ = agent(Scripted(drafts=[bad, reply()]), rounds=0, memory=memory)
    (lesson,) = memory.state()
    assert (lesson.scope, lesson.failure_class) == ("recipe", "skill_refused")
    assert "api: <path>, line <n>: tinylab.Line.fit_robustly does not exist" in lesson.signature
    assert "fit_robustly" in lesson.why and lesson.provenance[0].skill == "tinylab"
    assert lesson.fix.startswith(": '") and "fit_robustly" in lesson.fix and "+line.fit(" in lesson.fix
    assert subprocess.run(["bash", "-c", lesson.fix], capture_output=True).returncode == 0
    assert [event["id"] for event in trace if event["event"] == "lesson"] == [lesson.id]
    _, _, _, server = agent(Scripted(), rounds=0, memory=memory)
    assert "+line.fit(" in last(server.requests[0])


def test_a_requirement_that_was_missing_is_a_lesson_that_can_be_run():
    from labagent.explore.agent.learning import Reason, lessons
    from labagent.models.memory import Provenance

    old = {"environment.yaml": "dependencies:\n  - pip\n  - pip: [numpy]\n"}
    new = {"environment.yaml": "dependencies:\n  - pip\n  - pip: [numpy, 'scipy<2']\n"}
    text = (
        "tier 3, run: references/run.md, line 9: exit status 1: ModuleNotFoundError: No module named 'scipy'"
    )
    (event,) = lessons([Reason("run", text)], [], old, new, Provenance(run="explore/x/y", skill="y"))
    assert (event.failure_class, event.fix) == ("missing_module", "python -m pip install 'scipy<2'")
    assert lessons([Reason("run", text)], [Reason("run", text)], old, new, Provenance(run="r")) == []
