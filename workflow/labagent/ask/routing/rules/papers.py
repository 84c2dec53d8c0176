"""Papers are asked for, and nothing else in a clause of its own; or the question is a query in PubMed's
syntax."""

from __future__ import annotations

from labagent.ask.routing.query import TAGGED
from labagent.ask.routing.reading import PROTEINS, Read
from labagent.ask.routing.rules import Decision
from labagent.ask.routing.steps import PAPERS, asks_more_than_papers, asks_papers

ORDER = 60


def decide(read: Read) -> Decision | None:
    """Route ``literature``."""
    if TAGGED.search(read.text):
        return Decision("literature", "a query in PubMed's syntax")
    if not asks_papers(read.text):
        return None
    about = bool(read.of(*PROTEINS, "variant", "dbsnp", "variant_class"))
    if asks_more_than_papers(read.text, about):
        return None
    word = PAPERS.search(read.text)
    return Decision("literature", f"papers are asked for ({word[0]!r})" if word else "papers are asked for")
