"""Lessons of whole attempts: written, used by the next one, kept apart by the arm's setting."""

import json
from dataclasses import replace

import pytest

from labagent.files import read_jsonl, sha256_file
from labagent.reproduce import reproduce
from labagent.trace import read_trace
from support.project import write

# Nothing generic repairs this: only a lesson can.
GUARDED = """\
# Load

```bash
test -f "$HOME/ready" || { echo "CalibrationError: the frobnicator is not warm" >&2; exit 3; }
echo warm
```
"""


def lessons_in(path):
    return [event for event in read_jsonl(path) if event["event"] == "lesson"]


def test_a_repair_that_worked_becomes_a_lesson_in_the_try_and_in_the_memory(make):
    attempt = make()
    record = reproduce(attempt)
    (lesson,) = lessons_in(attempt.folder / "try-1/lessons.jsonl")
    assert lesson["failure_class"] == "missing_module"
    assert lesson["fix"] == "python -m pip install {distribution}"
    assert lesson["scope"] == "operational"
    assert lesson["provenance"] == {"run": "offline/toy/1", "turn": 2, "skill": "toy-mean", "source": ""}
    assert lessons_in(attempt.memory.events) == [lesson]
    assert record.lessons_written == 1


def test_the_next_run_sees_the_lesson_and_says_what_came_of_it(make):
    reproduce(make())
    again = replace(make(), number=2, folder=make().folder.parent / "2")
    record = reproduce(again)
    assert record.status == "completed" and record.lessons_written == 0
    assert record.failing_turns == 0 and record.lessons_shown == 1, "applied before the failure"
    (event,) = list(read_jsonl(again.folder / "try-1/lessons.jsonl"))
    assert event["event"] == "outcome" and event["success"] is True
    commands = [e for e in read_trace(again.folder / "try-1/trace.jsonl") if e["event"] == "command"]
    assert [c["lesson"] for c in commands if c["lesson"]] == [event["lesson"]]
    frozen = again.folder / "try-1/memory.json"
    assert record.memory_sha256 == sha256_file(frozen)
    assert len(json.loads(frozen.read_text())["lessons"]) == 1


@pytest.mark.parametrize(("mode", "shown"), [("frozen", 1), ("off", 0)])
def test_an_arm_that_does_not_learn_leaves_the_memory_alone(make, mode, shown):
    reproduce(make())
    before = make().memory.events.read_bytes()
    attempt = replace(make(), number=2, folder=make().folder.parent / "2")
    record = reproduce(replace(attempt, memory=replace(attempt.memory, mode=mode)))
    assert record.lessons_shown == shown and record.lessons_written == 0
    assert attempt.memory.events.read_bytes() == before


def library_lesson(fix):
    from labagent.memory import classify, lesson_event
    from labagent.models.memory import Provenance

    found = classify("CalibrationError: the frobnicator is not warm", status=3)
    event = lesson_event(found, fix, provenance=Provenance(run="library", source="a manual"))
    return json.dumps(event.model_dump(mode="json")) + "\n"


def test_a_reviewed_lesson_mends_what_nothing_generic_does(make, tmp_path):
    assert reproduce(make(load=GUARDED)).ended_by == "agent"
    attempt = replace(make(load=GUARDED, answer="# A\n\n```bash\necho '{\"mean\": 1}' > answer.json\n```\n"))
    write(tmp_path, "memory/lessons.jsonl", library_lesson("touch ~/ready"))
    record = reproduce(attempt)
    assert (record.status, record.failing_turns) == ("completed", 1)


def test_a_lesson_that_does_not_help_is_marked_and_the_step_ends(make, tmp_path):
    attempt = make(load=GUARDED)
    write(tmp_path, "memory/lessons.jsonl", library_lesson("touch ~/something-else"))
    record = reproduce(attempt)
    assert record.ended_by == "agent" and "frobnicator" in record.reason
    outcomes = [e for e in read_jsonl(attempt.memory.events) if e["event"] == "outcome"]
    assert [outcome["success"] for outcome in outcomes] == [False]


def test_a_memory_that_cannot_be_written_does_not_undo_the_run(make, tmp_path, capfd):
    attempt = make()
    (tmp_path / "memory/offline.jsonl.lock").mkdir()
    record = reproduce(attempt)
    assert record.status == "completed" and record.lessons_written == 0
    assert lessons_in(attempt.folder / "try-1/lessons.jsonl")
    assert "lessons are kept in" in capfd.readouterr().err
