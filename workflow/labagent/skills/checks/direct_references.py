"""Dependencies by address are the lab's own at the staged commit, or of a host that is allowed."""

from __future__ import annotations

from collections.abc import Iterator

from labagent.skills.checks._environment import foreign_references, line_of_item
from labagent.skills.finding import Context, Finding
from labagent.skills.read import ENVIRONMENT, read_text

ID, TIER, ORDER = "direct-references", 2, 80


def check(context: Context) -> Iterator[Finding]:
    """Each requirement by address that is not allowed, at its line; nothing is fetched."""
    if context.skill.is_tool_skill:
        return
    text = read_text(context.folder, ENVIRONMENT)
    for item, why in foreign_references(context):
        yield Finding(f'"{item}" {why}', ENVIRONMENT, line_of_item(text, item.split("@")[0].strip()))
