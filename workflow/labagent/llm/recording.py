"""Recorded calls, content-addressed, so that a run can be replayed.

``calls.jsonl`` begins with what the model was set to (``{"settings": …}``), holds each message once
(``{"message": hash, "role", "content"}``) and a line a call that names its messages by hash: a long
conversation takes space by its length, not by its square. A call's address is the hash of model, messages and
parameters, and the number of the attempt at this very request (``occurrence``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from labagent.errors import InputError, InputFault
from labagent.files import append_jsonl, read_jsonl, sha256_json
from labagent.llm.interface import Message, Reply
from labagent.models.config import ModelSettings
from labagent.models.run import Usage
from labagent.redaction import redact

DIGITS = 32
CALLS = "calls.jsonl"
Failed = Literal["", "overflow", "time_up", "budget_up"]


def message_hash(message: Message) -> str:
    """Content hash of one (redacted) message."""
    return sha256_json({"role": message["role"], "content": redact(message["content"])})[:DIGITS]


def request_hash(model: str, messages: list[Message], parameters: dict[str, Any]) -> str:
    """Content hash of a request: the model, its messages and what shapes the answer."""
    return address(model, [message_hash(message) for message in messages], parameters)


def address(model: str, messages: Sequence[str], parameters: dict[str, Any]) -> str:
    """The same from the messages' hashes."""
    return sha256_json({"model": model, "messages": list(messages), "parameters": parameters})[:DIGITS]


@dataclass(frozen=True)
class RecordedCall:
    """A request and what came of it; ``occurrence`` counts equal requests from 1.

    ``failed`` says why there was no reply: the messages were too long, the time was over, or what failed
    tries may have cost left too little. ``retries`` are the facts of the failed tries before the end.
    """

    request: str
    occurrence: int
    model: str
    messages: list[Message]
    parameters: dict[str, Any]
    reply: Reply | None = None
    failed: Failed = ""
    reason: str = ""
    retries: tuple[dict[str, Any], ...] = ()


@dataclass(frozen=True)
class Recorded:
    """A whole recording. ``settings`` hold the window and the price that the model was called with."""

    settings: ModelSettings
    calls: tuple[RecordedCall, ...]


class Recording:
    """Writes ``calls.jsonl``."""

    def __init__(self, path: Path) -> None:
        """Start a recording at ``path``; one that is there is continued, and the new one counts."""
        self._path = path
        self._seen: set[str] = set()
        self._occurrences: Counter[str] = Counter()

    def begin(self, settings: ModelSettings) -> None:
        """Record what the model is set to; its address and the name of its key's variable are left out."""
        kept = settings.model_copy(update={"api_base": None, "api_key_env": None})
        append_jsonl(self._path, [{"settings": kept.model_dump(mode="json")}])

    def add(
        self,
        model: str,
        messages: list[Message],
        parameters: dict[str, Any],
        *,
        reply: Reply | None = None,
        failed: Failed = "",
        reason: str = "",
        retries: Sequence[dict[str, Any]] = (),
    ) -> None:
        """Record what came of one call; it is on disk when this returns."""
        hashes = [message_hash(m) for m in messages]
        new = {h: m for h, m in zip(hashes, messages, strict=True) if h not in self._seen}
        self._seen.update(new)
        request = address(model, hashes, parameters)
        self._occurrences[request] += 1
        call = {
            "request": request,
            "occurrence": self._occurrences[request],
            "model": model,
            "messages": hashes,
            "parameters": parameters,
            "retries": list(retries),
            **(_answer(reply) if reply is not None else {"failed": failed, "reason": redact(reason)}),
        }
        lines = [{"message": h, "role": m["role"], "content": redact(m["content"])} for h, m in new.items()]
        append_jsonl(self._path, [*lines, call])


def read_recording(path: Path) -> Recorded:
    """The calls of a recording, in order; a torn last line is left out.

    Raises:
        InputError: there is no recording, or it does not say what the model was set to.
    """
    settings: ModelSettings | None = None
    messages: dict[str, Message] = {}
    calls: list[RecordedCall] = []
    try:
        for line in read_jsonl(path, torn_tail=True):
            if "settings" in line:
                settings, calls = ModelSettings.model_validate(line["settings"]), []
            elif "message" in line:
                messages[line["message"]] = {"role": line["role"], "content": line["content"]}
            else:
                calls.append(_call(line, messages))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError([InputFault(str(path), f"cannot be read as recorded calls: {error!r}")]) from error
    if settings is None:
        raise InputError([InputFault(str(path), "does not say what the model was set to; record it anew")])
    return Recorded(settings, tuple(calls))


def _answer(reply: Reply) -> dict[str, Any]:
    """A reply as it is recorded."""
    return {
        "reply": redact(reply.text),
        "usage": reply.usage.model_dump(),
        "cost_usd": reply.cost_usd,
        "finish_reason": reply.finish_reason,
        "reported": reply.reported,
    }


def _call(line: dict[str, Any], messages: dict[str, Message]) -> RecordedCall:
    """One call with its messages put back."""
    reply = None
    if "reply" in line:
        reply = Reply(
            text=line["reply"],
            usage=Usage(**line["usage"]),
            cost_usd=line["cost_usd"],
            finish_reason=line["finish_reason"],
            reported=line["reported"],
        )
    return RecordedCall(
        request=line["request"],
        occurrence=line["occurrence"],
        model=line["model"],
        messages=[messages[h] for h in line["messages"]],
        parameters=line["parameters"],
        reply=reply,
        failed=line.get("failed", ""),
        reason=line.get("reason", ""),
        retries=tuple(line.get("retries", ())),
    )


def misplaced(lines: Sequence[dict[str, Any]]) -> Iterator[str]:
    """What is wrong in the lines of a recording: messages and calls that are not at their addresses."""
    known = {line["message"]: line for line in lines if "message" in line}
    for name, line in known.items():
        if sha256_json({"role": line["role"], "content": line["content"]})[:DIGITS] != name:
            yield f"{CALLS}: message {name} is not what its hash says"
    calls = [line for line in lines if "request" in line]
    for number, call in enumerate(calls, start=1):
        if address(call["model"], call["messages"], call["parameters"]) != call["request"]:
            yield f"{CALLS}: call {number} is not at its address"
        if not set(call["messages"]) <= known.keys():
            yield f"{CALLS}: call {number} names a message that is not there"
