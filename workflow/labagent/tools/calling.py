"""The one way in which answers, the command line and the MCP server run tools.

``Caller`` checks arguments, takes secrets out of them, looks the call up in its store, runs it against its
backends where it has to, and numbers what came of it. A caller is made anew for every question and shares
nothing with others but files.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Collection, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from labagent.errors import ToolError
from labagent.files import sha256_json
from labagent.models.asking import CallRecord
from labagent.models.base import first_fault
from labagent.models.tools import Safety, ToolFailure, ToolReply
from labagent.redaction import redact
from labagent.tools.backends import DEFAULT, Settings, Source, connect_all, using
from labagent.tools.registry import EVERY_SAFETY, PreparedCall, checked, failure_of, prepare
from labagent.tools.store import CallStore, Stored, call_key
from labagent.tools.store.nearest import miss

COMPUTED = "computed"
NO_STORE = Path("/nonexistent")


def utc_now() -> str:
    """The time, ISO 8601 to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


class Caller:
    """Calls tools and remembers what came of it. Safe for several threads.

    Args:
        store: where calls are kept and looked up; ``None``: nowhere.
        backends: where ``uniprot.*`` and ``pubmed.*`` look, in order (``facts``, ``mirror:NAME``, ``live``
            …). The network is used by ``live`` alone.
        safety: levels of tools that may run. Without ``network`` those tools are refused whatever the
            backends are.
        settings: files of mirrors, e-mail for NCBI.
        now: the clock of what is written down.

    Backends are opened when the first tool that asks one is called, and not in mode ``replay``; one that does
    not exist or cannot be opened is then that call's error.
    """

    def __init__(
        self,
        store: CallStore | None = None,
        backends: Sequence[str | Source] = DEFAULT,
        safety: Collection[Safety] = EVERY_SAFETY,
        settings: Settings | None = None,
        now: Callable[[], str] = utc_now,
    ) -> None:
        self.store = store or CallStore(NO_STORE, "live")
        self.backends = tuple(b if isinstance(b, str) else b.name for b in backends)
        self.safety = frozenset(safety)
        self.seconds: dict[str, float] = {}
        """Latency of each call by its id; no part of a record, so that a replay gives the same record."""
        self.reused: set[str] = set()
        """Ids of calls that the store answered."""
        self._wanted, self._settings = tuple(backends), settings
        self._opened: tuple[Source, ...] | None = None
        self._now = now
        self._lock = threading.Lock()
        self._calls: list[CallRecord] = []
        self._number = 0

    @property
    def calls(self) -> tuple[CallRecord, ...]:
        """What was called so far, in the order of ids."""
        with self._lock:
            return tuple(sorted(self._calls, key=lambda c: int(c.id[1:])))

    def call(self, name: str, arguments: Any) -> CallRecord:
        """Run a tool on JSON values, or answer from the store; errors of a tool are records, not raised."""
        with self._lock:
            self._number += 1
            number = f"c{self._number}"
        begun = time.perf_counter()
        record = self._call(number, name, redacted(arguments))
        with self._lock:
            self.seconds[number] = time.perf_counter() - begun
            self._calls.append(record)
        return record

    def _call(self, number: str, name: str, arguments: Any) -> CallRecord:
        """One call with its number."""
        ready = prepare(name, arguments, safety=self.safety)
        if isinstance(ready, ToolReply):
            return _refused(number, ready, arguments)
        version, key = ready.tool.version, call_key(name, ready.tool.version, ready.arguments)
        try:
            if self.store.mode == "replay":
                stored = self.store.get(name, key)
                if stored is None:
                    return _failed(number, ready, key, miss(self.store, name, version, ready.arguments))
                return self._reuse(number, ready, stored)
            asked = self._sources(ready)
        except ToolError as error:
            return _failed(number, ready, key, failure_of(error))
        stored = self._standing(name, key, asked)
        return (
            self._reuse(number, ready, stored) if stored else _record(number, self._fresh(ready, key, asked))
        )

    def _reuse(self, number: str, ready: PreparedCall, stored: Stored) -> CallRecord:
        """A kept call, if its result fits the tool as it is now."""
        if fault := _misfit(ready, stored):
            return _failed(number, ready, stored.key, fault)
        self.reused.add(number)
        return _record(number, stored)

    def _sources(self, ready: PreparedCall) -> tuple[Source, ...]:
        """The backends, for a tool that asks them."""
        if ready.tool.safety != "network":
            return ()
        with self._lock:
            if self._opened is None:
                self._opened = connect_all(self._wanted, self._settings)
            return self._opened

    def _standing(self, name: str, key: str, asked: Sequence[Source]) -> Stored | None:
        """In mode ``auto``: what is kept, if it is sound, for good, and from the sources asked now."""
        if self.store.mode != "auto":
            return None
        try:
            stored = self.store.get(name, key)
        except ToolError:
            return None  # damaged: it is called again and replaced
        current = tuple(s.identity for s in asked)
        return stored if stored and not stored.transient and stored.sources == current else None

    def _fresh(self, ready: PreparedCall, key: str, asked: Sequence[Source]) -> Stored:
        """Call the tool and keep what it gives, where the mode says so; what is kept then is what counts."""
        with using(asked):
            reply = ready.run()
        result: dict[str, Any] | None = _in_order(redacted(reply.result))
        given = result or {}
        local = ready.tool.safety != "network"
        stored = Stored(
            key=key,
            tool=reply.tool,
            version=reply.version,
            arguments=reply.arguments,
            status=reply.status,
            result=result,
            error=ToolFailure.model_validate(redacted(reply.error.model_dump())) if reply.error else None,
            source=COMPUTED if local else str(given.get("source", "")),
            retrieved="" if local else str(given.get("retrieved", "")),
            sources=tuple(s.identity for s in asked),
            recorded_at=self._now(),
        )
        return self.store.keep(stored) if self.store.mode in ("record", "auto") else stored


def redacted(value: Any) -> Any:
    """JSON values with every secret in their strings replaced (keys of objects, too)."""
    if isinstance(value, str):
        return redact(value)
    if isinstance(value, dict):
        return {redacted(k): redacted(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [redacted(v) for v in value]
    return value


def _in_order(value: Any) -> Any:
    """JSON values with the keys of objects sorted, as a stored call has them."""
    return json.loads(json.dumps(value, sort_keys=True))


def _record(number: str, stored: Stored) -> CallRecord:
    """A kept call as a call of an answer."""
    return CallRecord(
        id=number,
        tool=stored.tool,
        version=stored.version,
        arguments=stored.arguments,
        key=stored.key,
        status=stored.status,
        result=stored.result,
        result_sha256=sha256_json(stored.result) if stored.result is not None else "",
        error=stored.error,
        source=stored.source,
        retrieved=stored.retrieved,
    )


def _failed(number: str, ready: PreparedCall, key: str, failure: ToolFailure) -> CallRecord:
    """A call that was not run."""
    return CallRecord(
        id=number,
        tool=ready.tool.name,
        version=ready.tool.version,
        arguments=ready.arguments,
        key=key,
        status="error",
        error=failure,
    )


def _refused(number: str, reply: ToolReply, arguments: Any) -> CallRecord:
    """A call that cannot be made; its arguments are shown as far as they are an object."""
    shown = arguments if isinstance(arguments, dict) and _is_json(arguments) else {}
    key = call_key(reply.tool, reply.version, shown)
    return CallRecord(
        id=number,
        tool=reply.tool,
        version=reply.version,
        arguments=shown,
        key=key,
        status="error",
        error=reply.error,
    )


def _is_json(arguments: dict[Any, Any]) -> bool:
    """Whether the arguments can be written down."""
    try:
        sha256_json(arguments)
    except (TypeError, ValueError, RecursionError):
        return False
    return all(isinstance(key, str) for key in arguments)


def _misfit(ready: PreparedCall, stored: Stored) -> ToolFailure | None:
    """Why a stored result is none of this tool: it was written by hand, or by another release."""
    if stored.result is None:
        return None
    try:
        checked(ready.tool.result, stored.result)
    except (ValidationError, ToolError) as error:
        why = first_fault(error) if isinstance(error, ValidationError) else error.message
        message = f"the stored result of {ready.tool.name} {ready.tool.version} does not fit its type: {why}"
        return ToolFailure(code="result", message=message, hints=("record the call again",))
    return None
