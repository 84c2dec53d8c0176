"""A litellm model: retries, costs and the record of every call."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from labagent.errors import ContextOverflow, InfrastructureError, ModelBudgetUp, ModelTimeUp
from labagent.llm.interface import Message, Reply, Trace
from labagent.llm.keys import load_keys
from labagent.llm.parameters import call_parameters
from labagent.llm.price import WorstCase, cost
from labagent.llm.purse import open_purse
from labagent.llm.recording import Recording, request_hash
from labagent.llm.retry import Failure, classify, delay
from labagent.llm.service import api_key, check_model, context_tokens, load_litellm, price_of
from labagent.llm.usage import SharedPrefix, reported_usage
from labagent.models.config import ModelSettings
from labagent.models.run import Usage

GRACE_SECONDS = 2.0
NOTHING: dict[str, float | int | None] = {"possible_usd": 0.0, "possible_tokens": 0}


class LitellmModel:
    """Any model litellm can call."""

    def __init__(self, settings: ModelSettings, trace: Trace, recording: Recording | None = None) -> None:
        """Prepare a model; no call is made.

        Args:
            settings: name, address, sampling, retries and price.
            trace: receives ``request``, ``retry``, ``usage`` and ``reply`` events.
            recording: receives every call, for replay.

        Raises:
            ModelConfigError: unknown name or no key.

        Requests are paid from the purse that is open when they are made (:mod:`labagent.llm.purse`).
        """
        load_keys()
        check_model(settings)
        self._settings = settings
        self._trace = trace
        self._recording = recording
        self._price = price_of(settings)
        self._context_tokens = context_tokens(settings)
        self._worst = WorstCase(settings.max_output_tokens, self._price)
        self._prefix = SharedPrefix()
        self._retries: list[dict[str, Any]] = []
        self._ticket = ""
        self._seq = 0
        if purse := open_purse():
            purse.begin()
        if recording is not None:
            known = {"price": self._price, "context_tokens": self._context_tokens}
            recording.begin(settings.model_copy(update=known))

    @property
    def name(self) -> str:
        """The model's name, as litellm takes it."""
        return self._settings.model

    @property
    def context_tokens(self) -> int:
        """Tokens of the context window."""
        return self._context_tokens

    def worst_case_tokens(self, messages: list[Message]) -> int:
        """Upper estimate of the tokens of one call."""
        return self._worst.tokens(messages)

    def worst_case_usd(self, messages: list[Message]) -> float | None:
        """Upper estimate of the US$ of one call, nothing cached; ``None`` where the price is unknown."""
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
        """Ask the model; see :meth:`labagent.llm.Model.complete`."""
        parameters = call_parameters(self._settings, max_tokens, json_schema)
        request = request_hash(self.name, messages, parameters)
        worst = self._worst.facts(messages)
        self._traced("request", hash=request, model=self.name, parameters=parameters, **worst)
        self._retries = []
        record = partial(self._record, messages, parameters)
        try:
            response = self._answered(messages, parameters, seconds, affordable)
        except ContextOverflow as error:
            record(failed="overflow", reason=str(error))
            raise
        except ModelTimeUp as error:
            record(failed="time_up", reason=str(error))
            raise
        except ModelBudgetUp as error:
            record(failed="budget_up", reason=str(error))
            raise
        reply = _reply(response, *self._account(response, messages))
        self._trace.event("reply", hash=request, text=reply.text, finish_reason=reply.finish_reason)
        record(reply=reply)
        return reply

    def _record(self, messages: list[Message], parameters: dict[str, Any], **outcome: Any) -> None:
        """Keep a call for replay, with the tries that failed before."""
        if self._recording is not None:
            self._recording.add(self.name, messages, parameters, retries=self._retries, **outcome)

    def _answered(
        self,
        messages: list[Message],
        parameters: dict[str, Any],
        seconds: float | None,
        affordable: Callable[[], bool] | None,
    ) -> Any:
        """The first whole answer, after as many retries as the settings allow."""
        deadline = time.monotonic() + seconds if seconds is not None else float("inf")
        tries = self._settings.retries + 1
        failure: Failure | None = None
        for tried in range(1, tries + 1):
            left = deadline - time.monotonic()
            timeout = min(self._settings.timeout_seconds, left)
            if timeout <= 0:
                raise self._time_up(failure, tried - 1)
            if failure is not None and affordable is not None and not affordable():
                raise ModelBudgetUp(f'model "{self.name}" failed {tried - 1} times: {failure.reason}')
            self._reserve(messages, timeout)
            try:
                call = partial(self._call, messages, parameters, timeout)
                return _bounded(call, timeout + GRACE_SECONDS)
            except Exception as error:  # litellm's errors share no base; classify() decides what each means
                failure = self._judge(error, messages, tried)
            if timeout == left and time.monotonic() >= deadline:
                raise self._time_up(None, tried)
            if tried < tries:
                time.sleep(min(self._wait(failure, tried), max(deadline - time.monotonic(), 0.0)))
        assert failure is not None
        raise InfrastructureError(
            f'model "{self.name}" failed {tries} times; the last time: {failure.reason}'
        )

    def _reserve(self, messages: list[Message], timeout: float) -> None:
        """Reserve the worst case of the next request where the job has a purse."""
        purse = open_purse()
        self._ticket = (
            ""
            if purse is None
            else purse.reserve(
                self._worst.usd(messages),
                self._worst.tokens(messages),
                seconds=timeout + GRACE_SECONDS,
                patience=timeout,
                trace=getattr(self._trace, "path", None),
                seq=self._seq,
            )
        )

    def _traced(self, kind: str, **fields: Any) -> None:
        """Write an event that speaks of money, and keep its number."""
        self._seq = self._trace.event(kind, **fields)["seq"]

    def _call(self, messages: list[Message], parameters: dict[str, Any], timeout: float) -> Any:
        """One request, without litellm's own retries."""
        return load_litellm().completion(
            model=self.name,
            messages=messages,
            api_base=self._settings.api_base,
            api_key=api_key(self._settings),
            timeout=timeout,
            num_retries=0,
            max_retries=0,
            **parameters,
        )

    def _judge(self, error: Exception, messages: list[Message], tried: int) -> Failure:
        """Trace a failed request; raise where asking again cannot help."""
        failure = classify(error, self.name)
        possible = self._worst.facts(messages) if failure.maybe_billed else NOTHING
        self._retries.append({"tried": tried, "reason": failure.reason, **possible})
        self._traced("retry", model=self.name, **self._retries[-1])
        if (purse := open_purse()) and self._ticket:
            purse.failed(self._ticket, maybe_billed=failure.maybe_billed)
        if failure.fatal is not None:
            raise failure.fatal from error
        return failure

    def _wait(self, failure: Failure, tried: int) -> float:
        """Seconds to the next try."""
        try:
            return delay(failure, tried, self._settings.backoff_seconds)
        except InfrastructureError as error:
            raise InfrastructureError(f'model "{self.name}", tried {tried} times: {error}') from error

    def _time_up(self, failure: Failure | None, tried: int) -> Exception:
        """The caller's time is over: a cap where the service was only slow, else its fault."""
        if failure is None:
            return ModelTimeUp(f'model "{self.name}": no answer within the time left')
        return InfrastructureError(
            f'model "{self.name}" failed {tried} times until its time was over; at last: {failure.reason}'
        )

    def _account(self, response: Any, messages: list[Message]) -> tuple[Usage, float | None, bool]:
        """Usage and cost of an answer, on disk before anything is made of it."""
        usage = reported_usage(response)
        reported = usage != Usage()
        if reported:
            self._worst.estimate.learn(messages, usage)
            reply_cost = self._cost(response, usage)
        else:
            usage, reply_cost = self._estimated(response, messages), None
        shared = int(usage.prompt_tokens * self._prefix.share(messages))
        usage = usage.model_copy(update={"prefix_tokens": shared})
        self._traced(
            "usage", model=self.name, usage=usage.model_dump(), cost_usd=reply_cost, reported=reported
        )
        if (purse := open_purse()) and self._ticket:
            purse.settle(self._ticket, reply_cost, usage)
        return usage, reply_cost, reported

    def _estimated(self, response: Any, messages: list[Message]) -> Usage:
        """The tokens, at most, of an answer that came without any, so that a cap on tokens holds."""
        estimate = self._worst.estimate
        return Usage(
            prompt_tokens=estimate.prompt(messages), completion_tokens=estimate.text(_message(response)[0])
        )

    def _cost(self, response: Any, usage: Usage) -> float | None:
        """US$ of an answer: by the own price table, else by litellm's, else unknown."""
        if self._settings.price is not None:
            return cost(usage, self._settings.price)
        if self._price is None:
            return None
        try:
            return float(load_litellm().completion_cost(completion_response=response, model=self.name))
        except Exception:  # of many kinds; that litellm cannot count must not lose what was used
            return cost(usage, self._price)


def _bounded(call: Callable[[], Any], seconds: float) -> Any:
    """The result of ``call``; time is kept here, since a reply that drips in trips no socket timeout."""
    outcome: list[Any] = []
    failure: list[Exception] = []

    def run() -> None:
        try:
            outcome.append(call())
        except Exception as error:  # handed to the caller's thread
            failure.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(seconds)
    if failure:
        raise failure[0]
    if not outcome:
        raise load_litellm().Timeout(f"no whole answer within {seconds:.0f} s", "", "")
    return outcome[0]


def _message(response: Any) -> tuple[str, str]:
    """Text and finish reason of an answer; one without a choice or text is an empty one."""
    choices = getattr(response, "choices", None) or []
    message = getattr(choices[0], "message", None) if choices else None
    finish = getattr(choices[0], "finish_reason", None) if choices else None
    text = str(getattr(message, "content", None) or "")
    # JSON can hold half a surrogate pair; nothing that is written as UTF-8 can.
    return text.encode("utf-8", "replace").decode("utf-8"), str(finish or "stop")


def _reply(response: Any, usage: Usage, reply_cost: float | None, reported: bool) -> Reply:
    """What the caller gets."""
    text, finish = _message(response)
    return Reply(text, usage, reply_cost, finish, reported)
