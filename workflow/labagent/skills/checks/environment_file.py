"""``environment.yaml`` is there and has the form builders read; a tool skill has none."""

from __future__ import annotations

from collections.abc import Iterator

from labagent.skills.checks._environment import read_environment
from labagent.skills.finding import Context, Finding
from labagent.skills.read import ENVIRONMENT

ID, TIER, ORDER = "environment-file", 1, 40


def check(context: Context) -> Iterator[Finding]:
    """The form of the file; a fault is raised and becomes the finding."""
    if not context.skill.is_tool_skill:
        read_environment(context.folder)
    elif (context.folder / ENVIRONMENT).exists():
        yield Finding(
            "a tool skill runs in the environment of labagent itself; leave this file out", ENVIRONMENT
        )
