"""Tools on PubMed. Which source answers is said by the backends in use."""

from __future__ import annotations

from labagent.tools.literature import records
from labagent.tools.registry import tool


@tool(version="1.0", safety="network")
def search(arguments: records.SearchArguments) -> records.PaperHits:
    """Papers of PubMed by a query in PubMed's syntax; total apart from the hits given."""
    from labagent.tools.literature.asking import search_papers

    return search_papers(arguments)


@tool(version="1.0", safety="network")
def fetch(arguments: records.FetchArguments) -> records.Papers:
    """Papers by PubMed id: title, authors, journal, year, identifiers, abstract where the source has it."""
    from labagent.tools.literature.asking import fetch_papers

    return fetch_papers(arguments)
