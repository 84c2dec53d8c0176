"""Papers are asked for, and nothing else in a clause of its own; or the question is a query in PubMed's
syntax."""

from __future__ import annotations

from labagent.ask.routing.query import TAGGED
from labagent.ask.routing.reading import PROTEINS, Read
from labagent.ask.routing.rules import Decision
from labagent.ask.routing.steps import (
    PAPERS,
    asks_more_than_papers,
    asks_papers,
    papers_too,
    reviews_and_looks_up,
)

ORDER = 60


def decide(read: Read) -> Decision | None:
    """Route ``literature``."""
    if TAGGED.search(read.text):
        return Decision("literature", "a query in PubMed's syntax")
    if not asks_papers(read.text):
        return None
    if read.of(*PROTEINS) and reviews_and_looks_up(read.text):
        return Decision("literature", "a review of papers is asked for, and an entry beside it")
    about = bool(read.of(*PROTEINS, "variant", "dbsnp", "variant_class"))
    variants = [e.written for e in read.changes if e.namespace == "variant"]
    if asks_more_than_papers(read.text, about) or papers_too(read.text, variants):
        return None
    word = PAPERS.search(read.text)
    return Decision("literature", f"papers are asked for ({word[0]!r})" if word else "papers are asked for")
