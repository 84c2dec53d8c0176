"""Whether an answer's folder is whole: events, hashes, calls, replies, and the files they vouch for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from labagent.ask.tracing import ANSWER, CALLS, TEXT, TRACE, holes
from labagent.errors import InputError, InputFault
from labagent.files import read_jsonl, sha256_file
from labagent.models.asking import AnswerRecord
from labagent.models.base import first_fault
from labagent.trace import read_trace, verify_chain

Event = dict[str, Any]


@dataclass(frozen=True)
class AnswerReport:
    """What was found; ``ended`` is false for an answer that was killed while it was made."""

    trace: Path
    events: int
    ended: bool
    faults: tuple[str, ...]


def is_answer(place: Path) -> bool:
    """Whether a place is the folder of an answer (or its record): it has one, or a trace that begins one."""
    folder = place if place.is_dir() else place.parent
    if (folder / ANSWER).is_file():
        return place.is_dir() or place.name in (ANSWER, TRACE, TEXT)
    if not (folder / TRACE).is_file():
        return False
    try:
        first = next(iter(read_trace(folder / TRACE)), {})
    except InputError:
        return False
    return first.get("event") == "start" and "question" in first


def verify_answer(folder: Path, root: Path | None = None) -> AnswerReport:
    """Check the chain, that the record says what the trace tells, the files' hashes, recorded replies.

    Args:
        folder: with ``answer.json``, ``answer.md``, ``trace.jsonl`` and, of a model, ``calls.jsonl``.
        root: where relative places begin; with it, the calls that are kept in the store are checked too
            (one that is not there any more is no fault of the trace; a replay names it).
    """
    trace = folder / TRACE
    try:
        events, faults = read_trace(trace), verify_chain(trace)
    except InputError as error:
        return AnswerReport(trace, 0, False, tuple(_place(fault) for fault in error.faults))
    ended = bool(events) and events[-1]["event"] == "end"
    if not events:
        faults.append("there is no trace")
    elif not ended:
        faults.append("it has no end: the answer was never finished, or its end is cut off")
    elif not trace.read_bytes().endswith(b"\n"):
        faults.append("something stands behind its end")
    try:
        faults += _files(folder, events[-1]) if ended else []
        faults += _record(folder, events[:-1] if ended else events)
        faults += _recorded(folder, events)
        faults += _kept(folder, root, events) if root else []
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        faults.append(f"an event or a recorded call lacks a field or holds another kind: {error!r}")
    return AnswerReport(trace, len(events), ended, tuple(dict.fromkeys(faults)))


def read_record(folder: Path) -> AnswerRecord:
    """The record of an answer.

    Raises:
        InputError: it is not there, or is none.
    """
    path = folder / ANSWER
    try:
        return AnswerRecord.read(path)
    except OSError as error:
        raise InputError([InputFault(str(path), f"cannot be read: {error.strerror}")]) from error
    except ValueError as error:
        raise InputError(
            [InputFault(str(path), f"is no record of an answer: {first_fault(error)}")]
        ) from error


def _place(fault: InputFault) -> str:
    """A fault of the trace, without the file's name."""
    return f"line {fault.row} {fault.message}" if fault.row else fault.message


def _files(folder: Path, end: Event) -> Iterator[str]:
    """Files that are not those the end vouches for."""
    for name in (ANSWER, TEXT):
        path = folder / name
        found = sha256_file(path) if path.is_file() else ""
        if not found:
            yield f"{name} is not there"
        elif end.get("files", {}).get(name) != found:
            yield f"{name} is not the one that was written"


def _record(folder: Path, events: Sequence[Event]) -> Iterator[str]:
    """What the record says and the trace does not tell."""
    try:
        record = read_record(folder)
    except InputError as error:
        yield from (f"{ANSWER} {fault.message}" for fault in error.faults)
        return
    found = holes(list(events), record)
    yield from found
    if record.trace_complete == bool(found):
        yield f"trace_complete is {record.trace_complete}, which is not so"
    text = folder / TEXT
    if text.is_file() and text.read_text("utf-8") != record.text.rstrip("\n") + "\n":
        yield f"{TEXT} is not the text of the answer"


def _kept(folder: Path, root: Path, events: Sequence[Event]) -> Iterator[str]:
    """Calls of the trace that are damaged in the store."""
    from labagent.ask.replaying import store_of
    from labagent.errors import ToolError
    from labagent.tools.store import CallStore

    try:
        store = CallStore(store_of(folder, root, events[0] if events else {}), "replay")
    except InputError:
        return
    for event in events:
        if event["event"] == "call" and event["key"]:
            try:
                store.get(event["tool"], event["key"])
            except ToolError as error:
                yield f"call {event['call']}: {error.message}"


def _recorded(folder: Path, events: Sequence[Event]) -> Iterator[str]:
    """Recorded calls of the model that are not those of the trace."""
    asked = [event for event in events if event["event"] == "request"]
    if not asked and not (folder / CALLS).exists():
        return
    from labagent.llm.recording import misplaced

    try:
        lines = list(read_jsonl(folder / CALLS, torn_tail=True))
    except (OSError, ValueError) as error:
        yield f"{CALLS}: {error}"
        return
    yield from misplaced(lines)
    calls = [line for line in lines if "request" in line]
    failed = sum(event["event"] == "model_failed" for event in events)
    if [call["request"] for call in calls] != [event["hash"] for event in asked][: len(calls)]:
        yield f"{CALLS}: its requests are not those of the trace"
    if len(asked) - len(calls) > failed:
        yield f"{CALLS}: holds {len(calls)} of {len(asked)} calls"
    replies = [e for e in events if e["event"] == "reply" and "hash" in e]
    told = [call for call in calls if "reply" in call]
    if [call["reply"] for call in told] != [event["text"] for event in replies]:
        yield f"{CALLS}: its replies are not those of the trace"
