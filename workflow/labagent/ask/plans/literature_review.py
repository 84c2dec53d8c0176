"""Papers on a topic: searched, then the first of them read."""

from __future__ import annotations

from collections.abc import Sequence

from labagent.ask.plans import _papers
from labagent.ask.slots import Slots
from labagent.ask.work import Step

TEMPLATE = "literature_review"
ORDER = 120


def fits(slots: Slots) -> bool:
    """There is a topic."""
    return bool(slots.routing.query)


def steps(slots: Slots) -> Sequence[Step]:
    """Search, read."""
    return [Step("search", _papers.by_query), Step("read", _papers.read, needs=("search",))]
