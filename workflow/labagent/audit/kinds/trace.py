"""A trace that does not hold: what it says of a run proves nothing then."""

from __future__ import annotations

from collections.abc import Iterator

from labagent.audit.facts import Facts
from labagent.audit.story import Sign, Story
from labagent.trace import verify_chain
from labagent.trace.tries import TRACE


def find(story: Story, facts: Facts) -> Iterator[Sign]:
    """Events that were altered, moved or taken out."""
    path = story.folder / TRACE
    if not path.exists():
        yield Sign(0, TRACE, "there is no trace")
    for fault in verify_chain(path)[:3]:
        yield Sign(0, TRACE, fault)
