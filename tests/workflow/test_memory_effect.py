"""What the memory does: two real labs that fail in the same way, with and without it, through Snakemake.

Nobody wrote down what mends them: neither the reviewed lessons nor the generic repairs know of Pillow. The
agent has to search among older releases, and the first candidate does not help.
"""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from labagent.trace import read_trace
from support.hashing import hashing_project
from support.toy import CHECKOUT, snakemake

pytestmark = pytest.mark.slow

CONFIG = """\
attempts: 2
arms:
  offline: {model: offline, memory: live}
  offline-no-memory: {model: offline, memory: 'off'}
"""
SIGNATURE = "api_removed: AttributeError: module 'PIL.Image' has no attribute 'ANTIALIAS'"
FIX = "python -m pip install 'Pillow<10'"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Both labs run twice by both arms, one run after the other, dHash first."""
    root = hashing_project(tmp_path_factory.mktemp("hashing") / "project", config=CONFIG)
    scores = [
        f"results/scores/{arm}/{lab}-bits/{attempt}.json"
        for lab in ("dhash", "photohash")
        for attempt in (1, 2)
        for arm in ("offline", "offline-no-memory")
    ]
    for first in (scores[0], scores[2]):
        snakemake(root, first, "--cores", "2")
    snakemake(root, "--cores", "2")
    return root


def record(root: Path, arm: str, lab: str, attempt: int) -> dict[str, object]:
    """``run.json``."""
    path = root / f"results/runs/{arm}/{lab}-bits/{attempt}/run.json"
    return json.loads(path.read_text())  # type: ignore[no-any-return]


def commands(root: Path, arm: str, lab: str, attempt: int) -> list[str]:
    """All commands of a run."""
    trace = root / f"results/runs/{arm}/{lab}-bits/{attempt}/try-1/trace.jsonl"
    return [event["command"] for event in read_trace(trace) if event["event"] == "command"]


def test_the_failure_and_its_fix_are_in_no_table() -> None:
    lessons = (CHECKOUT / "memory/lessons.jsonl").read_text(encoding="utf-8").lower()
    repairs = (CHECKOUT / "workflow/labagent/reproduce/repairs.yaml").read_text(encoding="utf-8").lower()
    for word in ("pillow", "pil.image", "antialias"):
        assert word not in lessons and word not in repairs


def test_every_run_gets_the_answer(project: Path) -> None:
    with (project / "results/report/entries.tsv").open() as stream:
        entries = list(csv.DictReader(stream, delimiter="\t"))
    assert [(row["within"], row["attempts_within"]) for row in entries] == [("true", "2")] * 4


def test_without_memory_every_run_finds_the_fix_anew(project: Path) -> None:
    for lab in ("dhash", "photohash"):
        for attempt in (1, 2):
            tried = [c for c in commands(project, "offline-no-memory", lab, attempt) if " install " in c]
            assert tried == ["python -m pip install 'Pillow<11'", FIX]
            assert record(project, "offline-no-memory", lab, attempt)["failing_turns"] == 2


def test_the_first_run_with_an_empty_memory_fails_as_often_and_leaves_what_worked(project: Path) -> None:
    first = record(project, "offline", "dhash", 1)
    assert (first["failing_turns"], first["lessons_written"]) == (2, 1)
    events = [json.loads(line) for line in (project / "memory/offline.jsonl").read_text().splitlines()]
    lessons = [event for event in events if event["event"] == "lesson"]
    assert [(x["signature"], x["fix"], x["scope"]) for x in lessons] == [(SIGNATURE, FIX, "operational")]


def test_the_same_lab_again_does_not_fail_at_all(project: Path) -> None:
    again = record(project, "offline", "dhash", 2)
    assert again["failing_turns"] == 0 and "pillow==9.5.0" in [str(x).lower() for x in again["installed"]]
    applied = [c for c in commands(project, "offline", "dhash", 2) if " install " in c]
    assert len(applied) == 1 and applied[0].startswith(f"{FIX} && ")


def test_the_lesson_helps_a_lab_it_was_not_learnt_with(project: Path) -> None:
    runs = [record(project, "offline", "photohash", attempt) for attempt in (1, 2)]
    assert [run["failing_turns"] for run in runs] == [0, 0]
    for attempt in (1, 2):
        assert not [c for c in commands(project, "offline", "photohash", attempt) if "Pillow<11" in c]


def test_the_report_counts_it(project: Path) -> None:
    with (project / "results/report/lessons.tsv").open() as stream:
        rows = {(row["arm"], row["runs"]): row for row in csv.DictReader(stream, delimiter="\t")}
    counted = {
        key: tuple(
            int(row[name]) for name in ("count", "failing_turns", "lessons_applied", "lessons_cleared")
        )
        for key, row in rows.items()
    }
    assert counted == {
        ("offline", "all"): (4, 2, 3, 3),
        ("offline", "first"): (2, 2, 1, 1),
        ("offline", "later"): (2, 0, 2, 2),
        ("offline-no-memory", "all"): (4, 8, 0, 0),
        ("offline-no-memory", "first"): (2, 4, 0, 0),
        ("offline-no-memory", "later"): (2, 4, 0, 0),
    }
    for page in ("report.md", "report.html"):
        assert "Lessons at work" in (project / "results/report" / page).read_text(encoding="utf-8")
