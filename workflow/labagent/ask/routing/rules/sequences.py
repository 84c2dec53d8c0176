"""A sequence is given."""

from __future__ import annotations

from labagent.ask.routing.reading import Read
from labagent.ask.routing.rules import Decision

ORDER = 40


def decide(read: Read) -> Decision | None:
    """Route ``sequence``."""
    found = read.of("sequence")
    if not found:
        return None
    facts = found[0].facts
    unit = "residues" if facts["type"] == "protein" else "letters"
    more = f"{len(found)} sequences, the first of" if len(found) > 1 else "a sequence of"
    return Decision("sequence", f"{more} {facts['length']} {unit}, type {facts['type']}")
