"""Making an answer again from what was kept: calls from the store, replies from the recording."""

from __future__ import annotations

import difflib
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from labagent.ask.answering import Replayed, answer
from labagent.ask.tracing import ANSWER, CALLS, TEXT, TRACE
from labagent.ask.verifying import read_record
from labagent.errors import InputError, InputFault
from labagent.models.asking import AnswerRecord
from labagent.trace import read_trace

DIFF_LINES = 16
PASSED_OVER = frozenset({"seq", "time", "chain", "seconds", "store", "files"})


@dataclass(frozen=True)
class AnswerComparison:
    """``differences`` make a replay unequal; ``calls`` and ``replies`` count what was kept."""

    calls: int
    replies: int
    differences: tuple[str, ...]


def replay_answer(folder: Path, root: Path, store: Path | None = None) -> AnswerComparison:
    """Make the answer of a folder again and compare it, byte by byte.

    Args:
        folder: with ``answer.json``, ``trace.jsonl`` and, of a model, ``calls.jsonl``; it is only read.
        root: where relative places begin.
        store: where the calls are kept, if not where the trace says.

    Raises:
        InputError: the folder is no whole answer, or its calls were not kept.
        ReplayMiss: the model would now be asked what was not recorded.
    """
    record, events = read_record(folder), read_trace(folder / TRACE)
    start = events[0] if events and events[0]["event"] == "start" else {}
    if "question" not in start:
        raise InputError([InputFault(str(folder / TRACE), "does not begin with the start of an answer")])
    from labagent.tools.calling import Caller
    from labagent.tools.store import CallStore

    kept = store or store_of(folder, root, start)
    caller = Caller(CallStore(kept, "replay"), safety=start["store"].get("safety", ()))
    model = Replayed(folder / CALLS, _failure(events)) if (folder / CALLS).is_file() else None
    with tempfile.TemporaryDirectory(prefix="labagent-replay-") as place:
        again = answer(
            start["question"],
            caller=caller,
            history=start["history"],
            model=model,
            condition=start["condition"],
            folder=Path(place),
            id=start["id"],
            max_steps=start["max_steps"],
            fallback=start.get("fallback", False),
        )
        differences = [*_missed(record, again), *_files(folder, Path(place)), *_events(folder, Path(place))]
    replies = sum(event["event"] == "reply" for event in events)
    return AnswerComparison(len(record.calls), replies, tuple(differences))


def store_of(folder: Path, root: Path, start: dict[str, Any]) -> Path:
    """The folder of the store: as the trace names it, from ``root`` or from a folder above the answer.

    Raises:
        InputError: no call was kept, or the folder is not there.
    """
    told = start.get("store", {})
    if told.get("mode") == "live" or not told.get("folder"):
        message = "was made with a store in mode live, so that no call was kept; ask again with --mode auto"
        raise InputError([InputFault(str(folder), message)])
    named = Path(told["folder"])
    places = [named] if named.is_absolute() else [base / named for base in (root, *folder.resolve().parents)]
    found = next((place for place in places if place.is_dir()), None)
    if found is None:
        message = f'its calls were kept in "{named}", which is not there; name the folder with --store'
        raise InputError([InputFault(str(folder), message)])
    return found


def _failure(events: list[dict[str, Any]]) -> str:
    """Why the model's service failed, where it did."""
    return next((str(e["reason"]) for e in events if e["event"] == "model_failed"), "")


def _missed(record: AnswerRecord, again: AnswerRecord) -> Iterator[str]:
    """Calls that were answered then and are not in the store now."""
    for old, new in zip(record.calls, again.calls, strict=False):
        if new.error is not None and old.error != new.error:
            yield f"call {new.id} ({new.tool}): {new.error.message}"


def _files(folder: Path, place: Path) -> Iterator[str]:
    """Files that are not the same bytes."""
    for name in (TEXT, ANSWER):
        old, new = ((base / name) for base in (folder, place))
        first, second = (path.read_bytes() if path.is_file() else b"" for path in (old, new))
        if first != second:
            was, now = (text.decode("utf-8", "replace").splitlines() for text in (first, second))
            lines = list(difflib.unified_diff(was, now, "recorded", "replayed", lineterm="", n=1))
            yield f"{name}:\n" + "\n".join(line[:400] for line in lines[:DIFF_LINES])


def _answered(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Events without the request that the model's service failed at: a replay makes none."""
    failed = next((n for n, e in enumerate(events) if e["event"] == "model_failed"), 0)
    begin = failed
    while begin and events[begin - 1]["event"] in ("request", "retry"):
        begin -= 1
    return [*events[:begin], *events[failed:]]


def _events(folder: Path, place: Path) -> Iterator[str]:
    """The first event that differs in more than times and places."""
    old, new = (_answered(read_trace(base / TRACE)) for base in (folder, place))
    for number, (first, second) in enumerate(zip(old, new, strict=False), start=1):
        names = (first.keys() | second.keys()) - PASSED_OVER
        differing = sorted(name for name in names if first.get(name) != second.get(name))
        if differing:
            yield f"event {number} ({first['event']}): {', '.join(differing)}"
            return
    if len(old) != len(new):
        yield f"{len(old)} events were recorded, {len(new)} came"
