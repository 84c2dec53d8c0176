"""The state of a memory: order and repetition do not matter; outcomes promote and quarantine."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from labagent.errors import MemoryStoreError
from labagent.files import sha256_file
from labagent.memory import classify, fold, lesson_event, open_memory, outcome_event, read_frozen
from labagent.models.config import MemorySettings
from labagent.models.memory import LessonEvent, Provenance

FAILURE = classify("ModuleNotFoundError: No module named 'pkg_resources'")


def lesson(run: str = "arm/t/1", fix: str = "pip install 'setuptools<81'", **more) -> LessonEvent:
    skill = more.pop("skill", "")
    more.setdefault("time", 1.0)
    return lesson_event(FAILURE, fix, provenance=Provenance(run=run, turn=3, skill=skill), **more)


def outcome(target: LessonEvent, success: bool, run: str, turn: int = 1, time: float = 1.0):
    return outcome_event(target.id, success, provenance=Provenance(run=run, turn=turn), time=time)


def test_the_same_lesson_of_two_runs_is_one_and_promoted() -> None:
    (one,) = fold([], [lesson("a/t/1")])
    assert (one.status, one.successes, one.groups["distribution"]) == ("candidate", 0, "setuptools")
    (both,) = fold([], [lesson("a/t/1"), lesson("a/u/1")])
    assert both.status == "promoted" and [p.run for p in both.provenance] == ["a/t/1", "a/u/1"]


def test_the_same_run_twice_promotes_nothing() -> None:
    (one,) = fold([], [lesson(), lesson(), outcome(lesson(), True, "arm/t/1")])
    assert (one.status, one.successes) == ("candidate", 1)


def test_a_success_in_another_run_promotes() -> None:
    (one,) = fold([], [lesson(), outcome(lesson(), True, "arm/u/1")])
    assert (one.status, one.successes, one.failures) == ("promoted", 1, 0)


@pytest.mark.parametrize(
    ("good", "bad", "status"),
    [
        (0, 1, "candidate"),
        (0, 2, "quarantined"),
        (2, 2, "promoted"),
        (2, 3, "quarantined"),
        (3, 2, "promoted"),
    ],
)
def test_failures_quarantine(good: int, bad: int, status: str) -> None:
    events = [outcome(lesson(), n < good, f"arm/x/{n}") for n in range(good + bad)]
    (one,) = fold([], [lesson(), *events])
    assert (one.status, one.successes, one.failures) == (status, good, bad)


def test_reviewed_lessons_start_as_promoted_and_can_still_be_quarantined() -> None:
    (one,) = fold([lesson("library")])
    assert one.status == "promoted"
    (one,) = fold([lesson("library")], [outcome(lesson(), False, "a/t/1"), outcome(lesson(), False, "a/u/1")])
    assert one.status == "quarantined"


def test_a_judgment_needs_outcomes_of_two_runs() -> None:
    judged = lesson("a/t/1", scope="judgment", skill="cox")
    again = lesson("a/u/1", scope="judgment", skill="cox")
    assert fold([], [judged, again])[0].status == "candidate"
    assert (
        fold([], [judged, outcome(judged, True, "a/t/1"), outcome(judged, True, "a/u/1")])[0].status
        == "promoted"
    )


def test_recipes_of_two_skills_are_two_lessons_operational_ones_are_one() -> None:
    assert len(fold([], [lesson(skill="a"), lesson(skill="b")])) == 1
    assert len(fold([], [lesson(skill="a", scope="recipe"), lesson(skill="b", scope="recipe")])) == 2


def test_an_outcome_of_an_unknown_lesson_is_passed_over() -> None:
    assert fold([], [outcome_event("L" + "f" * 16, True, provenance=Provenance(run="x"))]) == ()


FIXES = ["pip install 'setuptools<81'", "pip install 'setuptools<70'", "conda install -y setuptools"]
LESSONS = st.builds(
    lambda run, fix, why, time: lesson(f"a/t/{run}", FIXES[fix], why=why, time=float(time)),
    st.integers(1, 3),
    st.integers(0, 2),
    st.sampled_from(["", "one reason", "another"]),
    st.integers(0, 1),
)
OUTCOMES = st.builds(
    lambda fix, good, run, time: outcome(lesson(fix=FIXES[fix]), good, f"a/u/{run}", time=float(time)),
    st.integers(0, 2),
    st.booleans(),
    st.integers(1, 4),
    st.integers(0, 1),
)


@given(events=st.lists(st.one_of(LESSONS, OUTCOMES), max_size=12), data=st.data())
@settings(max_examples=200, deadline=None)
def test_any_order_and_any_repetition_gives_the_same_state(events, data) -> None:
    again = events + data.draw(st.lists(st.sampled_from(events), max_size=5)) if events else []
    assert fold([], data.draw(st.permutations(again))) == fold([], events)


def settings_of(root: Path) -> MemorySettings:
    return MemorySettings(library="memory/lessons.jsonl", folder="memory")


def write_library(root: Path, *events: LessonEvent) -> None:
    path = root / "memory" / "lessons.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(e.model_dump(mode="json")) + "\n" for e in events))


def test_the_modes(tmp_path: Path) -> None:
    write_library(tmp_path, lesson("library"))
    live = open_memory(settings_of(tmp_path), "arm", "live", root=tmp_path)
    live.append([lesson("arm/t/1", FIXES[1])])
    assert len(live.state()) == 2
    frozen = open_memory(settings_of(tmp_path), "arm", "frozen", root=tmp_path)
    frozen.append([lesson("arm/t/1", FIXES[2])])
    assert frozen.state() == live.state() and len(live.state()) == 2
    off = open_memory(settings_of(tmp_path), "arm", "off", root=tmp_path)
    off.append([lesson("arm/t/1", FIXES[2])])
    assert off.state() == () and len(live.state()) == 2
    assert open_memory(settings_of(tmp_path), "other", "live", root=tmp_path).state() == fold(
        [lesson("library")]
    )
    assert (tmp_path / "memory" / "lessons.jsonl").read_text().count("\n") == 1


def test_freezing_gives_the_hash_of_what_the_run_saw(tmp_path: Path) -> None:
    memory = open_memory(settings_of(tmp_path), "arm", "live", root=tmp_path)
    memory.append([lesson("arm/t/1"), lesson("arm/t/2", FIXES[1])])
    digest = memory.freeze(tmp_path / "try-1" / "memory.json")
    assert digest == sha256_file(tmp_path / "try-1" / "memory.json")
    assert read_frozen(tmp_path / "try-1" / "memory.json") == memory.state()
    assert memory.freeze(tmp_path / "try-2" / "memory.json") == digest
    memory.append([lesson("arm/t/3", FIXES[2])])
    assert memory.freeze(tmp_path / "try-3" / "memory.json") != digest


def test_an_arm_cannot_write_into_the_library(tmp_path: Path) -> None:
    with pytest.raises(MemoryStoreError, match=r'arm "lessons".*rename the arm'):
        open_memory(settings_of(tmp_path), "lessons", "live", root=tmp_path)


def test_secrets_never_enter_an_event(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HUB_TOKEN", "swordfish-12345")
    event = lesson(fix="curl -H 'Authorization: Bearer swordfish-12345' x", why="token swordfish-12345")
    assert "swordfish" not in event.model_dump_json() and "[redacted:HUB_TOKEN]" in event.fix
