"""A model that answers from a recording, and never calls anyone."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from labagent.errors import ContextOverflow, ModelBudgetUp, ModelTimeUp, ReplayMiss
from labagent.files import to_json
from labagent.llm.interface import Message, Reply, Trace
from labagent.llm.parameters import call_parameters
from labagent.llm.price import WorstCase
from labagent.llm.recording import RecordedCall, read_recording, request_hash
from labagent.redaction import redact

DIFF_LINES = 60
RAISED = {"overflow": ContextOverflow, "time_up": ModelTimeUp, "budget_up": ModelBudgetUp}


class ReplayModel:
    """Answers recorded requests with what came of them; anything else is an error.

    Sizes, window and prices are those of the recorded model, so that whoever asks shortens and stops at the
    same places.
    """

    def __init__(self, recording: Path, trace: Trace) -> None:
        """Read a recording.

        Args:
            recording: the ``calls.jsonl`` of the run to replay.
            trace: receives the same events as a live run's.

        Raises:
            InputError: there is no such recording.
        """
        recorded = read_recording(recording)
        self._path = recording
        self._calls = recorded.calls
        self._settings = recorded.settings
        self._by_request = {(call.request, call.occurrence): call for call in recorded.calls}
        self._asked: Counter[str] = Counter()
        self._trace = trace
        self._worst = WorstCase(recorded.settings.max_output_tokens, recorded.settings.price)

    @property
    def name(self) -> str:
        """The recorded model's name."""
        return self._settings.model

    @property
    def context_tokens(self) -> int:
        """Tokens of the recorded model's context window."""
        return self._settings.context_tokens or 1 << 30

    def worst_case_tokens(self, messages: list[Message]) -> int:
        """What the recorded model would have reserved."""
        return self._worst.tokens(messages)

    def worst_case_usd(self, messages: list[Message]) -> float | None:
        """What the recorded model would have reserved."""
        return self._worst.usd(messages)

    def complete(
        self,
        messages: list[Message],
        *,
        max_tokens: int | None = None,
        json_schema: dict[str, Any] | None = None,
        seconds: float | None = None,
        affordable: Callable[[], bool] | None = None,
    ) -> Reply:
        """The recorded reply, at once.

        Raises:
            ReplayMiss: this request was not recorded; the message shows the nearest one and a diff.
            ContextOverflow, ModelTimeUp, ModelBudgetUp: as in the recorded run.
        """
        parameters = call_parameters(self._settings, max_tokens, json_schema)
        request = request_hash(self.name, messages, parameters)
        self._asked[request] += 1
        call = self._by_request.get((request, self._asked[request]))
        if call is None:
            raise ReplayMiss(self._miss(request, messages, parameters))
        worst = self._worst.facts(messages)
        self._trace.event("request", hash=request, model=self.name, parameters=parameters, **worst)
        for retry in call.retries:
            self._trace.event("retry", model=self.name, **retry)
        if call.reply is None:
            raise RAISED[call.failed](call.reason)
        return self._answer(call.reply, request, messages)

    def _answer(self, reply: Reply, request: str, messages: list[Message]) -> Reply:
        """Trace a recorded reply as a live one."""
        if reply.reported:
            self._worst.estimate.learn(messages, reply.usage)
        spent = {"usage": reply.usage.model_dump(), "cost_usd": reply.cost_usd}
        self._trace.event("usage", model=self.name, **spent, reported=reply.reported)
        self._trace.event("reply", hash=request, text=reply.text, finish_reason=reply.finish_reason)
        return reply

    def _miss(self, request: str, messages: list[Message], parameters: dict[str, Any]) -> str:
        """What was asked against the nearest recorded request."""
        if not self._calls:
            return f"{self._path}: holds no call"
        times = sum(call.request == request for call in self._calls)
        if times:
            return f"{self._path}: request {request} was recorded {times} times; this is one more"
        asked = _as_text(self.name, messages, parameters)
        nearest = max(self._calls, key=lambda call: _likeness(call, messages))
        recorded = _as_text(nearest.model, nearest.messages, nearest.parameters)
        lines = list(difflib.unified_diff(recorded, asked, "recorded", "asked", lineterm="", n=1))
        left = len(lines) - DIFF_LINES
        shown = [*lines[:DIFF_LINES], *([f"[... {left} more lines ...]"] if left > 0 else [])]
        return (
            f"{self._path}: this request was not recorded; the nearest is {nearest.request} "
            f"(call {self._calls.index(nearest) + 1} of {len(self._calls)}):\n" + "\n".join(shown)
        )


def _likeness(call: RecordedCall, messages: list[Message]) -> tuple[int, int, float]:
    """How near a recorded request is: equal messages, then equal length, then the first differing text."""
    asked = [{"role": message["role"], "content": redact(message["content"])} for message in messages]
    pairs = list(zip(call.messages, asked, strict=False))
    differing = next(((a, b) for a, b in pairs if a != b), None)
    close = 1.0
    if differing:
        first, second = (message["content"].splitlines() for message in differing)
        close = difflib.SequenceMatcher(None, first, second).ratio()
    return sum(a == b for a, b in pairs), -abs(len(call.messages) - len(messages)), close


def _as_text(model: str, messages: list[Message], parameters: dict[str, Any]) -> list[str]:
    """A request as lines to compare."""
    lines = [f"model: {model}", *to_json(parameters).splitlines()]
    for message in messages:
        lines += [f"--- {message['role']}", *redact(message["content"]).splitlines()]
    return lines
