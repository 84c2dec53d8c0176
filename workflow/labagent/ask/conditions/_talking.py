"""Asking a model in JSON: prompts, replies, and the sentences of what it says."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from importlib import resources
from typing import TYPE_CHECKING, Any, Literal, get_args

from labagent.ask.conditions import Asked
from labagent.ask.replies import json_objects
from labagent.models.asking import AnswerOutcome, Statement

if TYPE_CHECKING:
    from labagent.llm import Message, Reply

OUTCOMES = tuple(name for name in get_args(AnswerOutcome) if name != "failed")
CITE = r"\[(?:c\d+(?:\s*[,;]\s*c\d+)*)\]"
CITES = re.compile(rf"\s*{CITE}")
AFTER_STOP = re.compile(rf"([.!?。!?])((?:\s*{CITE})+)")
SENTENCE = re.compile(r"(?<=[.!?])\s+(?![a-z])|(?<=[。!?])\s*|\n+")
FACT = re.compile(r"\d|[A-Z]{2,}|[α-ω]")
LONG = 30
"""A sentence of more characters states a fact, as in the published rule."""
ASKING = ("?", "?")


@dataclass(frozen=True)
class Said:
    """What a reply is: a tool call, an answer, or unusable for the reason in ``fault``."""

    kind: Literal["call", "answer", "unusable"]
    tool: str = ""
    arguments: dict[str, Any] = field(default_factory=dict)
    text: str = ""
    outcome: AnswerOutcome = "answer"
    fault: str = ""


def prompt(name: str, **values: Any) -> str:
    """A prompt file's text, filled in."""
    from jinja2 import Environment, StrictUndefined

    source = resources.files("labagent.ask.conditions").joinpath(f"prompts/{name}.j2").read_text("utf-8")
    environment = Environment(
        undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, autoescape=False
    )
    return environment.from_string(source).render(**values).strip()


def turns(asked: Asked) -> list[Message]:
    """The user's turns, the earlier ones set apart from the question."""
    earlier = [{"role": "user", "content": f"(earlier turn) {turn}"} for turn in asked.history]
    return [*earlier, {"role": "user", "content": asked.question}]


def ask(asked: Asked, messages: list[Message], max_tokens: int) -> Reply:
    """Ask the model, with the prompt in the trace; a model writes down its own replies."""
    if asked.model is None:
        raise ValueError("this condition is not offered without a model")
    asked.trace.event("prompt", model=asked.model.name, messages=messages, max_tokens=max_tokens)
    return asked.model.complete(messages, max_tokens=max_tokens)


def read_reply(text: str) -> Said:
    """The first JSON object of a reply that is a call or an answer."""
    fault = "there is no JSON object in it"
    for value in json_objects(text):
        said = _said(value)
        if said.kind != "unusable":
            return said
        fault = said.fault
    return Said("unusable", fault=fault)


def sentences(text: str) -> tuple[Statement, ...]:
    """A text as statements; ``[c1]`` or ``[c1, c2]`` after a sentence are the calls it cites.

    A sentence that is long, or has a digit, an acronym or a Greek letter, states a fact; questions do not.
    """
    moved = AFTER_STOP.sub(r"\2\1", text)
    return tuple(_statement(part) for part in SENTENCE.split(moved) if CITES.sub("", part).strip())


def _statement(part: str) -> Statement:
    """One sentence with what it cites."""
    cites = [name for match in CITES.findall(part) for name in re.findall(r"c\d+", match)]
    plain = CITES.sub("", part).strip()
    factual = (len(plain) > LONG or bool(FACT.search(plain))) and not plain.endswith(ASKING)
    return Statement(text=plain, factual=factual, cites=tuple(dict.fromkeys(cites)))


def _said(value: dict[str, Any]) -> Said:
    """An object as a call or an answer."""
    if isinstance(tool := value.get("tool"), str):
        arguments = value.get("arguments", {})
        if not isinstance(arguments, dict):
            return Said("unusable", fault='"arguments" is no object')
        return Said("call", tool=tool, arguments=arguments)
    if isinstance(text := value.get("answer"), str) and text.strip():
        outcome = value.get("outcome", "answer")
        if outcome not in OUTCOMES:
            return Said("unusable", fault=f'"outcome" is none of {", ".join(OUTCOMES)}')
        return Said("answer", text=text.strip(), outcome=outcome)
    return Said("unusable", fault='it has neither "tool" nor "answer" with a text')
