"""Asking the model: paid replies are never paid twice, and a reply is parsed strictly or refused."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from pydantic import ValidationError

from labagent.errors import ContextOverflow, ModelBudgetUp, ModelTimeUp
from labagent.explore.agent.allowance import Allowance, CapReached, minus
from labagent.explore.agent.paid import PaidReplies
from labagent.explore.writing import render
from labagent.llm import LitellmModel, Message, Model
from labagent.llm.parameters import call_parameters
from labagent.llm.recording import request_hash
from labagent.models.base import Record
from labagent.models.config import ModelSettings
from labagent.redaction import redact
from labagent.trace import Costs, TraceWriter

FENCED = re.compile(r"^```(?:json)?[ \t]*\n(?P<body>.*)\n```$", re.DOTALL)
MAX_JSON = 200_000
FAULTS = 12
R = TypeVar("R", bound=Record)


class StepFailed(Exception):
    """A step got no usable reply, also after it was asked again; the text says what was wrong."""


class BadReply(Exception):
    """A reply is not the record asked for; the text tells the model why."""


@dataclass
class Asker:
    """One line of work with the model: its trace, its allowance, and its recording.

    ``before`` is what its trace had cost when the allowance was given.
    """

    settings: ModelSettings
    trace: TraceWriter
    paid: PaidReplies
    allowance: Allowance
    before: Costs = field(default_factory=Costs)
    cached: int = 0
    _model: Model | None = None

    @property
    def model(self) -> Model:
        """The model, made when it is first needed."""
        if self._model is None:
            self._model = LitellmModel(self.settings, self.trace, self.paid.recording)
        return self._model

    @property
    def spent(self) -> Costs:
        """What was spent under this allowance."""
        return minus(self.trace.costs, self.before)

    def ask(self, messages: list[Message], step: str) -> str:
        """The model's reply; one that was paid before a restart is taken from the recording.

        Args:
            messages: as for a model; secrets of this process are taken out before they are sent.
            step: who asks, for the trace.

        Raises:
            CapReached: the allowance does not cover one more call.
            StepFailed: the messages do not fit the model.
            InfrastructureError: the model's service failed.
        """
        sent = [{"role": m["role"], "content": redact(m["content"])} for m in messages]
        parameters = call_parameters(self.settings, None, None)
        earlier = self.paid.take(request_hash(self.settings.model, sent, parameters))
        if earlier is not None:
            self.cached += 1
            self.trace.event("cached", step=step, text=earlier)
            return earlier
        self._check(sent)
        self.trace.event("ask", step=step)
        seconds = max(self.allowance.seconds_left, 1.0)
        try:
            return self.model.complete(sent, seconds=seconds, affordable=lambda: self._affordable(sent)).text
        except ContextOverflow as error:
            raise StepFailed(f"{step}: the request does not fit the model's window ({error})") from error
        except ModelTimeUp as error:
            raise CapReached("wall_seconds", str(error)) from error
        except ModelBudgetUp as error:
            raise CapReached("usd", str(error)) from error

    def _check(self, messages: list[Message]) -> None:
        """Hold one more call against the allowance."""
        worst = self.model.worst_case_tokens(messages), self.model.worst_case_usd(messages)
        self.allowance.check(self.spent, *worst)

    def _affordable(self, messages: list[Message]) -> bool:
        """Whether a failed call may be tried again."""
        try:
            self._check(messages)
        except CapReached:
            return False
        return True

    def ask_record(
        self,
        messages: list[Message],
        form: type[R],
        step: str,
        check: Callable[[R], str] = lambda record: "",
    ) -> R:
        """A reply as a typed record; nonsense is answered once with what is wrong.

        Args:
            messages: the question.
            form: the record.
            step: who asks, for the trace and the failure.
            check: what else is wrong with a record; empty where nothing is.

        Raises:
            StepFailed: two replies in a row were no such record.
            CapReached: the allowance is used up.
        """
        reply = self.ask(messages, step)
        try:
            return self._parsed(reply, form, step, check)
        except BadReply as fault:
            question = render("again.j2", {"fault": str(fault)}, "prompts")
        again = [{"role": "assistant", "content": reply or "(empty)"}, {"role": "user", "content": question}]
        try:
            return self._parsed(self.ask([*messages, *again], step), form, step, check)
        except BadReply as fault:
            raise StepFailed(f"{step}: two replies could not be used; the last: {fault}") from fault

    def _parsed(self, reply: str, form: type[R], step: str, check: Callable[[R], str]) -> R:
        """The record of a reply."""
        try:
            record = parse_record(reply, form)
            fault = check(record)
            if fault:
                raise BadReply(fault)
        except BadReply as fault:
            self.trace.event("unusable", step=step, reason=str(fault))
            raise
        return record


def parse_record(reply: str, form: type[R]) -> R:
    """The one JSON object of a reply, as a record.

    Raises:
        BadReply: text beside the object, no JSON, a key twice, NaN, unknown or missing fields.
    """
    text = reply.strip()
    if len(text) > MAX_JSON:
        raise BadReply(f"the reply has {len(text)} characters; at most {MAX_JSON} are read")
    fenced = FENCED.match(text)
    try:
        value = json.loads(
            fenced["body"] if fenced else text, object_pairs_hook=_object, parse_constant=_refuse
        )
    except (ValueError, RecursionError) as error:
        raise BadReply(f"the reply is not one JSON object and nothing else: {error}") from error
    if not isinstance(value, dict):
        raise BadReply("the reply is JSON, but no object")
    try:
        return form.model_validate_json(json.dumps(value))
    except ValidationError as error:
        raise BadReply("; ".join(_said(fault) for fault in error.errors()[:FAULTS])) from error


def _said(fault: Any) -> str:
    """A fault of a field, without the value."""
    return f"{'.'.join(str(part) for part in fault['loc'])}: {fault['msg']}"


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose keys stand once."""
    keys = [key for key, _ in pairs]
    twice = next((key for key in keys if keys.count(key) > 1), None)
    if twice is not None:
        raise ValueError(f'the key "{twice}" stands twice')
    return dict(pairs)


def _refuse(name: str) -> Any:
    """NaN and Infinity are no JSON."""
    raise ValueError(f"{name} is not allowed")
