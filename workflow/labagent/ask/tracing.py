"""The trace of an answer: what is written while it is made, and by whom.

Events: ``start`` (question, history, condition, model, store, versions), ``routing``, ``plan``, ``call`` (id,
arguments, key, hash of the result, seconds, status), ``request``, ``usage`` and ``reply`` of a model with
the ``prompt`` before them, ``check`` (what was made of each sentence), ``answer`` (the record's own content
but for results), ``end`` (hashes of the files). The answer's record holds no time; the trace holds them all.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from labagent import __version__
from labagent.models.asking import AnswerRecord, CallRecord

if TYPE_CHECKING:
    from labagent.llm import Trace
    from labagent.models.tools import Safety
    from labagent.tools.calling import Caller

Event = dict[str, Any]
ANSWER, TEXT, TRACE, CALLS = "answer.json", "answer.md", "trace.jsonl", "calls.jsonl"
VERSION = 1
"""Version of the events' form."""


class Unwritten:
    """A trace that nobody keeps, for answers without a folder; ``events`` are held meanwhile."""

    def __init__(self) -> None:
        """Begin without events."""
        self.events: list[Event] = []

    def event(self, kind: str, /, **fields: Any) -> Event:
        """Hold one event."""
        made = {"seq": len(self.events) + 1, "event": kind, **fields}
        self.events.append(made)
        return made

    def close(self) -> None:
        """Nothing is open."""


class Journal:
    """A trace whose events are also held, to see at the end whether one is missing."""

    def __init__(self, trace: Trace) -> None:
        """Pass every event on to ``trace``."""
        self._trace = trace
        self.events: list[Event] = []

    @property
    def path(self) -> Path | None:
        """The file of the trace, where there is one."""
        return getattr(self._trace, "path", None)

    def event(self, kind: str, /, **fields: Any) -> Event:
        """Write one event."""
        made: Event = self._trace.event(kind, **fields)
        self.events.append(made)
        return made


class TracedCaller:
    """A caller whose calls are in the trace before anything is made of them."""

    def __init__(self, caller: Caller, trace: Trace) -> None:
        """Pass every call on to ``caller``, which has made none yet."""
        self._caller = caller
        self._trace = trace
        self.calls: list[CallRecord] = []

    @property
    def safety(self) -> frozenset[Safety]:
        """Levels of tools that may run."""
        return frozenset(self._caller.safety)

    def call(self, tool: str, arguments: Mapping[str, Any]) -> CallRecord:
        """Run a tool; see ``Caller.call``."""
        begun = time.perf_counter()
        done = self._caller.call(tool, dict(arguments))
        self.calls.append(done)
        self._trace.event("call", **said_of(done), seconds=round(time.perf_counter() - begun, 6))
        return done


def said_of(call: CallRecord) -> dict[str, Any]:
    """What the trace says of a call: all but the result, which its hash stands for."""
    said = call.model_dump(mode="json", exclude={"result"})
    said["call"] = said.pop("id")
    return said


def content_of(record: AnswerRecord) -> dict[str, Any]:
    """What the trace says of an answer: all but the calls, each of which has an event."""
    return record.model_dump(mode="json", exclude={"calls", "trace_complete", "schema_version"})


def versions() -> dict[str, Any]:
    """Versions that an answer depends on; those of tools stand with their calls."""
    return {
        "labagent": __version__,
        "trace": VERSION,
        "answer": AnswerRecord.model_fields["schema_version"].default,
    }


def holes(events: list[Event], record: AnswerRecord) -> list[str]:
    """What an answer's record says that no event tells, and calls of a model without a reply.

    Args:
        events: all events before ``end``.
        record: the answer.
    """
    faults = []
    first = events[0] if events else {}
    if first.get("event") != "start":
        faults.append("it does not begin with start")
    for name in ("question", "condition", "model"):
        if first.get(name) != getattr(record, name):
            faults.append(f"start: {name} is not that of the answer")
    if list(record.history) != first.get("history"):
        faults.append("start: history is not that of the answer")
    told = [e for e in events if e["event"] == "call"]
    faults += _calls(told, record)
    faults += _one(
        events, "routing", record.routing.model_dump(mode="json"), needed=record.condition in PLANNED
    )
    faults += _one(events, "answer", content_of(record), needed=True)
    if record.condition in PLANNED and not any(e["event"] == "plan" for e in events):
        faults.append("there is no plan")
    return [*faults, *_replies(events), *_citations(record)]


PLANNED = frozenset({"full", "no_cite", "no_template"})
"""Conditions that route and plan."""
OF_THE_EVENT = frozenset({"seq", "time", "event", "chain", "seconds"})


def _calls(told: list[Event], record: AnswerRecord) -> list[str]:
    """Calls of the record and of the trace that are not the same."""
    from labagent.files import sha256_json

    faults = []
    if [e.get("call") for e in told] != [c.id for c in record.calls]:
        ids = ", ".join(c.id for c in record.calls) or "none"
        faults.append(
            f"calls are {', '.join(str(e.get('call')) for e in told) or 'none'}; the answer has {ids}"
        )
    known = {e.get("call"): e for e in told}
    for call in record.calls:
        event = known.get(call.id, {})
        said = {k: v for k, v in event.items() if k not in OF_THE_EVENT}
        if event and said != said_of(call):
            faults.append(f"call {call.id} is not as the trace tells it")
        if call.result is not None and sha256_json(call.result) != call.result_sha256:
            faults.append(f"call {call.id}: its result is not what its hash says")
        if call.status == "ok" and call.result is None:
            faults.append(f"call {call.id} has no result")
    return faults


def _one(events: list[Event], kind: str, wanted: dict[str, Any], *, needed: bool) -> list[str]:
    """The one event of a kind, which says the same as the record."""
    found = [{k: v for k, v in e.items() if k not in OF_THE_EVENT} for e in events if e["event"] == kind]
    if not found:
        return [f"there is no {kind}"] if needed else []
    return [] if found == [wanted] else [f"{kind} is not that of the answer"]


def _replies(events: list[Event]) -> list[str]:
    """Requests of a model that nothing followed."""
    faults = []
    for place, event in enumerate(events):
        if event["event"] == "request":
            after = next((e["event"] for e in events[place + 1 :] if e["event"] != "retry"), "")
            if after not in ("usage", "reply", "model_failed"):
                faults.append(f"event {event['seq']}: the call of the model has no reply")
    return faults


def _citations(record: AnswerRecord) -> list[str]:
    """Sentences that cite no call of this trace."""
    ids = {call.id for call in record.calls}
    unknown = sorted({cite for s in record.statements for cite in s.cites} - ids)
    if record.condition in ("react", "no_tool"):
        return []
    return [f"cites {cite}, which is no call" for cite in unknown]
