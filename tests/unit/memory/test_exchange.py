"""Lessons that leave one lab and come into another."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from labagent.errors import MemoryStoreError
from labagent.memory import Memory, classify, fold, lesson_event, match, outcome_event
from labagent.memory.exchange import export_events, import_events, write_export
from labagent.memory.log import append_events, read_events
from labagent.models.memory import LessonEvent, Provenance

FAILURE = "ModuleNotFoundError: No module named 'lifelines'"
LIBRARY = Path(__file__).parents[3] / "memory" / "lessons.jsonl"


def lesson(text: str, fix: str, run: str = "offline/brca/1", **more: object) -> LessonEvent:
    where = Provenance(run=run, turn=2, skill="cox")
    return lesson_event(classify(text), fix, provenance=where, time=1.0, **more)  # type: ignore[arg-type]


def outcome(event: LessonEvent, run: str, success: bool):
    return outcome_event(event.id, success, provenance=Provenance(run=run, turn=4), time=2.0)


def memory(folder: Path) -> Memory:
    return Memory(arm="arm", mode="live", library=folder / "library.jsonl", live=folder / "arm.jsonl")


def nothing(_: str) -> bool:
    return False


GOOD = lesson(FAILURE, "python -m pip install {distribution}")
POOR = lesson("ModuleNotFoundError: No module named 'mne'", "pip install wrong")
SENT = [
    GOOD,
    outcome(GOOD, "offline/luad/1", True),
    outcome(GOOD, "offline/kirc/1", False),
    POOR,
    outcome(POOR, "offline/luad/1", False),
    outcome(POOR, "offline/luad/2", False),
]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """What a lab with one good and one poor lesson exports."""
    sender = memory(tmp_path / "sender")
    append_events(sender.live, SENT)
    write_export(tmp_path / "lessons.jsonl", export_events(sender))
    return tmp_path / "lessons.jsonl"


def test_a_lesson_travels_with_its_origin_and_helps_there(file: Path, tmp_path: Path) -> None:
    assert "wrong" not in file.read_text(), "quarantined lessons stay at home"
    here = memory(tmp_path / "here")
    done = import_events(here, file, lab="north", published=nothing)
    assert (len(done.lessons), len(done.outcomes), done.refused) == (1, 2, ())
    (state,) = here.state()
    assert state.provenance[0].run == "north:offline/brca/1"
    assert (state.successes, state.failures) == (1, 1)
    # Two good runs elsewhere are one piece of evidence here; the first success here is the second.
    assert state.status == "candidate"
    assert match(FAILURE, here.state()).lessons[0].id == GOOD.id
    here.append([outcome(GOOD, "offline/ours/1", True)])
    assert here.state()[0].status == "promoted"


def test_importing_twice_or_what_came_from_here_adds_nothing(file: Path, tmp_path: Path) -> None:
    here = memory(tmp_path / "here")
    import_events(here, file, lab="north", published=nothing)
    before = here.live.read_bytes()
    done = import_events(here, file, lab="north", published=nothing)
    assert (done.lessons, done.outcomes, here.live.read_bytes()) == ((), (), before)
    write_export(tmp_path / "again.jsonl", export_events(here))
    third = memory(tmp_path / "third")
    import_events(third, tmp_path / "again.jsonl", lab="south", published=nothing)
    assert third.state() == here.state(), "the first lab's name stays"


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"fix": "pip install --index-url https://u:hunter2secret@x/simple y"}, "secret"),
        ({"why": "key sk-proj-" + "a1B2" * 12}, "secret"),
        ({"fix": "/home/anna/env/bin/pip install y"}, "path of a machine: /home/anna"),
        ({"why": "seen in /scratch/project9/x"}, "path of a machine"),
        ({"why": "the published value is 0.7312"}, "published value"),
        ({"groups": {"module": "0.7312"}}, "published value"),
        ({"failure_class": "surprise"}, "unknown failure class 'surprise'"),
        ({"fix": "cp {elsewhere} x"}, "unknown place in the fix: elsewhere"),
        ({"fix": "  "}, "its fix is empty"),
        ({"why": "x\x1b[2J"}, "control characters"),
        ({"why": "x" * 5000}, "allowed: 4000"),
        ({"id": "L" + "0" * 16}, "its id is L0000000000000000"),
    ],
)
def test_each_line_is_checked(change: dict[str, object], reason: str, tmp_path: Path) -> None:
    from labagent.memory.ids import lesson_id

    text = GOOD.model_dump(mode="json") | change
    if "id" not in change:
        text["id"] = lesson_id(text["signature"], text["fix"], text["scope"], "cox")
    path = tmp_path / "x.jsonl"
    other = outcome_event(str(text["id"]), True, provenance=Provenance(run="a/b/1"), time=1.0)
    path.write_text(f"{json.dumps(text)}\nnot json\n{other.model_dump_json()}\n")
    here = memory(tmp_path / "here")
    done = import_events(here, path, lab="north", published=lambda said: "0.7312" in said)
    assert [item.line for item in done.refused] == [1, 2, 3] and reason in done.refused[0].reason
    assert here.state() == () and list(read_events(here.live)) == []


def test_what_cannot_be_taken_in_at_all(file: Path, tmp_path: Path) -> None:
    here = memory(tmp_path / "here")
    with pytest.raises(MemoryStoreError, match="no name of a lab"):
        import_events(here, file, lab="a/b", published=nothing)
    with pytest.raises(MemoryStoreError, match="no such file"):
        import_events(here, tmp_path / "none", lab="north", published=nothing)
    with pytest.raises(MemoryStoreError, match="no lesson L1"):
        export_events(here, ["L1"])


def test_the_library_can_be_exported_whole(tmp_path: Path) -> None:
    sender = Memory(arm="arm", mode="live", library=LIBRARY, live=tmp_path / "none.jsonl")
    write_export(tmp_path / "all.jsonl", export_events(sender))
    here = memory(tmp_path / "here")
    done = import_events(here, tmp_path / "all.jsonl", lab="north", published=nothing)
    assert len(done.lessons) == len(fold(read_events(LIBRARY))) and done.refused == ()
