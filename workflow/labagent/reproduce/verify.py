"""Whether what a run left is whole: events, hashes, files, recorded calls, and sums."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from labagent.errors import InputError, InputFault
from labagent.files import read_jsonl, sha256_file
from labagent.llm.recording import CALLS, misplaced
from labagent.models.base import first_fault
from labagent.models.run import RunRecord
from labagent.reproduce.knowledge import FROZEN, LESSONS
from labagent.reproduce.tries import tally
from labagent.trace import read_trace, verify_chain
from labagent.trace.tries import TRACE, has_result, tries_of

Event = dict[str, Any]
CENT = 1e-9


@dataclass(frozen=True)
class TryReport:
    """What was found in one try; ``ended`` is false for one that was killed."""

    trace: Path
    events: int
    ended: bool
    faults: tuple[str, ...]


def verify_try(trace: Path) -> TryReport:
    """Check one try: its chain, that nothing is missing in it, its files, its recorded calls.

    Args:
        trace: its ``trace.jsonl``; what belongs to it lies beside it.
    """
    try:
        events = read_trace(trace)
        faults = verify_chain(trace)
    except InputError as error:
        return TryReport(trace, 0, False, tuple(map(_place, error.faults)))
    ended = bool(events) and events[-1]["event"] == "end"
    try:
        faults += [*_turns(events), *_requests(events), *_observations(trace.parent, events)]
        if not any(event.get("replay_of") for event in events[:1]):
            faults += _calls(trace.parent, events)
        if ended:
            faults += _lessons(trace.parent, events)
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        faults.append(f"an event, recorded call or lesson lacks a field or holds another kind: {error!r}")
    return TryReport(trace, len(events), ended, tuple(faults))


def verify_record(path: Path) -> list[str]:
    """Check that a ``run.json`` says what the traces beside it add up to.

    Args:
        path: the record.
    """
    try:
        record = RunRecord.read(path)
    except ValueError as error:
        return [f"is no record of a run: {first_fault(error)}"]
    try:
        return _against_tries(record, path)
    except InputError as error:
        return [f"its tries cannot be read: {_place(fault)}" for fault in error.faults]


def _against_tries(record: RunRecord, path: Path) -> list[str]:
    """What a record says that is not so."""
    tries = tries_of(path.parent)
    if record.try_folder:
        end = path.parent / record.try_folder
        if end not in tries:
            return [f"names {record.try_folder}, which is not there"]
        tries = tries[: tries.index(end) + 1]
    mine: list[Path] = []
    for folder in tries:
        last = folder.name == record.try_folder
        mine = [] if has_result(read_trace(folder / TRACE)) and not last else [*mine, folder]
    return [*_sums(record, mine), *_ending(record, path.parent)]


def _place(fault: InputFault) -> str:
    """A fault of a trace, without the file's name."""
    return f"line {fault.row} {fault.message}" if fault.row else fault.message


def _sums(record: RunRecord, tries: Sequence[Path]) -> Iterator[str]:
    """What a record says that its tries do not add up to."""
    total = tally(tries)
    cost = 0.0 if record.replay_of else total.costs.usd
    pairs: list[tuple[str, Any, Any]] = [
        ("tries", record.tries, total.tries),
        ("turns", record.turns, total.turns),
        ("failing_turns", record.failing_turns, total.failing_turns),
        ("lessons_shown", record.lessons_shown, total.lessons_shown),
        ("usage", record.usage.model_dump(), total.costs.usage.model_dump()),
    ]
    for name, said, found in pairs:
        if said != found:
            yield f"{name} is {said}; the traces add up to {found}"
    if (record.cost_usd is None) != (cost is None) or abs((record.cost_usd or 0) - (cost or 0)) > CENT:
        yield f"cost_usd is {record.cost_usd}; the traces add up to {cost}"


def _ending(record: RunRecord, folder: Path) -> Iterator[str]:
    """What a record says of its last try that is not so."""
    if not record.try_folder:
        return
    events = read_trace(folder / record.try_folder / TRACE)
    end = events[-1] if events else {}
    for name in ("status", "ended_by"):
        if end.get(name) != getattr(record, name):
            yield f"{name} is {getattr(record, name)}; the trace ends with {end.get(name)}"
    frozen = folder / record.try_folder / FROZEN
    found = sha256_file(frozen) if frozen.is_file() else "no file"
    if record.memory_sha256 != found:
        yield f"memory_sha256 is {record.memory_sha256}; {record.try_folder}/{FROZEN} is {found}"


def _turns(events: Sequence[Event]) -> Iterator[str]:
    """Commands and observations without each other; the last one of a killed try may have none."""
    stopped = _stopped(events)
    for place, event in enumerate(events):
        before = events[place - 1] if place else {"event": "", "turn": 0}
        asked = (before["event"], before.get("turn")) == ("command", event.get("turn"))
        if event["event"] == "observation" and not asked:
            yield f"event {event['seq']}: the observation of turn {event['turn']} has no command"
        if event["event"] != "command":
            continue
        after = events[place + 1] if place + 1 < len(events) else None
        missing = after is None or (after["event"], after.get("turn")) != ("observation", event["turn"])
        if missing and not (stopped and (after is None or after["event"] in ("lesson", "end"))):
            yield f"event {event['seq']}: the command of turn {event['turn']} has no observation"


def _requests(events: Sequence[Event]) -> Iterator[str]:
    """Calls without usage or reply; the last one of a killed or failed try may have none."""
    for place, event in enumerate(events):
        if event["event"] != "request":
            continue
        after = [following["event"] for following in events[place + 1 : place + 2 + _retries(events, place)]]
        rest = [kind for kind in after if kind != "retry"]
        if not rest and place + 1 + len(after) >= len(events):
            continue  # the last of a killed try
        if rest[:1] == ["usage"]:
            reply = events[place + 2 + _retries(events, place) :][:1]
            if reply and (reply[0]["event"], reply[0].get("hash")) != ("reply", event["hash"]):
                yield f"event {event['seq']}: the call has usage and no reply"
        elif rest[:1] not in (["request"], ["cap"], ["lesson"], ["end"], ["memory"]):
            yield f"event {event['seq']}: the call has no usage"


def _retries(events: Sequence[Event], place: int) -> int:
    """How many retries follow a request."""
    count = 0
    while place + 1 + count < len(events) and events[place + 1 + count]["event"] == "retry":
        count += 1
    return count


def _observations(folder: Path, events: Sequence[Event]) -> Iterator[str]:
    """Whole outputs that are gone or were altered."""
    for event in events:
        if event["event"] != "observation":
            continue
        path = folder / "observations" / Path(event["file"]).name
        if not path.is_file():
            yield f"event {event['seq']}: observations/{path.name} is not there"
        elif event.get("sha256") and sha256_file(path) != event["sha256"]:
            yield f"event {event['seq']}: observations/{path.name} is not what the command printed"


def _calls(folder: Path, events: Sequence[Event]) -> Iterator[str]:
    """Recorded calls against the trace: addresses that hold, the same requests, replies and usage."""
    asked = [event for event in events if event["event"] == "request"]
    replies = [event for event in events if event["event"] == "reply"]
    try:
        lines = list(read_jsonl(folder / CALLS, torn_tail=True)) if asked or (folder / CALLS).exists() else []
    except (OSError, ValueError) as error:
        yield f"{CALLS}: {error}"
        return
    yield from misplaced(lines)
    calls = [line for line in lines if "request" in line]
    if [call["request"] for call in calls] != [event["hash"] for event in asked[: len(calls)]]:
        yield f"{CALLS}: its requests are not those of the trace"
    if len(asked) - len(calls) > int(not has_result(list(events))):
        yield f"{CALLS}: holds {len(calls)} of {len(asked)} calls"
    told = [call for call in calls if "reply" in call]
    for call, event in zip(told, replies, strict=False):
        if call["reply"] != event["text"]:
            yield f"{CALLS}: the reply to {call['request']} is not that of the trace"
    spent = [event["usage"] for event in events if event["event"] == "usage"]
    if [call["usage"] for call in told] != spent[: len(told)]:
        yield f"{CALLS}: its usage is not that of the trace"


def _lessons(folder: Path, events: Sequence[Event]) -> Iterator[str]:
    """Lessons that the trace tells of and the file does not hold."""
    told = [event["id"] for event in events if event["event"] == "lesson"]
    path = folder / LESSONS
    held = [line.get("id") for line in read_jsonl(path, torn_tail=True)] if path.is_file() else []
    if told and told != held:
        yield f"{LESSONS}: holds {len(held)} events; the trace tells of {len(told)}"


def _stopped(events: Sequence[Event]) -> bool:
    """Whether a try was killed or failed with the machinery."""
    return not has_result(list(events))
