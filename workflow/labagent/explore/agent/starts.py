"""Starting an exploration, or going on with one that was killed."""

from __future__ import annotations

from pathlib import Path

from labagent.explore.agent.lanes import FOLDER as LANES
from labagent.explore.agent.lanes import merge_lanes
from labagent.explore.agent.paid import FOLDER as CALLS
from labagent.trace import TraceWriter, read_trace
from labagent.trace.costs import lost_call

TRACE, RECORD, MEMORY = "trace.jsonl", "exploration.json", "lessons.json"
EARLIER = "earlier"


def open_trace(folder: Path, key: str) -> tuple[TraceWriter, int]:
    """The trace of an exploration and how manieth start of it this is, from 1.

    One without an ``end`` and with the same key is gone on with: its replies were paid for, its costs count.
    Anything else that lies there is moved to ``earlier/<n>/``.

    Args:
        folder: the exploration's folder.
        key: what the draft depends on.
    """
    events = read_trace(folder / TRACE)
    starts = [event for event in events if event["event"] == "start"]
    unfinished = bool(starts) and starts[-1].get("key") == key and events[-1]["event"] != "end"
    if not unfinished:
        _put_away(folder)
        return TraceWriter(folder / TRACE), 1
    traces = [folder / TRACE, *sorted((folder / LANES).glob("*.jsonl"))]
    lost = [lost_call(read_trace(path)) for path in traces]
    trace = TraceWriter(folder / TRACE)
    merge_lanes(trace, folder)
    trace.event(
        "retry",
        reason="killed while a reply was awaited",
        possible_usd=sum(costs.possible_usd for costs in lost),
        possible_tokens=sum(costs.possible_tokens for costs in lost),
    )
    return trace, len(starts) + 1


def _put_away(folder: Path) -> None:
    """Move what an earlier exploration left out of the way; nothing of it is lost."""
    there = [folder / name for name in (TRACE, RECORD, MEMORY, LANES, CALLS) if (folder / name).exists()]
    if not there:
        return
    number = 1
    while (folder / EARLIER / str(number)).exists():
        number += 1
    (folder / EARLIER / str(number)).mkdir(parents=True)
    for path in there:
        path.rename(folder / EARLIER / str(number) / path.name)
