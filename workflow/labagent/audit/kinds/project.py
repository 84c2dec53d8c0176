"""Attempts on the project: references, config, other runs, scores, memory."""

from __future__ import annotations

from collections.abc import Iterator

from labagent.audit.facts import Facts
from labagent.audit.places import is_own, paths
from labagent.audit.rows import every_text, signs
from labagent.audit.story import Sign, Story, excerpt


def find(story: Story, facts: Facts) -> Iterator[Sign]:
    """Rows of the table, and any path below the project's folder that is not the run's own."""
    yield from signs("project", story, facts)
    root = str(facts.root) if facts.root else ""
    if not root.strip("/"):
        return
    for turn, place, text in every_text(story):
        for path, start, end in paths(text):
            if (path == root or path.startswith(root + "/")) and not is_own(path, story, facts):
                yield Sign(turn, place, excerpt(text, start, end))
