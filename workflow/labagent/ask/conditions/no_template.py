"""The normal path without plans: every question is answered in one step, also those that need several."""

from __future__ import annotations

from labagent.ask.composing import compose
from labagent.ask.conditions import Asked, Composed

NEEDS_MODEL = False


def answer(asked: Asked) -> Composed:
    """Answer in one step."""
    return compose(asked, plans=False)
