"""The normal path without the duty to cite and without the check: what the duty changes.

Without a model the sentences are those of ``full``, said without their sources.
"""

from __future__ import annotations

from labagent.ask.composing import compose
from labagent.ask.conditions import Asked, Composed

NEEDS_MODEL = False


def answer(asked: Asked) -> Composed:
    """Answer without citing."""
    return compose(asked, cite=False)
