"""An answer in a model's words: from results alone, each sentence checked, repaired once, else left out."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from typing import TYPE_CHECKING, Any

from labagent.ask.checking import Checker, states_something
from labagent.ask.checking.addressing import gives_orders
from labagent.ask.composing._speaking import Spoken
from labagent.ask.replies import json_objects
from labagent.errors import ContextOverflow, InfrastructureError, ModelBudgetUp, ModelTimeUp, MoneySpent
from labagent.models.asking import CallRecord, Statement

if TYPE_CHECKING:
    from labagent.ask.conditions import Asked
    from labagent.ask.work import Work
    from labagent.llm import Message

MOST_SENTENCES = 14
REPLY_TOKENS = 1500
RESULT_CHARACTERS = 12_000
"""Characters of one result that are shown; what is cut is said."""
TEXT_CHARACTERS, ITEMS = 700, 25
MARKUP = re.compile(r"<\s*[/!a-zA-Z]|javascript:|\]\(", re.IGNORECASE)
LEFT_OUT = "[left out: text that addresses its reader]"
FAILED = (
    "The model gave no answer; these sentences are composed from the results without it.",
    "模型没有给出回答;以下句子不经模型、直接由结果组成。",
)
SENTENCES_SCHEMA: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["sentences"],
    "properties": {
        "sentences": {
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["text", "cites", "factual"],
                "properties": {
                    "text": {"type": "string"},
                    "cites": {"type": "array", "items": {"type": "string"}},
                    "factual": {"type": "boolean"},
                },
            },
        }
    },
}


@dataclass(frozen=True)
class Judged:
    """A sentence and what is wrong with it."""

    statement: Statement
    faults: tuple[str, ...]


def say_with(asked: Asked, work: Work, spoken: Spoken, *, cite: bool) -> tuple[Spoken, tuple[str, ...]]:
    """The answer in the words of the question's model, and the sentences that were left out.

    Where the model's service fails, the sentences of the templates (``spoken``) are the answer, if the
    question may fall back on them. Where too little of what it says is held by results, the answer is that
    the evidence is insufficient, and the outcome ``not_found``.

    Args:
        asked: the question with its model and trace.
        work: the results.
        spoken: what the templates say.
        cite: whether sentences have to cite and are checked.

    Raises:
        InfrastructureError: the model's service failed and there is nothing to fall back on.
    """
    try:
        judged = _judged_sentences(asked, work, cite=cite)
    except (InfrastructureError, ContextOverflow, ModelTimeUp, ModelBudgetUp) as error:
        if not asked.fallback or isinstance(error, MoneySpent):
            raise
        asked.trace.event("model_failed", kind=type(error).__name__, reason=str(error))
        return _without_model(asked, work, spoken, cite=cite)
    kept = tuple(dict.fromkeys(j.statement for j in judged if not j.faults))
    dropped = tuple(dict.fromkeys(j.statement.text for j in judged if j.faults))
    told = [{"text": j.statement.text, "cites": j.statement.cites, "faults": list(j.faults)} for j in judged]
    asked.trace.event("check", statements=told, dropped=len(dropped))
    if cite and _too_little(kept, dropped):
        work.end("not_found")
        return Spoken((_insufficient(asked, work, dropped),)), dropped
    return Spoken(kept, spoken.blocks), dropped


def _judged_sentences(asked: Asked, work: Work, *, cite: bool) -> list[Judged]:
    """What the model says, checked; what failed is asked for once more."""
    messages = _messages(asked, work)
    checker = Checker(asked.caller.calls)
    text, said, fault = _reply(asked, messages)
    first = [_judge(checker, s, cite=cite) for s in said]
    wrong = [j for j in first if j.faults]
    if not wrong and not fault:
        return first
    told = _prompt(
        "again",
        fault=fault,
        sentences=[
            {
                "text": j.statement.text,
                "cites": ", ".join(j.statement.cites),
                "faults": "; ".join(j.faults),
            }
            for j in wrong
        ],
    )
    messages += [{"role": "assistant", "content": text or "(empty)"}, {"role": "user", "content": told}]
    second = [_judge(checker, s, cite=cite) for s in _reply(asked, messages)[1]]
    return [j for j in first if not j.faults] + second + ([] if any(not j.faults for j in second) else wrong)


def _reply(asked: Asked, messages: list[Message]) -> tuple[str, list[Statement], str]:
    """The reply of the model, the sentences in it, why it cannot be used."""
    assert asked.model is not None
    asked.trace.event("prompt", model=asked.model.name, messages=messages, max_tokens=REPLY_TOKENS)
    reply = asked.model.complete(messages, max_tokens=REPLY_TOKENS, json_schema=SENTENCES_SCHEMA)
    try:
        return reply.text, read_sentences(reply.text), ""
    except ValueError as error:
        return reply.text, [], str(error)


def read_sentences(text: str) -> list[Statement]:
    """The sentences of a reply: the first JSON object in it that has them.

    Raises:
        ValueError: there is none, or it has another form; the message says what is wrong.
    """
    fault = "there is no JSON object in it"
    for value in json_objects(text):
        rows = value.get("sentences")
        if not isinstance(rows, list):
            fault = '"sentences" is no list'
            continue
        made = [_statement(row) for row in rows[: 3 * MOST_SENTENCES]]
        if None not in made and made:
            return [s for s in made if s is not None and s.text]
        fault = 'a sentence is not {"text": text, "cites": [ids], "factual": true or false}'
    raise ValueError(fault)


def _statement(row: Any) -> Statement | None:
    """One sentence, or ``None`` where it has another form."""
    if not isinstance(row, dict) or not isinstance(row.get("text"), str):
        return None
    cites = row.get("cites", [])
    if not isinstance(cites, list) or not all(isinstance(cite, str) for cite in cites):
        return None
    ids = tuple(dict.fromkeys(cite.strip().strip("[]") for cite in cites))
    text = " ".join(row["text"].split())
    return Statement(text=text, factual=row.get("factual", True) is not False, cites=ids)


def _judge(checker: Checker, statement: Statement, *, cite: bool) -> Judged:
    """A sentence with its faults. One that is called no fact and states something is a fact."""
    if not statement.factual and states_something(statement.text):
        statement = statement.model_copy(update={"factual": True})
    if MARKUP.search(statement.text):
        return Judged(statement, ("it holds markup",))
    if not cite or not statement.factual:
        return Judged(statement, ())
    return Judged(statement, tuple(checker.faults(statement)))


def _too_little(kept: Sequence[Statement], dropped: Sequence[str]) -> bool:
    """Whether what is left is no answer: no fact, or fewer than half as many as had to go."""
    facts = sum(statement.factual for statement in kept)
    return not facts or 2 * facts < len(dropped)


def _insufficient(asked: Asked, work: Work, dropped: Sequence[str]) -> Statement:
    """That the evidence is insufficient, and what was tried."""
    tried = ", ".join(dict.fromkeys(f"{c.tool} ({_brief(c)})" for c in asked.caller.calls)) or "nothing"
    if work.slots.language == "zh":
        text = (
            "证据不足(insufficient evidence):模型的句子没有结果支持"
            f"(去掉 {len(dropped)} 句)。已尝试:{tried}。"
        )
    else:
        text = (
            f"Insufficient evidence: what the model says is not held by the results ({len(dropped)} "
            f"sentences left out). Tried: {tried}."
        )
    return Statement(text=text, factual=False)


def _brief(call: CallRecord) -> str:
    """What a call was asked, on a line."""
    values = [str(v) for v in call.arguments.values() if isinstance(v, str) and v and v != "auto"]
    return "; ".join(v if len(v) <= 40 else v[:40] + "…" for v in values[:2])


def _without_model(asked: Asked, work: Work, spoken: Spoken, *, cite: bool) -> tuple[Spoken, tuple[str, ...]]:
    """The sentences of the templates, with the remark that no model wrote them."""
    from labagent.ask.checking import checked

    kept: tuple[Statement, ...] = spoken.statements
    dropped: tuple[str, ...] = ()
    if cite:
        kept, dropped = checked(spoken.statements, asked.caller.calls, asked.trace)
    remark = Statement(text=FAILED[work.slots.language == "zh"], factual=False)
    return Spoken((remark, *kept), spoken.blocks), dropped


def _messages(asked: Asked, work: Work) -> list[Message]:
    """The prompt: rules, then the question and the results as data."""
    calls = [call for call in asked.caller.calls if call.result is not None]
    shown = [(call, evidence_text(call)) for call in calls]
    language = "Chinese (中文)" if work.slots.language == "zh" else "English"
    question = _prompt(
        "question",
        question=_inert(asked.question),
        calls=[
            {"id": c.id, "tool": c.tool, "arguments": _inert(_json(_shortened(c.arguments))), "text": text}
            for c, text in shown
        ],
        cut=any("more" in text or "…" in text for _, text in shown),
    )
    return [
        {"role": "system", "content": _prompt("answer", language=language, most=MOST_SENTENCES)},
        {"role": "user", "content": question},
    ]


def evidence_text(call: CallRecord) -> str:
    """A result as the model is shown it: without texts that give orders, long parts cut, no tag in it."""
    text = _json(_shortened(call.result))
    if len(text) > RESULT_CHARACTERS:
        text = text[:RESULT_CHARACTERS] + f"… ({len(text) - RESULT_CHARACTERS} more characters)"
    return _inert(text)


def _inert(text: str) -> str:
    """A text that cannot end the part of the prompt it stands in."""
    return text.replace("<", "‹").replace(">", "›")


def _shortened(value: Any) -> Any:
    """JSON values without empty ones, long texts and lists cut, texts that give orders left out."""
    if isinstance(value, dict):
        made = {k: _shortened(v) for k, v in value.items()}
        return {k: v for k, v in made.items() if v not in (None, "", [], {})}
    if isinstance(value, list):
        kept = [_shortened(item) for item in value[:ITEMS]]
        return kept + ([f"({len(value) - ITEMS} more)"] if len(value) > ITEMS else [])
    if isinstance(value, str):
        if gives_orders(value):
            return LEFT_OUT
        if len(value) > TEXT_CHARACTERS and " " not in value[:TEXT_CHARACTERS]:
            return value[:80] + f"… ({len(value)} letters in all)"
    return value


def _json(value: Any) -> str:
    """Compact JSON."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def _prompt(name: str, **values: Any) -> str:
    """A prompt file's text, filled in."""
    from jinja2 import Environment, StrictUndefined

    source = resources.files("labagent.ask").joinpath(f"prompts/{name}.j2").read_text("utf-8")
    environment = Environment(
        undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, autoescape=False
    )
    return environment.from_string(source).render(**values).strip()
