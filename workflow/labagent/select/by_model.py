"""Choosing a skill with a model: one known name, or ``none``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources

from labagent.errors import SelectionError
from labagent.llm import Model

NONE = "none"
ANSWER_TOKENS = 1024
NAME = re.compile(r"(?<![A-Za-z0-9-])[a-z0-9]+(?:-[a-z0-9]+)*(?![A-Za-z0-9-])")


@dataclass(frozen=True)
class Answer:
    """A model's choice; ``name`` is ``None`` for none."""

    name: str | None
    cost_usd: float | None


def ask_model(model: Model, task: str, skills: Mapping[str, str]) -> Answer:
    """Ask a model, which should be set to temperature 0, for one name.

    Args:
        model: the model.
        task: the task text.
        skills: description by name.

    Raises:
        SelectionError: the answer is not exactly one known name or ``none``.
        InfrastructureError: the service failed.
    """
    reply = model.complete(
        [{"role": "user", "content": _prompt(task, skills)}], max_tokens=ANSWER_TOKENS, json_schema=None
    )
    name = read_answer(reply.text, skills)
    return Answer(None if name == NONE else name, reply.cost_usd)


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


def _prompt(task: str, skills: Mapping[str, str]) -> str:
    """The question."""
    from jinja2 import Environment, StrictUndefined

    source = resources.files("labagent.select").joinpath("prompts/choose.j2").read_text("utf-8")
    environment = Environment(
        undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, autoescape=False
    )
    return environment.from_string(source).render(task=task.strip(), skills=sorted(skills.items())).strip()
