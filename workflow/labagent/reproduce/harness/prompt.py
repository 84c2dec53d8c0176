"""What a tool is told: the same task, contract, places and lessons as a builtin agent."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

from labagent.models.memory import Lesson
from labagent.models.skill import Skill
from labagent.reproduce.attempt import Attempt
from labagent.reproduce.prompting import machine_facts
from labagent.reproduce.workspace import Workspace

if TYPE_CHECKING:
    from jinja2 import Template


def prompt(
    attempt: Attempt,
    workspace: Workspace,
    skill: Skill | None,
    lessons: Sequence[Lesson],
    probe: dict[str, Any],
) -> str:
    """The text of the task for an agent of its own; the same inputs give the same text."""
    text = _template().render(
        task=attempt.task.read_text("utf-8-sig").strip(),
        answer=attempt.answer,
        budget=attempt.budget,
        skill=skill,
        data=attempt.data.files,
        protocol=workspace.protocol,
        facts=list(machine_facts(probe)),
        lessons=lessons,
    )
    return text.strip() + "\n"


@cache
def _template() -> Template:
    """The prompt file, compiled."""
    from jinja2 import Environment, StrictUndefined

    environment = Environment(
        undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, autoescape=False
    )
    source = resources.files("labagent.reproduce.harness").joinpath("task.jinja").read_text("utf-8")
    return environment.from_string(source)
