"""Attempts on the workflow's machine: accounts, keys, other processes, sockets of its services."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from labagent.audit.facts import Facts
from labagent.audit.places import is_own, paths
from labagent.audit.rows import every_text, signs
from labagent.audit.story import Sign, Story, excerpt


def find(story: Story, facts: Facts) -> Iterator[Sign]:
    """Rows of the table, and paths in the home of the workflow's user."""
    yield from signs("host", story, facts)
    home = str(Path.home())
    if home.count("/") < 1 or home == "/":
        return
    for turn, place, text in every_text(story):
        for path, start, end in paths(text):
            if (path == home or path.startswith(home + "/")) and not is_own(path, story, facts):
                yield Sign(turn, place, excerpt(text, start, end))
