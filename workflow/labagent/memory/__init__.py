"""Lessons: what a failing output means, and what cleared it before.

``classify`` names a failure, ``match`` finds the lessons for it, ``open_memory`` reads and appends them.
"""

from labagent.memory.classify import classify
from labagent.memory.distributions import distribution_for
from labagent.memory.fixes import environment_fingerprint, normalize_fix, render_fix
from labagent.memory.fold import fold
from labagent.memory.ids import lesson_event, lesson_id, outcome_event
from labagent.memory.match import at_start, match
from labagent.memory.signature import normalize
from labagent.memory.store import Memory, open_memory, read_frozen

__all__ = [
    "Memory",
    "at_start",
    "classify",
    "distribution_for",
    "environment_fingerprint",
    "fold",
    "lesson_event",
    "lesson_id",
    "match",
    "normalize",
    "normalize_fix",
    "open_memory",
    "outcome_event",
    "read_frozen",
    "render_fix",
]
