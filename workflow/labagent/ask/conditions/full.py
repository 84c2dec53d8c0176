"""The normal path: plans, tools, a cited and checked answer; without a model composed from templates."""

from __future__ import annotations

from labagent.ask.composing import compose
from labagent.ask.conditions import Asked, Composed

NEEDS_MODEL = False


def answer(asked: Asked) -> Composed:
    """Answer with everything."""
    return compose(asked)
