"""The limit of requests a second: a slot is given out once, and a killed process leaves no lock."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading

import pytest

from labagent.errors import ToolError
from labagent.tools.backends._limiter import STALE, RateLimit, shared_folder

WORKER = """
import sys
from pathlib import Path
from labagent.tools.backends._limiter import RateLimit
limit = RateLimit(Path(sys.argv[1]), 0.25, clock=lambda: 100.0)
print("ready", flush=True)
sys.stdin.readline()
for _ in range(int(sys.argv[2])):
    print(repr(limit.take()), flush=True)
"""


def workers(path, count, each):
    command = [sys.executable, "-c", WORKER, str(path), str(each)]
    made = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for _ in range(count)
    ]
    assert all(p.stdout.readline() == "ready\n" for p in made)
    return made


def test_slots_of_processes_are_a_row_without_gaps_or_twins(tmp_path):
    running = workers(tmp_path / "limit", 4, 25)
    for process in running:
        process.stdin.write("\n")
        process.stdin.flush()
    slots = sorted(float(line) for p in running for line in p.communicate()[0].split())
    assert slots == [100.0 + 0.25 * n for n in range(100)]


def test_a_killed_process_stops_nobody(tmp_path):
    path = tmp_path / "limit"
    (victim,) = workers(path, 1, 2000)
    victim.stdin.write("\n")
    victim.stdin.flush()
    first = victim.stdout.readline()
    os.kill(victim.pid, signal.SIGKILL)
    rest = victim.communicate()[0]
    taken = [float(line) for line in (first + rest).split("\n")[:-1]]
    limit = RateLimit(path, 0.25, clock=lambda: 100.0)
    assert taken == [100.0 + 0.25 * n for n in range(len(taken))]
    assert limit.take() >= taken[-1] + 0.25


def test_threads_share_the_limit(tmp_path):
    limit = RateLimit(tmp_path / "limit", 1.0, clock=lambda: 7.0)
    slots = []
    threads = [
        threading.Thread(target=lambda: slots.extend(limit.take() for _ in range(10))) for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(slots) == [7.0 + n for n in range(80)]


def test_waiting_is_until_the_slot_and_not_longer(tmp_path):
    now, slept = [50.0], []

    def sleep(seconds):
        slept.append(seconds)
        now[0] += seconds

    limit = RateLimit(tmp_path / "limit", 2.0, clock=lambda: now[0], sleep=sleep)
    assert [limit.wait(), limit.wait(), limit.wait()] == [50.0, 52.0, 54.0]
    assert slept == [2.0, 2.0]
    now[0] = 90.0
    assert limit.wait() == 90.0 and slept == [2.0, 2.0]


def test_a_wish_of_the_service_holds_for_all(tmp_path):
    limit = RateLimit(tmp_path / "limit", 1.0, clock=lambda: 10.0)
    other = RateLimit(tmp_path / "limit", 1.0, clock=lambda: 10.0)
    limit.postpone(30.0)
    assert other.take() == 40.0
    limit.postpone(5.0)
    assert other.take() == 41.0


@pytest.mark.parametrize("left", ["", "no number", "nan", "inf", "-1e9", str(10.0 + STALE + 1)])
def test_what_is_left_in_the_file_cannot_stop_it(tmp_path, left):
    (tmp_path / "limit").write_text(left)
    assert RateLimit(tmp_path / "limit", 1.0, clock=lambda: 10.0).take() == 10.0


def test_a_place_that_cannot_be_written_is_said(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(ToolError, match="limit of requests") as caught:
        RateLimit(tmp_path / "file" / "limit", 1.0).take()
    assert caught.value.code == "unavailable"


def test_the_folder_is_that_of_the_user(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert shared_folder() == tmp_path / "labagent" / "limits" and shared_folder().is_dir()
    monkeypatch.setenv("XDG_CACHE_HOME", "relative/one")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert shared_folder() == tmp_path / "home" / ".cache" / "labagent" / "limits"
