"""A clock that is set back while an attempt is made: no time is taken away, no cap lifted, no order lost."""

from __future__ import annotations

import itertools
import time
from pathlib import Path

import pytest

from labagent.reproduce.tries import TRACE, tally
from labagent.trace import TraceWriter, read_trace, verify_chain


@pytest.fixture
def jumping(monkeypatch: pytest.MonkeyPatch) -> None:
    """A clock that goes on by ten seconds a look, and is an hour back at the fourth."""
    ticks = itertools.count()
    monkeypatch.setattr(time, "time", lambda: 1e9 + 10.0 * (tick := next(ticks)) - 3600.0 * (tick >= 3))


def test_a_try_lasts_as_long_as_its_steps(jumping: None, tmp_path: Path) -> None:
    with TraceWriter(tmp_path / TRACE) as trace:
        for turn in range(6):
            trace.event("command", turn=turn, text="true")
    assert [event["turn"] for event in read_trace(tmp_path / TRACE)] == list(range(6))
    assert verify_chain(tmp_path / TRACE) == []
    assert tally([tmp_path]).wall_seconds == 40.0, "four steps of ten seconds, and the jump counts nothing"
