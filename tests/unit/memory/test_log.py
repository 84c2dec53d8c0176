"""The event log under real processes that are really killed, on really full and really read-only places."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from labagent.errors import InfrastructureError, MemoryStoreError
from labagent.memory import fold, open_memory, outcome_event
from labagent.memory.log import append_events, locked, read_events, read_lines
from labagent.models.config import MemorySettings
from labagent.models.memory import Provenance

WRITERS = """
import os, sys
from pathlib import Path
from labagent.memory import classify, lesson_event, outcome_event
from labagent.memory.log import append_events
from labagent.models.memory import Provenance
folder, writers, count = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
failure = classify("ModuleNotFoundError: No module named 'lifelines'")
pids = []
for writer in range(writers):
    pid = os.fork()
    if pid == 0:
        acknowledged = os.open(folder / f"ack{writer}", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        for turn in range(count):
            where = Provenance(run=f"a/t/{writer}", turn=turn, source="x" * (turn % 700))
            fix = f"pip install lifelines=={turn % 50}"
            lesson = lesson_event(failure, fix, provenance=where, time=1.0)
            events = [lesson, outcome_event(lesson.id, turn % 3 > 0, provenance=where, time=1.0)]
            append_events(folder / "arm.jsonl", events)
            os.write(acknowledged, f"{writer} {turn} {events[1].id}\\n".encode())
        os._exit(0)
    pids.append(pid)
print(*pids, flush=True)
for pid in pids:
    os.waitpid(pid, 0)
"""


def event(turn: int, run: str = "a/t/1"):
    return outcome_event("L" + "0" * 16, True, provenance=Provenance(run=run, turn=turn), time=1.0)


def test_what_is_appended_is_read_back(tmp_path: Path) -> None:
    path = tmp_path / "memory" / "arm.jsonl"
    append_events(path, [event(1), event(2)])
    append_events(path, [event(3)])
    assert list(read_events(path)) == [event(1), event(2), event(3)]
    assert list(read_events(tmp_path / "none.jsonl")) == []


def lines_of(path: Path) -> list[str]:
    """The whole lines of a file that may not be there yet."""
    return path.read_text().split("\n")[:-1] if path.exists() else []


def test_writers_that_are_killed_lose_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    path, writers, count = tmp_path / "arm.jsonl", 32, 200
    generator = random.Random(4)
    started = subprocess.Popen(
        [sys.executable, "-c", WRITERS, str(tmp_path), str(writers), str(count)],
        stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert started.stdout is not None
    pids = [int(word) for word in started.stdout.readline().split()]
    doomed = {n: generator.randrange(1, count - 60) for n in generator.sample(range(writers), 10)}
    waiting = dict(doomed)
    while waiting:
        for n in [n for n, after in waiting.items() if len(lines_of(tmp_path / f"ack{n}")) >= after]:
            os.kill(pids[n], signal.SIGKILL)
            del waiting[n]
        time.sleep(0.002)
    assert started.wait(timeout=300) == 0
    acknowledged = [line.split() for n in range(writers) for line in lines_of(tmp_path / f"ack{n}")]
    last = event(0, "last/writer/1")
    append_events(path, [last])
    entries = [entry for _, entry, _ in read_lines(path)]
    assert sum(entry is None for entry in entries) <= len(doomed) and path.read_bytes().endswith(b"\n")
    outcomes = Counter(e.id for e in entries if e is not None and e.event == "outcome")
    lessons = Counter((e.provenance.run, e.provenance.turn) for e in entries if e and e.event == "lesson")
    assert all(len(lines_of(tmp_path / f"ack{n}")) == count for n in set(range(writers)) - doomed.keys())
    assert all(len(lines_of(tmp_path / f"ack{n}")) < count for n in doomed), "killed while writing"
    assert all(outcomes[name] == 1 and lessons[f"a/t/{n}", int(turn)] == 1 for n, turn, name in acknowledged)
    assert set(outcomes.values()) == set(lessons.values()) == {1}
    # All times are equal: the state must not depend on the order in which the writers came.
    events = list(read_events(path))
    state = fold([], events)
    for seed in range(3):
        random.Random(seed).shuffle(events)
        assert fold([], events) == state
    assert len(state) == 50 and sum(x.successes + x.failures for x in state) == len(outcomes) - 1


def test_a_torn_tail_is_passed_over_and_healed(tmp_path: Path) -> None:
    path = tmp_path / "arm.jsonl"
    append_events(path, [event(1)])
    whole = path.read_bytes()
    for cut in range(1, len(whole)):
        path.write_bytes(whole + whole[:cut])
        assert next(e.id for e in read_events(path)) == event(1).id
        append_events(path, [event(2)])
        assert [e.id for e in read_events(path)][-1] == event(2).id
        assert {e.id for e in read_events(path)} == {event(1).id, event(2).id}


def test_lines_of_another_kind_are_passed_over_but_not_in_a_file_people_edit(tmp_path: Path) -> None:
    path = tmp_path / "arm.jsonl"
    append_events(path, [event(1)])
    with path.open("ab") as stream:
        stream.write(b'{"event": "surprise"}\n\xff\xfe\n[1]\n')
    assert list(read_events(path)) == [event(1)]
    with pytest.raises(MemoryStoreError, match=r"line 2: .*surprise.*allowed: lesson, outcome"):
        list(read_events(path, strict=True))


def test_a_lock_held_by_a_dead_process_is_free(tmp_path: Path) -> None:
    lock = tmp_path / "l.lock"
    code = (
        "import sys, time; from pathlib import Path; from labagent.memory.log import locked\n"
        "with locked(Path(sys.argv[1])): print('held', flush=True); time.sleep(60)"
    )
    process = subprocess.Popen([sys.executable, "-c", code, str(lock)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None and process.stdout.readline() == "held\n"
    process.kill()
    process.wait()
    began = time.monotonic()
    with locked(lock):
        assert time.monotonic() - began < 5


def test_a_lock_excludes_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("labagent.memory.log.LOCK_SECONDS", 0.2)
    code = (
        "import sys, time; from pathlib import Path; from labagent.memory.log import locked\n"
        "with locked(Path(sys.argv[1])): print('held', flush=True); time.sleep(60)"
    )
    lock = tmp_path / "arm.jsonl.lock"
    process = subprocess.Popen([sys.executable, "-c", code, str(lock)], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None and process.stdout.readline() == "held\n"
        with pytest.raises(InfrastructureError, match="held by another process"):
            append_events(tmp_path / "arm.jsonl", [event(1)])
    finally:
        process.kill()
        process.wait()


def test_without_flock_a_marker_file_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import fcntl

    def refuse(*_: object) -> None:
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr(fcntl, "flock", refuse)
    path = tmp_path / "arm.jsonl"
    with locked(path.with_name("arm.jsonl.lock")):
        assert any(p.name.endswith((".marker", ".lock")) for p in tmp_path.iterdir())
    append_events(path, [event(1)])
    assert list(read_events(path)) == [event(1)]


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    place = tmp_path / "small"
    place.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(place)], capture_output=True
    )
    if mounted.returncode:
        pytest.skip(f"cannot mount here: {mounted.stderr.decode().strip()}")
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)


def test_a_full_disk_is_a_clear_error_and_leaves_no_torn_line(small_disk: Path) -> None:
    memory = open_memory(MemorySettings(folder="."), "arm", "live", root=small_disk)
    with pytest.raises(InfrastructureError, match=r"arm\.jsonl.*no space left on the device"):
        for turn in range(10_000):
            memory.append([event(turn)])
    assert [fault for _, entry, fault in read_lines(memory.live) if entry is None] == []
    kept = len(list(read_events(memory.live)))
    assert 50 < kept < 10_000
    (small_disk / "arm.jsonl").write_bytes((small_disk / "arm.jsonl").read_bytes()[:-2000])
    memory.append([event(20_000)])
    assert list(read_events(memory.live))[-1] == event(20_000)


def test_a_read_only_place_is_a_clear_error(small_disk: Path) -> None:
    memory = open_memory(MemorySettings(folder="."), "arm", "live", root=small_disk)
    memory.append([event(1)])
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    with pytest.raises(MemoryStoreError, match=r"arm\.jsonl.*Read-only.*frozen or off"):
        memory.append([event(2)])
    assert list(read_events(memory.live)) == [event(1)]
    assert memory.state() == ()


def test_each_batch_is_one_write_and_one_sync(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []
    write, fsync = os.write, os.fsync
    monkeypatch.setattr(os, "write", lambda fd, data: (calls.append("write"), write(fd, data))[1])
    monkeypatch.setattr(os, "fsync", lambda fd: (calls.append("fsync"), fsync(fd))[1])
    append_events(tmp_path / "arm.jsonl", [event(n) for n in range(200)])
    assert calls == ["write", "fsync"]
    assert all(
        json.loads(line)["event"] == "outcome" for line in (tmp_path / "arm.jsonl").read_text().splitlines()
    )
