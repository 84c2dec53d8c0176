"""Anything else that names a topic is one for papers."""

from __future__ import annotations

import re

from labagent.ask.routing.reading import Read
from labagent.ask.routing.rules import Decision

ORDER = 110
WORD = re.compile(r"[^\W\d_]{3,}|[^\W\d_]+\d|[\u3400-\u9fff]{2,}")


def decide(read: Read) -> Decision:
    """Route ``literature``, or ``none`` where no topic is left."""
    query = read.query.text
    if query and WORD.search(query):
        return Decision(
            "literature", f"no sequence, variant or protein is named; the topic is {query}", open=True
        )
    return Decision("none", "no sequence, variant, protein or topic is named", open=bool(query))
