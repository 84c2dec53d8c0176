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
from labagent.memory import open_memory, outcome_event
from labagent.memory.log import append_events, locked, read_events, read_lines
from labagent.models.config import MemorySettings
from labagent.models.memory import Provenance

WRITER = """
import sys
from pathlib import Path
from labagent.memory import outcome_event
from labagent.memory.log import append_events
from labagent.models.memory import Provenance
path, acknowledged, writer, count = Path(sys.argv[1]), open(sys.argv[2], "a"), sys.argv[3], int(sys.argv[4])
for turn in range(count):
    where = Provenance(run=f"a/t/{writer}", turn=turn, source="x" * (turn % 700))
    event = outcome_event("L" + "0" * 16, True, provenance=where)
    append_events(path, [event])
    acknowledged.write(event.id + "\\n")
    acknowledged.flush()
"""


def event(turn: int, run: str = "a/t/1"):
    return outcome_event("L" + "0" * 16, True, provenance=Provenance(run=run, turn=turn), time=1.0)


def test_what_is_appended_is_read_back(tmp_path: Path) -> None:
    path = tmp_path / "memory" / "arm.jsonl"
    append_events(path, [event(1), event(2)])
    append_events(path, [event(3)])
    assert list(read_events(path)) == [event(1), event(2), event(3)]
    assert list(read_events(tmp_path / "none.jsonl")) == []


def test_sixteen_writers_some_killed_lose_nothing(tmp_path: Path) -> None:
    path, writers, count = tmp_path / "arm.jsonl", 16, 100
    generator = random.Random(4)
    started = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, str(path), str(tmp_path / f"ack{n}"), str(n), str(count)]
        )
        for n in range(writers)
    ]
    killed = generator.sample(started, 6)
    while sum(1 for _ in tmp_path.glob("ack*")) < writers:
        time.sleep(0.05)
    for process in killed:
        time.sleep(generator.random() * 0.3)
        process.send_signal(signal.SIGKILL)
    for process in started:
        process.wait(timeout=120)
    acknowledged = [line for n in range(writers) for line in (tmp_path / f"ack{n}").read_text().split()]
    append_events(path, [event(0, "last/writer/1")])
    found = Counter(e.id for e in read_events(path))
    survivors = [p for p in started if p not in killed]
    assert all(p.returncode == 0 for p in survivors) and len(acknowledged) >= len(survivors) * count
    assert all(found[identity] == 1 for identity in acknowledged)
    assert max(found.values()) == 1
    assert path.read_bytes().endswith(b"\n")
    torn = [fault for _, entry, fault in read_lines(path) if entry is None]
    assert len(torn) <= len(killed)


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
