"""``labagent memory`` as a user runs it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from labagent.memory import classify, lesson_event, outcome_event
from labagent.memory.log import append_events
from labagent.models.memory import Provenance
from support.project import small_project

FAILURE = "Traceback (most recent call last):\nModuleNotFoundError: No module named 'pkg_resources'\n"


def labagent(*words: str, stdin: str = "", status: int = 0) -> str:
    done = subprocess.run(
        [sys.executable, "-c", "import sys; from labagent.cli import main; sys.exit(main())", *words],
        input=stdin,
        capture_output=True,
        text=True,
    )
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout + (done.stderr if status == 2 else "")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    good = lesson_event(
        classify(FAILURE), "python -m pip install 'setuptools<81'", time=0.0, why="it left in 82",
        provenance=Provenance(run="library", source="seen"),
    )  # fmt: skip
    append_events(tmp_path / "memory" / "lessons.jsonl", [good])
    learned = lesson_event(
        classify("KeyError: 'Drug'"), "fetch {data}", time=1.0, provenance=Provenance(run="arm/t/1", turn=2)
    )
    poor = lesson_event(
        classify("MemoryError"), "sleep {nap}", time=1.0, provenance=Provenance(run="arm/t/1")
    )
    bad = [outcome_event(poor.id, False, provenance=Provenance(run=f"arm/t/{n}")) for n in (2, 3)]
    append_events(tmp_path / "memory" / "arm.jsonl", [learned, poor, *bad])
    return tmp_path


def test_match_reads_standard_input_or_a_file(root: Path) -> None:
    found = json.loads(labagent("memory", "match", "--json", "--root", str(root), stdin=FAILURE))
    assert found["class"] == "missing_module"
    assert found["signature"] == "missing_module: ModuleNotFoundError: No module named 'pkg_resources'"
    assert [x["fix"] for x in found["lessons"]] == ["python -m pip install 'setuptools<81'"]
    (root / "out.txt").write_text(FAILURE)
    assert (
        json.loads(labagent("memory", "match", str(root / "out.txt"), "--json", "--root", str(root))) == found
    )
    assert "missing_module" in labagent("memory", "match", "--root", str(root), stdin=FAILURE)
    found = json.loads(
        labagent("memory", "match", "--json", "--status", "137", "--root", str(root), stdin="")
    )
    assert found["class"] == "killed"


def test_list_and_stats_with_and_without_an_arm(root: Path) -> None:
    assert len(json.loads(labagent("memory", "list", "--json", "--root", str(root)))) == 1
    lessons = json.loads(labagent("memory", "list", "--json", "--root", str(root), "--arm", "arm"))
    assert sorted(x["status"] for x in lessons) == ["candidate", "promoted", "quarantined"]
    stats = json.loads(labagent("memory", "stats", "--json", "--root", str(root), "--arm", "arm"))
    assert stats["lessons"] == 3 and stats["failures"] == 2
    assert stats["by_class"] == {"data_format": 1, "missing_module": 1, "out_of_memory": 1}
    assert "by_status" in labagent("memory", "stats", "--root", str(root))
    assert "fix   python -m pip install 'setuptools<81'" in labagent("memory", "list", "--root", str(root))


def test_audit_finds_what_deserves_a_look(root: Path) -> None:
    labagent("memory", "audit", "--root", str(root))
    with (root / "memory" / "arm.jsonl").open("a") as stream:
        stream.write('{"event": "lesson", "cut')
    text = labagent("memory", "audit", "--json", "--root", str(root), "--arm", "arm", status=1)
    problems = {finding["problem"] for finding in json.loads(text)}
    assert problems == {"quarantined", "no evidence", "unknown place in the fix", "not an event"}


def test_promote_copies_into_the_library_once(root: Path) -> None:
    lessons = json.loads(labagent("memory", "list", "--json", "--root", str(root), "--arm", "arm"))
    by_status = {x["status"]: x["id"] for x in lessons}
    labagent("memory", "promote", by_status["candidate"], "--arm", "arm", "--root", str(root))
    labagent("memory", "promote", by_status["candidate"], "--arm", "arm", "--root", str(root))
    assert (root / "memory" / "lessons.jsonl").read_text().count("\n") == 2
    library = json.loads(labagent("memory", "list", "--json", "--root", str(root)))
    assert {x["status"] for x in library} == {"promoted"} and len(library) == 2
    text = labagent(
        "memory", "promote", by_status["quarantined"], "--arm", "arm", "--root", str(root), status=2
    )
    assert "quarantined" in text
    text = labagent("memory", "promote", "L" + "0" * 16, "--arm", "arm", "--root", str(root), status=2)
    assert "no lesson L0000" in text


def test_a_file_that_is_not_there_is_a_clear_error(root: Path) -> None:
    text = labagent("memory", "match", "nowhere.txt", "--root", str(root), status=2)
    assert "nowhere.txt: cannot be read" in text and "Traceback" not in text


def test_lessons_go_to_another_lab_and_choices_are_judged(root: Path, tmp_path: Path) -> None:
    place = ("--root", str(root), "--arm", "arm")
    assert "2 lessons in 2 events" in labagent("memory", "export", str(root / "out.jsonl"), *place)
    other = small_project(tmp_path / "other")
    there = ("--root", str(other), "--arm", "offline", "--lab", "north")
    done = json.loads(labagent("memory", "import", str(root / "out.jsonl"), "--json", *there))
    assert done == {"lessons": 2, "outcomes": 0, "refused": []}
    listed = labagent("memory", "list", "--root", str(other), "--arm", "offline", "--json")
    assert "north:arm/t/1" in listed and "setuptools<81" in listed
    line = json.loads((root / "out.jsonl").read_text().splitlines()[0]) | {"why": "mean 2.50 was published"}
    (root / "bad.jsonl").write_text(json.dumps(line) + "\n")
    refused = labagent("memory", "import", str(root / "bad.jsonl"), *there, status=1)
    assert "bad.jsonl, line 1: refused: it holds a published value" in refused
    nothing = labagent("memory", "judge", "--root", str(other), "--arm", "offline")
    assert "0 new judgments, 0 outcomes" in nothing
