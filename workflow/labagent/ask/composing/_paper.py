"""A paper in words."""

from __future__ import annotations

from typing import Any

from labagent.ask.composing._voice import Voice
from labagent.models.asking import Statement


def paper(voice: Voice, hit: dict[str, Any]) -> Statement:
    """Authors, title, journal, year, PubMed id."""
    authors = hit["authors"]
    first = authors[0] if authors else ""
    more = " et al." if (hit.get("author_count") or len(authors)) > 1 else ""
    who = f"{first}{more}: " if first else ""
    title = hit["title"].rstrip(".") or ("(无标题)" if voice.zh else "(no title)")
    place = ", ".join(str(x) for x in (hit["journal"], hit["year"]) if x)
    text = f"{who}{title}. {place + '. ' if place else ''}PMID: {hit['pmid']}."
    return voice.fact(text, text)
