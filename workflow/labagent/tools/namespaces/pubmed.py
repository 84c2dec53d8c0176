"""Tools on PubMed. Which source answers is said by the backends in use."""

from __future__ import annotations

from labagent.tools.literature import records
from labagent.tools.registry import example, tool


@tool(
    version="1.0",
    safety="network",
    examples=[
        example(
            {"query": '"oxygen affinity" AND Sawara[ti]', "to_year": 1980},
            {"hits.0.pmid": "20980", "hits.0.year": 1977},
        ),
    ],
)
def search(arguments: records.SearchArguments) -> records.PaperHits:
    """Papers of PubMed by a query in PubMed's syntax; total apart from the hits given."""
    from labagent.tools.literature.asking import search_papers

    return search_papers(arguments)


@tool(
    version="1.0",
    safety="network",
    examples=[
        example(
            {"pmids": ["20980"], "abstract": False},
            {"papers.0.pmid": "20980", "papers.0.doi": "10.1016/0005-2795(77)90253-7"},
        ),
    ],
)
def fetch(arguments: records.FetchArguments) -> records.Papers:
    """Papers by PubMed id: title, authors, journal, year, identifiers, abstract where the source has it."""
    from labagent.tools.literature.asking import fetch_papers

    return fetch_papers(arguments)
