"""Recorded calls, content-addressed, so that a run can be replayed.

``calls.jsonl`` holds each message once (``{"message": hash, "role", "content"}``) and a line a call that
names its messages by hash: a long conversation takes space by its length, not by its square.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from labagent.files import append_jsonl, read_jsonl, sha256_json
from labagent.llm.interface import Message, Reply
from labagent.models.run import Usage
from labagent.redaction import redact

DIGITS = 32


def message_hash(message: Message) -> str:
    """Content hash of one (redacted) message."""
    return sha256_json({"role": message["role"], "content": redact(message["content"])})[:DIGITS]


def request_hash(model: str, messages: list[Message], parameters: dict[str, Any]) -> str:
    """Content hash of a request: the model, its messages and what shapes the answer."""
    body = {"model": model, "messages": [message_hash(m) for m in messages], "parameters": parameters}
    return sha256_json(body)[:DIGITS]


@dataclass(frozen=True)
class RecordedCall:
    """A request and its reply; ``occurrence`` counts equal requests from 1."""

    request: str
    occurrence: int
    model: str
    messages: list[Message]
    parameters: dict[str, Any]
    reply: Reply


class Recording:
    """Writes ``calls.jsonl``."""

    def __init__(self, path: Path) -> None:
        """Start a recording at ``path`` (a new file, beside the trace)."""
        self._path = path
        self._seen: set[str] = set()
        self._occurrences: Counter[str] = Counter()

    def add(self, model: str, messages: list[Message], parameters: dict[str, Any], reply: Reply) -> None:
        """Record one answered call; it is on disk when this returns."""
        hashes = [message_hash(m) for m in messages]
        new = {h: m for h, m in zip(hashes, messages, strict=True) if h not in self._seen}
        self._seen.update(new)
        request = request_hash(model, messages, parameters)
        self._occurrences[request] += 1
        call = {
            "request": request,
            "occurrence": self._occurrences[request],
            "model": model,
            "messages": hashes,
            "parameters": parameters,
            "reply": redact(reply.text),
            "usage": reply.usage.model_dump(),
            "cost_usd": reply.cost_usd,
            "finish_reason": reply.finish_reason,
            "reported": reply.reported,
        }
        lines = [{"message": h, "role": m["role"], "content": redact(m["content"])} for h, m in new.items()]
        append_jsonl(self._path, [*lines, call])


def read_recording(path: Path) -> list[RecordedCall]:
    """The calls of a recording, in order; a torn last line is left out."""
    messages: dict[str, Message] = {}
    calls = []
    for line in read_jsonl(path, torn_tail=True):
        if "message" in line:
            messages[line["message"]] = {"role": line["role"], "content": line["content"]}
        else:
            calls.append(_call(line, messages))
    return calls


def _call(line: dict[str, Any], messages: dict[str, Message]) -> RecordedCall:
    """One call with its messages put back."""
    return RecordedCall(
        request=line["request"],
        occurrence=line["occurrence"],
        model=line["model"],
        messages=[messages[h] for h in line["messages"]],
        parameters=line["parameters"],
        reply=Reply(
            text=line["reply"],
            usage=Usage(**line["usage"]),
            cost_usd=line["cost_usd"],
            finish_reason=line["finish_reason"],
            reported=line["reported"],
        ),
    )
