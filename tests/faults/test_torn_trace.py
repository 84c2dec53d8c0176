"""A trace cut off at any byte of its last record: what was whole is read, the next try counts on from it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from labagent.models.run import Usage
from labagent.trace import TraceWriter, costs, lost_call, read_trace, verify_chain

LAST = (
    "usage",
    {"usage": {"prompt_tokens": 7, "completion_tokens": 2}, "cost_usd": 0.5, "text": "Grüße 🧬" * 3},
)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("trace") / "trace.jsonl"
    with TraceWriter(path) as trace:
        trace.event("start", arm="a")
        trace.event("request", hash="h", possible_usd=0.75, possible_tokens=100)
        trace.event(LAST[0], **LAST[1])
    return path.read_bytes()


def test_cut_at_every_byte_of_the_last_record(whole: bytes, tmp_path: Path) -> None:
    last = whole.splitlines(keepends=True)[-1]
    begin = len(whole) - len(last)
    assert len(last) > 150
    for length in range(begin, len(whole)):
        path = tmp_path / f"{length}.jsonl"
        path.write_bytes(whole[:length])
        events = read_trace(path)
        assert [e["event"] for e in events] == ["start", "request"], f"cut at byte {length}"
        assert verify_chain(path) == []
        with TraceWriter(path) as trace:
            written = trace.event("end", status="completed")
            assert trace.costs == costs(path)
        assert written["seq"] == 3
        assert verify_chain(path) == []
        assert all(json.loads(line) for line in path.read_bytes().splitlines())


def test_a_call_whose_usage_was_torn_off_may_have_been_billed(whole: bytes, tmp_path: Path) -> None:
    path = tmp_path / "trace.jsonl"
    path.write_bytes(whole[:-1])
    torn, full = costs(path), tmp_path / "whole.jsonl"
    full.write_bytes(whole)
    assert (torn.usd, torn.usage) == (0.0, Usage())
    assert lost_call(read_trace(path)).possible_usd == 0.75, "the worst case of the call counts"
    assert (costs(full).usd, lost_call(read_trace(full)).possible_usd) == (0.5, 0.0)
