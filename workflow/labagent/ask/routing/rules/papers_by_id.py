"""Papers named by PubMed id or DOI."""

from __future__ import annotations

from labagent.ask.routing.reading import Read
from labagent.ask.routing.rules import Decision

ORDER = 50


def decide(read: Read) -> Decision | None:
    """Route ``literature``."""
    found = read.of("pmid", "doi")
    if not found:
        return None
    return Decision("literature", f"{found[0].namespace} {found[0].value}")
