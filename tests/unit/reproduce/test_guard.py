"""A second process waits for the one that makes an attempt, and says so when that takes too long."""

import os
import pickle
import signal
import socket
import subprocess
import sys
import threading
import time

import pytest

from labagent.errors import InfrastructureError
from labagent.models.run import RunRecord
from labagent.reproduce import guard, reproduce
from labagent.reproduce.guard import guarded

HOLD = """
import sys, time
from pathlib import Path
from labagent.reproduce.guard import guarded
with guarded(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(float(sys.argv[2]))
"""


def holder(folder, seconds: float) -> subprocess.Popen:
    """A process that holds a folder's lock."""
    words = [sys.executable, "-c", HOLD, str(folder), str(seconds)]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "held\n"
    return process


def test_who_holds_it_and_what_to_do_is_said(tmp_path):
    process = holder(tmp_path, 60)
    try:
        with pytest.raises(InfrastructureError) as caught, guarded(tmp_path, seconds=0.2):
            pass
    finally:
        process.kill()
        process.wait()
    text = str(caught.value)
    assert str(tmp_path) in text and f"({process.pid} on {socket.gethostname()})" in text
    assert "killed" in text and f"kill {process.pid}" in text and "start the workflow again" in text


def test_the_lock_goes_with_a_killed_holder(tmp_path):
    process = holder(tmp_path, 60)
    threading.Timer(0.3, process.kill).start()
    with guarded(tmp_path, seconds=10):
        assert (tmp_path / guard.HOLDER).read_text().split()[0] == str(os.getpid())
    process.wait()
    assert not (tmp_path / guard.HOLDER).exists()


def test_a_holder_that_ends_is_waited_for(tmp_path):
    process = holder(tmp_path, 0.5)
    with guarded(tmp_path, seconds=10):
        pass
    assert process.wait(10) == 0


def test_no_second_try_runs_beside_an_orphan(make, tmp_path, monkeypatch):
    attempt = make(load="# Load\n\n```bash\nsleep 60\n```\n")
    (tmp_path / "attempt").write_bytes(pickle.dumps(attempt))
    code = "import pickle, sys; from labagent.reproduce import reproduce; "
    code += "reproduce(pickle.load(open(sys.argv[1], 'rb')))"
    orphan = subprocess.Popen([sys.executable, "-c", code, str(tmp_path / "attempt")], start_new_session=True)
    try:
        trace = attempt.folder / "try-1/trace.jsonl"
        end = time.monotonic() + 30
        while not (trace.exists() and '"command"' in trace.read_text()) and time.monotonic() < end:
            time.sleep(0.05)
        monkeypatch.setitem(guard.guarded.__wrapped__.__kwdefaults__, "seconds", 0.3)
        with pytest.raises(InfrastructureError, match=f"{orphan.pid} on"):
            reproduce(make())
        assert not (attempt.folder / "try-2").exists() and not (attempt.folder / "run.json").exists()
    finally:
        os.killpg(orphan.pid, signal.SIGKILL)
        orphan.wait()
    record = reproduce(make())
    assert (record.status, record.try_folder) == ("completed", "try-2")
    assert RunRecord.read(attempt.folder / "run.json") == record
