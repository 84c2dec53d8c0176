"""A model that answers from a recording, and never calls anyone."""

from __future__ import annotations

import difflib
from collections import Counter
from pathlib import Path
from typing import Any

from labagent.errors import ReplayMiss
from labagent.files import to_json
from labagent.llm.interface import Message, Reply, Trace
from labagent.llm.parameters import call_parameters
from labagent.llm.recording import RecordedCall, read_recording, request_hash
from labagent.models.config import ModelSettings
from labagent.redaction import redact

DIFF_LINES = 60


class ReplayModel:
    """Answers recorded requests with their recorded replies; anything else is an error."""

    def __init__(self, recording: Path, settings: ModelSettings, trace: Trace) -> None:
        """Read a recording.

        Args:
            recording: the ``calls.jsonl`` of the run to replay.
            settings: those of the recorded run; they are part of what is asked.
            trace: receives the same events as a live run's.
        """
        self._calls = read_recording(recording)
        self._by_request = {(call.request, call.occurrence): call for call in self._calls}
        self._asked: Counter[str] = Counter()
        self._settings = settings
        self._trace = trace

    @property
    def name(self) -> str:
        """The recorded model's name."""
        return self._settings.model

    @property
    def context_tokens(self) -> int:
        """Tokens of the context window, as set."""
        return self._settings.context_tokens or 1 << 30

    def worst_case_tokens(self, messages: list[Message]) -> int:
        """Nothing is spent."""
        return 0

    def worst_case_usd(self, messages: list[Message]) -> float | None:
        """Nothing is spent."""
        return 0.0

    def complete(
        self,
        messages: list[Message],
        *,
        max_tokens: int | None = None,
        json_schema: dict[str, Any] | None = None,
        seconds: float | None = None,
    ) -> Reply:
        """The recorded reply.

        Raises:
            ReplayMiss: this request was not recorded; the message shows the nearest one and a diff.
        """
        parameters = call_parameters(self._settings, max_tokens, json_schema)
        request = request_hash(self.name, messages, parameters)
        self._asked[request] += 1
        call = self._by_request.get((request, self._asked[request]))
        if call is None:
            raise ReplayMiss(self._miss(messages, parameters))
        self._trace.event("request", hash=request, model=self.name, parameters=parameters)
        self._trace.event("usage", model=self.name, reported=call.reply.reported, **_spent(call.reply))
        self._trace.event("reply", hash=request, text=call.reply.text, finish_reason=call.reply.finish_reason)
        return call.reply

    def _miss(self, messages: list[Message], parameters: dict[str, Any]) -> str:
        """What was asked against the nearest recorded request."""
        if not self._calls:
            return f'model "{self.name}": the recording holds no call'
        asked = _as_text(self.name, messages, parameters)
        nearest = max(self._calls, key=lambda call: _likeness(call, messages))
        recorded = _as_text(nearest.model, nearest.messages, nearest.parameters)
        if asked == recorded:
            return f"request {nearest.request} was recorded {nearest.occurrence} times; this is one more"
        diff = list(difflib.unified_diff(recorded, asked, "recorded", "asked", lineterm="", n=1))
        return f"this request was not recorded; the nearest is {nearest.request}:\n" + "\n".join(
            diff[:DIFF_LINES]
        )


def _spent(reply: Reply) -> dict[str, Any]:
    """What the recorded call cost, in the order a live call writes it."""
    return {"usage": reply.usage.model_dump(), "cost_usd": reply.cost_usd}


def _likeness(call: RecordedCall, messages: list[Message]) -> tuple[int, int, float]:
    """How near a recorded request is: equal messages, then equal length, then the first differing text."""
    pairs = list(zip(call.messages, messages, strict=False))
    equal = sum(a == {**b, "content": redact(b["content"])} for a, b in pairs)
    differing = next(((a, b) for a, b in pairs if a != b), None)
    close = 1.0
    if differing:
        close = difflib.SequenceMatcher(
            None, differing[0]["content"].splitlines(), differing[1]["content"].splitlines()
        ).ratio()
    return equal, -abs(len(call.messages) - len(messages)), close


def _as_text(model: str, messages: list[Message], parameters: dict[str, Any]) -> list[str]:
    """A request as lines to compare."""
    lines = [f"model: {model}", *to_json(parameters).splitlines()]
    for message in messages:
        lines += [f"--- {message['role']}", *redact(message["content"]).splitlines()]
    return lines
