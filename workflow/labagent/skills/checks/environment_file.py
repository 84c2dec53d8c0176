"""``environment.yaml`` is there and has the form builders read."""

from __future__ import annotations

from collections.abc import Iterator

from labagent.skills.checks._environment import read_environment
from labagent.skills.finding import Context, Finding

ID, TIER, ORDER = "environment-file", 1, 40


def check(context: Context) -> Iterator[Finding]:
    """The form of the file; a fault is raised and becomes the finding."""
    read_environment(context.folder)
    yield from ()
