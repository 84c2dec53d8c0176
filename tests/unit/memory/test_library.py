"""The reviewed library: readable, found by the failures it is for, and free of this machine."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from labagent.memory import fold, match, render_fix
from labagent.memory.audit import audit
from labagent.memory.fixes import RENDERED_GROUPS, placeholders
from labagent.memory.log import read_events
from labagent.memory.store import Memory
from labagent.memory.table import table
from labagent.models.memory import Lesson

LIBRARY = Path(__file__).parents[3] / "memory" / "lessons.jsonl"


@pytest.fixture(scope="module")
def lessons() -> tuple[Lesson, ...]:
    return fold(read_events(LIBRARY, strict=True))


def test_there_are_enough_of_different_classes(lessons: tuple[Lesson, ...]) -> None:
    assert len(lessons) >= 10
    assert len({lesson.failure_class for lesson in lessons}) >= 6
    assert {lesson.failure_class for lesson in lessons} <= set(table().classes)
    assert {lesson.status for lesson in lessons} == {"promoted"}


def test_each_says_how_it_was_verified_and_nothing_of_the_machine(lessons: tuple[Lesson, ...]) -> None:
    for lesson in lessons:
        assert lesson.signature.startswith(lesson.failure_class + ": ")
        (origin,) = lesson.provenance
        assert re.match(r"verified \d{4}-\d\d-\d\d with Python \d\S+, pip \S+: with ", origin.source)
        assert "after the fix" in origin.source and lesson.why
        assert not re.search(r"/(?:home|root|tmp|work|usr)/|https?://", lesson.model_dump_json())
        assert placeholders(lesson.fix) <= set(RENDERED_GROUPS)


def test_audit_finds_nothing(tmp_path: Path) -> None:
    assert audit(Memory(arm="none", mode="live", library=LIBRARY, live=tmp_path / "none.jsonl")) == []


@pytest.mark.parametrize(
    ("output", "command"),
    [
        ("ModuleNotFoundError: No module named 'pkg_resources'", "python -m pip install 'setuptools<81'"),
        (
            "TypeError: read_csv() got an unexpected keyword argument 'delim_whitespace'",
            "python -m pip install 'pandas<3'",
        ),
        ("AttributeError: module 'numpy' has no attribute 'int'.", "python -m pip install 'numpy<1.24'"),
        ("A module that was compiled using NumPy 1.x cannot be run in\nAttributeError: _ARRAY_API not found",
         "python -m pip install 'numpy<2'"),
        ("ImportError: Numba needs NumPy 1.24 or less", "python -m pip install 'numpy<=1.24.99'"),
        ("ModuleNotFoundError: No module named 'Bio.SubsMat'", "python -m pip install 'biopython<1.80'"),
        ("TypeError: check_array() got an unexpected keyword argument 'force_all_finite'",
         "python -m pip install 'scikit-learn<1.6'"),
        ("a 1 requires b<3,>=2, but you have b 3 which is incompatible.", "python -m pip install 'b<3,>=2'"),
    ],
)  # fmt: skip
def test_known_failures_lead_to_their_fix(lessons: tuple[Lesson, ...], output: str, command: str) -> None:
    found = match("Traceback (most recent call last):\n" + output + "\n", lessons)
    assert [render_fix(lesson.fix, found.groups, {}) for lesson in found.lessons][:1] == [command]


@pytest.mark.parametrize("name", ["out/tables/x.csv", "deep/er/y.txt"])
def test_the_missing_folder_is_really_made(lessons: tuple[Lesson, ...], tmp_path: Path, name: str) -> None:
    def run(command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(["bash", "-c", command], cwd=tmp_path, capture_output=True, text=True)

    step = f"python3 -c \"open('{name}', 'w').close()\""
    failed = run(step)
    found = match(failed.stderr, lessons, command=step, status=failed.returncode)
    assert failed.returncode and found.lessons
    assert run(render_fix(found.lessons[0].fix, found.groups, {})).returncode == 0
    assert run(step).returncode == 0


def test_a_recipe_of_one_failure_does_not_answer_another(lessons: tuple[Lesson, ...]) -> None:
    for output in (
        "ModuleNotFoundError: No module named 'lifelines'",
        "KeyError: 'Drug'",
        "MemoryError",
        "fine",
    ):
        assert match(output, lessons).lessons == ()
