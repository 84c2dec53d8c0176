"""What of a trace is on disk, and when."""

import errno
import os
import threading

import pytest

from labagent.trace import TraceWriter, read_trace
from labagent.trace.writer import SYNCED_AT_ONCE


@pytest.fixture
def syncs(monkeypatch):
    """Syncs that were done, each with the file's size when it began; they wait until ``gate`` is open."""
    real, done, gate = os.fsync, [], threading.Event()

    def fsync(descriptor):
        size = os.fstat(descriptor).st_size
        assert gate.wait(30)
        real(descriptor)
        done.append(size)

    monkeypatch.setattr(os, "fsync", fsync)
    return done, gate


def test_an_event_is_in_the_file_before_any_sync_is_over(tmp_path, syncs):
    done, gate = syncs
    trace = TraceWriter(tmp_path / "trace.jsonl")
    trace.event("command", command="a")
    trace.event("observation", text="b")
    assert [e["event"] for e in read_trace(trace.path)] == ["command", "observation"] and done == []
    gate.set()
    trace.close()
    assert done[-1] == trace.path.stat().st_size, "closing waits for what was written last"


@pytest.mark.parametrize("kind", sorted(SYNCED_AT_ONCE))
def test_events_about_money_and_ends_are_on_disk_when_the_call_returns(tmp_path, syncs, kind):
    done, gate = syncs
    gate.set()
    with TraceWriter(tmp_path / "trace.jsonl") as trace:
        trace.event("command", command="a")
        fields = {"usage": {}, "cost_usd": 0.0} if kind == "usage" else {}
        trace.event(kind, **fields)
        assert max(done) == trace.path.stat().st_size


def test_a_sync_that_fails_is_raised_at_the_next_event_or_at_closing(tmp_path, monkeypatch):
    def full(descriptor):
        raise OSError(errno.ENOSPC, "no space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="no space"), TraceWriter(tmp_path / "a.jsonl") as trace:
        trace.event("command", command="a")
    trace = TraceWriter(tmp_path / "b.jsonl")
    with pytest.raises(OSError, match="no space"):
        trace.event("usage", usage={}, cost_usd=0.0)
    with pytest.raises(OSError, match="no space"):
        trace.close()
    trace.close()
