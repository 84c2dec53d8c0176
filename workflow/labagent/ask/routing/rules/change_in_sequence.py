"""A variant together with the sequence it is in."""

from __future__ import annotations

from labagent.ask.routing.reading import Read
from labagent.ask.routing.rules import Decision

ORDER = 30


def decide(read: Read) -> Decision | None:
    """Route ``mutation``."""
    variants = read.of("variant")
    if not read.of("sequence") or not variants:
        return None
    return Decision("mutation", f"{variants[0].value} and a sequence it can be in")
