"""Lessons that apply before anything has failed."""

import json
import subprocess
import sys
from dataclasses import replace

import pytest

from labagent.files import sha256_text
from labagent.models.memory import Lesson, Provenance
from labagent.reproduce import foresight, reproduce
from labagent.reproduce.foresight import check_command, checkable, holding
from labagent.skills.read import read_skill
from labagent.trace import read_trace
from support.project import write


def lesson(
    signature,
    *,
    failure_class="missing_module",
    fix="pip install x",
    skill="other",
    scope="operational",
    **groups,
):
    return Lesson(
        id="L" + sha256_text(signature)[:16],
        failure_class=failure_class,
        signature=signature,
        fix=fix,
        scope=scope,
        groups=groups,
        provenance=(Provenance(run="a/b/1", skill=skill),),
    )


MISSING = lesson("missing_module: ModuleNotFoundError: No module named 'nosuchmodule'", module="nosuchmodule")
PRESENT = lesson("missing_module: ModuleNotFoundError: No module named 'json'", module="json")
REMOVED = lesson(
    "api_removed: AttributeError: module 'json.decoder' has no attribute 'old'",
    failure_class="api_removed",
    module="json.decoder",
    attribute="old",
)
ELSEWHERE = lesson(
    "api_removed: ImportError: cannot import name 'b' from 'json'",
    failure_class="api_removed",
    module="nosuchmodule",
    name="b",
)


@pytest.fixture
def skill(make):
    return read_skill(make().skill)


def output_of(lessons):
    """What the check prints in this Python."""
    command = check_command(lessons).replace("python -", f"{sys.executable} -", 1)
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True)
    return done.stdout


def test_only_failures_that_are_there_hold():
    lessons = (MISSING, PRESENT, REMOVED, ELSEWHERE)
    text = output_of(lessons)
    assert holding(text, lessons) == (MISSING, REMOVED)
    assert ELSEWHERE.id in text, "it fails, but in another way"


def test_what_a_module_prints_or_does_cannot_pass_for_a_finding(tmp_path, monkeypatch):
    write(tmp_path, "shouting.py", f"print('{MISSING.id} {MISSING.signature}')\nraise SystemExit(0)\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    shouting = lesson("missing_module: ModuleNotFoundError: No module named 'x'", module="shouting")
    assert holding(output_of((shouting, MISSING)), (shouting, MISSING)) == (MISSING,)
    assert holding(output_of((shouting,)), (shouting, MISSING)) == ()


def test_lessons_that_concern_the_skill_are_checked(skill):
    named = lesson("s1", module="toymean")
    learnt_here = lesson("s2", module="anything", skill="toy-mean")
    assert checkable([named, learnt_here, lesson("s3", module="anything")], skill) == (named, learnt_here)


@pytest.mark.parametrize(
    "fields",
    [
        {"scope": "recipe"},
        {"fix": "python -m pip install {distribution}"},
        {"fix": "one\ntwo"},
        {"failure_class": "file_not_found"},
        {"module": "toymean; import os"},
        {"module": "toymean\nimport os"},
    ],
)
def test_others_wait_until_they_happen(skill, fields):
    assert checkable([lesson("s", **{"module": "toymean", "skill": "toy-mean", **fields})], skill) == ()


def test_every_row_of_the_table_is_python():
    for condition in foresight._table():
        compile(condition.check.format(**dict.fromkeys(condition.needs, "a")), "check", "exec")


def commands(attempt):
    trace = read_trace(attempt.folder / "try-1/trace.jsonl")
    return [event["command"] for event in trace if event["event"] == "command"]


def test_a_lesson_whose_failure_is_not_there_is_not_applied(make, tmp_path):
    reproduce(make())
    other = make(answer=(make().skill / "references/answer.md").read_text().replace("toymean", "statistics"))
    events = [json.loads(line) for line in other.memory.events.read_text().splitlines()]
    stale = {
        **events[0],
        "groups": {"module": "statistics", "distribution": "statistics"},
        "fix": "pip install x",
    }
    other.memory.events.write_text(json.dumps(stale) + "\n")
    again = replace(other, number=2, folder=other.folder.parent / "2")
    record = reproduce(again)
    assert record.status == "completed" and record.failing_turns == 0
    assert "import statistics" in commands(again)[0], "checked"
    assert not [command for command in commands(again) if "pip install" in command]


def test_a_lesson_that_does_not_help_at_the_start_is_marked(make, tmp_path):
    reproduce(make())
    path = make().memory.events
    events = [json.loads(line) for line in path.read_text().splitlines()]
    wrong = {**events[0], "fix": "python -m pip list", "id": "L" + "1" * 16}
    path.write_text(json.dumps(wrong) + "\n")
    again = replace(make(), number=2, folder=make().folder.parent / "2")
    record = reproduce(again)
    assert record.status == "completed", "the generic repair still mends the step"
    kept = [json.loads(line) for line in (again.folder / "try-1/lessons.jsonl").read_text().splitlines()]
    assert [(e["success"], e["provenance"]["turn"]) for e in kept if e["event"] == "outcome"] == [(False, 1)]
    assert "python -m pip list" not in commands(again), "not tried again at the failure"
