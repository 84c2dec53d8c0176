"""Choosing a skill with a model: one known name, or ``none``."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any

from labagent.errors import SelectionError
from labagent.llm import Model

NONE = "none"
ANSWER_TOKENS = 1024
ASKED = 3
NAME = re.compile(r"(?<![A-Za-z0-9-])[a-z0-9]+(?:-[a-z0-9]+)*(?![A-Za-z0-9-])")


@dataclass(frozen=True)
class Answer:
    """A model's choice; ``name`` is ``None`` for none."""

    name: str | None
    cost_usd: float | None


def ask_model(model: Model, task: str, skills: Mapping[str, str]) -> Answer:
    """Ask a model, which should be set to temperature 0, for one name; a wrong answer is asked again.

    Args:
        model: the model.
        task: the task text.
        skills: description by name.

    Raises:
        SelectionError: the last of ``ASKED`` answers still is not exactly one known name or ``none``; its
            ``cost_usd`` is what all of them cost.
        InfrastructureError: the service failed.
    """
    messages = [
        {"role": "user", "content": _render("choose", task=task.strip(), skills=sorted(skills.items()))}
    ]
    spent: list[float | None] = []
    fault = SelectionError("not asked")
    for _ in range(ASKED):
        reply = model.complete(messages, max_tokens=ANSWER_TOKENS)
        spent.append(reply.cost_usd)
        try:
            name = read_answer(reply.text, skills)
        except SelectionError as error:
            fault = error
            told = {"role": "user", "content": _render("again", fault=str(error))}
            messages = [*messages, {"role": "assistant", "content": reply.text or "(empty)"}, told]
        else:
            return Answer(None if name == NONE else name, _sum(spent))
    fault.cost_usd = _sum(spent)
    raise fault


def read_answer(text: str, skills: Mapping[str, str]) -> str:
    """The one name of a reply.

    Raises:
        SelectionError: an unknown name, several names, or none at all.
    """
    lines = [line.strip(" \t`'\".*") for line in text.strip().splitlines() if line.strip(" \t`'\".*")]
    allowed = f"allowed: {', '.join([*sorted(skills), NONE])}"
    if len(lines) == 1 and (lines[0] in skills or lines[0] == NONE):
        return lines[0]
    known = sorted({name for name in NAME.findall(text) if name in skills})
    if len(known) > 1:
        raise SelectionError(f"the model named several skills: {', '.join(known)}; {allowed}")
    raise SelectionError(f'the model\'s answer is not one known name: "{text.strip()[:200]}"; {allowed}')


def _sum(spent: Sequence[float | None]) -> float | None:
    """What all answers cost; unknown as soon as one is."""
    known = [usd for usd in spent if usd is not None]
    return sum(known) if len(known) == len(spent) else None


def _render(name: str, **values: Any) -> str:
    """A prompt file's text."""
    from jinja2 import Environment, StrictUndefined

    source = resources.files("labagent.select").joinpath(f"prompts/{name}.j2").read_text("utf-8")
    environment = Environment(
        undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, autoescape=False
    )
    return environment.from_string(source).render(**values).strip()
