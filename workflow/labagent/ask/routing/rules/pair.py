"""Wild type and mutant are given, told apart by labels or by the names of two records."""

from __future__ import annotations

from labagent.ask.routing.reading import Read
from labagent.ask.routing.rules import Decision

ORDER = 20


def decide(read: Read) -> Decision | None:
    """Route ``mutation``."""
    if not read.paired:
        return None
    mutant = (
        "a sequence" if len(read.sequences) > 1 else read.changes[0].value if read.changes else "a variant"
    )
    return Decision("mutation", f"wild type and mutant are given; the mutant as {mutant}")
