"""Compaction: the state stays the same whatever comes before and after; writers go on; nothing is lost."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from labagent.cli import run_command
from labagent.errors import InfrastructureError
from labagent.memory import Memory, classify, fold, lesson_event, outcome_event
from labagent.memory.audit import audit
from labagent.memory.exchange import export_events
from labagent.memory.log import append_events, encode, read_events, read_lines
from labagent.memory.snapshot import compact, state_of
from labagent.models.memory import LessonEvent, OutcomeEvent, Provenance

FAILURES = [
    classify(f"ModuleNotFoundError: No module named '{name}'") for name in ("pkg_resources", "yaml", "PIL")
]
Event = LessonEvent | OutcomeEvent

origins = st.builds(
    Provenance,
    run=st.sampled_from(["a/t/1", "a/t/2", "b/u/1", "north:a/t/1"]),
    turn=st.integers(0, 2),
    skill=st.sampled_from(["", "s"]),
    source=st.sampled_from(["", "by hand"]),
)
lessons = st.builds(
    lesson_event,
    st.sampled_from(FAILURES),
    st.sampled_from(["pip install x", "pip install 'y<2'"]),
    provenance=origins,
    scope=st.sampled_from(["operational", "recipe", "judgment"]),
    why=st.sampled_from(["", "because", "since"]),
    environment=st.sampled_from([{}, {"python": "3.11"}]),
    time=st.sampled_from([0.0, 1.0, 2.5]),
)


@st.composite
def histories(draw: st.DrawFn) -> list[Event]:
    found: list[Event] = draw(st.lists(lessons, max_size=8))
    names = [event.id for event in found] + ["L" + "0" * 16]
    outcome = st.builds(
        outcome_event,
        st.sampled_from(names),
        st.booleans(),
        provenance=origins,
        time=st.sampled_from([0.5, 1.0, 3.0]),
    )
    found += draw(st.lists(outcome, max_size=12))
    return [as_read(event) for event in draw(st.permutations(found))]


def as_read(event: Event) -> Event:
    """An event as it comes from a file, its keys sorted."""
    return type(event).model_validate_json(encode(event))


@settings(max_examples=40)
@given(histories(), histories(), st.integers(0, 20), st.data())
def test_the_state_is_that_of_all_events(
    tmp_path_factory: pytest.TempPathFactory,
    events: list[Event],
    library: list[Event],
    cut: int,
    data: st.DataObject,
) -> None:
    path = tmp_path_factory.mktemp("memory") / "arm.jsonl"
    before, after = events[:cut], events[cut:]
    again = data.draw(st.lists(st.sampled_from(before), max_size=3)) if before else []
    append_events(path, before)
    compact(path)
    assert state_of(library, path) == fold(library, before)
    append_events(path, [*after, *again])
    assert state_of(library, path) == fold(library, events)
    compact(path)
    assert state_of(library, path) == fold(library, events)
    assert {encode(e) for e in read_events(path)} == {encode(e) for e in events}


def memory(root: Path) -> Memory:
    return Memory(arm="arm", mode="live", library=root / "lessons.jsonl", live=root / "arm.jsonl")


def long_history(runs: int = 300) -> list[Event]:
    dice = random.Random(3)
    found: list[Event] = []
    for number in range(runs):
        origin = Provenance(run=f"arm/t{number}/1", turn=dice.randint(1, 30), skill="s")
        learned = lesson_event(
            FAILURES[number % 3], f"pip install x{number % 20}", provenance=origin, time=float(number)
        )
        found.append(learned)
        found += [
            outcome_event(
                learned.id, dice.random() < 0.8, provenance=origin.model_copy(update={"turn": turn})
            )
            for turn in range(3)
        ]
    return found


def test_what_a_run_sees_is_the_same_to_the_byte_and_the_file_is_smaller(tmp_path: Path) -> None:
    arm = memory(tmp_path)
    append_events(arm.live, long_history())
    digest, findings, exported = arm.freeze(tmp_path / "before.json"), audit(arm), export_events(arm)
    size = arm.live.stat().st_size
    done = compact(arm.live)
    assert (done.events, done.unreadable, done.bytes_before) == (1200, 0, size)
    assert done.bytes_after == arm.live.stat().st_size < size / 2
    assert len(arm.live.read_text().splitlines()) == 60
    assert arm.freeze(tmp_path / "after.json") == digest
    assert (tmp_path / "after.json").read_bytes() == (tmp_path / "before.json").read_bytes()
    assert audit(arm) == findings and export_events(arm) == exported


def test_it_can_be_undone(tmp_path: Path) -> None:
    arm = memory(tmp_path)
    events = long_history(30)
    append_events(arm.live, events)
    lines = sorted(arm.live.read_bytes().splitlines())
    compact(arm.live)
    compact(arm.live, expand=True)
    assert sorted(arm.live.read_bytes().splitlines()) == lines


def test_lines_that_cannot_be_read_stay(tmp_path: Path) -> None:
    arm = memory(tmp_path)
    append_events(arm.live, long_history(3))
    torn = b'{"event": "lesson", "id": \xff'
    with arm.live.open("ab") as stream:
        stream.write(torn)
    assert compact(arm.live).unreadable == 1
    assert torn in arm.live.read_bytes().splitlines()
    append_events(arm.live, long_history(4))
    assert [n for n, event, _ in read_lines(arm.live) if event is None] == [4]
    assert state_of([], arm.live) == fold([], map(as_read, long_history(4)))


def test_a_snapshot_that_would_lose_something_is_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    arm = memory(tmp_path)
    append_events(arm.live, long_history(3))
    before = arm.live.read_bytes()
    monkeypatch.setattr("labagent.memory.snapshot._encoded", lambda events: iter([]))
    with pytest.raises(InfrastructureError, match="nothing was changed"):
        compact(arm.live)
    assert arm.live.read_bytes() == before


WRITERS = """
import os, sys
from pathlib import Path
from labagent.memory.log import append_events
from labagent.memory.snapshot import compact
from labagent.memory import outcome_event
from labagent.models.memory import Provenance
path, count = Path(sys.argv[1]) / "arm.jsonl", int(sys.argv[2])
children = []
for number in range(5):
    child = os.fork()
    if child == 0:
        if number == 4:
            while True:
                compact(path)
        with open(f"{sys.argv[1]}/ack{number}", "w", buffering=1) as acknowledged:
            for turn in range(count):
                origin = Provenance(run=f"a/t/{number}", turn=turn)
                event = outcome_event("L" + "0" * 16, True, provenance=origin, time=1.0)
                append_events(path, [event])
                print(event.id, file=acknowledged)
        os._exit(0)
    children.append(child)
print(*children, flush=True)
for child in children:
    os.waitpid(child, 0)
"""


def test_writers_go_on_and_a_killed_compaction_loses_nothing(tmp_path: Path) -> None:
    arm = memory(tmp_path)
    append_events(arm.live, long_history(10))
    for start in range(3):
        process = subprocess.Popen(
            [sys.executable, "-c", WRITERS, str(tmp_path), "25"], stdout=subprocess.PIPE, text=True
        )
        assert process.stdout is not None
        compactor = int(process.stdout.readline().split()[4])
        time.sleep(0.05 + 0.03 * start)
        os.kill(compactor, signal.SIGKILL)
        process.communicate(timeout=120)
        acknowledged = {x for n in range(4) for x in (tmp_path / f"ack{n}").read_text().split()}
        assert len(acknowledged) == 100
        present = {event.id for event in read_events(arm.live)}
        assert acknowledged | {event.id for event in long_history(10)} <= present
    compact(arm.live)
    assert not list(tmp_path.glob(".arm.jsonl.*")), "what killed compactions left is removed"


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    append_events(tmp_path / "memory/arm.jsonl", long_history(40))
    assert run_command(["memory", "compact", "--arm", "arm", "--root", str(tmp_path), "--json"]) == 0
    done = json.loads(capsys.readouterr().out)
    assert (done["events"], done["lessons"]) == (160, len(state_of([], tmp_path / "memory/arm.jsonl")))
