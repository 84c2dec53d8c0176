"""Traces of scouts that work at the same time: a file each, merged in a fixed order when a round is over."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from labagent.trace import TraceWriter, read_trace

FOLDER = "lanes"
OWN = frozenset({"seq", "event", "chain"})


def lane_name(round_: int, perspective: str) -> str:
    """The name of a scout's lane in a round."""
    return f"round-{round_:02d}-{perspective}"


def lane_path(folder: Path, name: str) -> Path:
    """The file of a lane."""
    return folder / FOLDER / f"{name}.jsonl"


def merge_lanes(trace: TraceWriter, folder: Path, names: Iterable[str] | None = None) -> int:
    """Copy what lanes hold, and the trace does not have yet, into the trace; costs are then counted there.

    Merging again adds nothing, so that what a killed start left in its lanes is neither lost nor doubled.

    Args:
        trace: the main trace.
        folder: its folder, with the lanes.
        names: the lanes in the order wanted; all there are, by name, where ``None``.

    Returns:
        How many events were added.
    """
    there = sorted(path.stem for path in (folder / FOLDER).glob("*.jsonl"))
    merged = Counter(event["lane"] for event in read_trace(trace.path) if "lane" in event)
    added = 0
    for name in there if names is None else names:
        for event in read_trace(lane_path(folder, name))[merged[name] :]:
            fields = {key: value for key, value in event.items() if key not in OWN}
            fields["at"] = fields.pop("time")
            trace.event(event["event"], lane=name, lane_seq=event["seq"], **fields)
            added += 1
    return added
