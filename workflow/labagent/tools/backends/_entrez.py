"""PubMed over NCBI's E-utilities (https://www.ncbi.nlm.nih.gov/books/NBK25497/).

Answers are read by Bio.Entrez. Requests are not made by it: it knows neither timeouts nor other processes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from labagent.errors import ToolError
from labagent.tools.backends._http import Answer, Service
from labagent.tools.backends._pubmed_xml import EntrezFault, hit_of, papers_of, read_entrez
from labagent.tools.literature.query import with_years
from labagent.tools.literature.records import PMID, PaperHit, PaperHits, PaperRecord, SearchArguments

TOOL = "labagent"
LONG = 1000
"""Characters of a query from which NCBI asks for POST."""
SORTS: Mapping[str, tuple[str, str]] = {
    "relevance": ("relevance", "PubMed's best match, best first"),
    "date": ("pub_date", "date of publication, newest first"),
}


class Entrez:
    """Papers of PubMed; meets the protocol ``LiteratureSource``.

    Args:
        service: where it is asked; its ``secret`` is the API key, its ``limit`` that of NCBI.
        email: told to NCBI with every request, as it asks.
        now: the time, ISO 8601, for what is retrieved.
    """

    def __init__(self, service: Service, email: str, now: Callable[[], str]) -> None:
        self._service, self._email, self._now = service, email, now

    def search_papers(self, query: SearchArguments) -> PaperHits:
        """Papers that fit; see the protocol."""
        text = with_years(query.query, query.from_year, query.to_year)
        sort, order = SORTS[query.order]
        found = self._ask("esearch", {"term": text, "retmax": query.size, "sort": sort})
        if not isinstance(found, dict) or "IdList" not in found:
            raise ToolError("unavailable", "PubMed answers a search without a list; its format has changed")
        pmids = [str(p) for p in found["IdList"] if PMID.fullmatch(str(p))][: query.size]
        count = str(found.get("Count", ""))
        return PaperHits(
            query=text,
            translation=str(found.get("QueryTranslation", "")),
            total=int(count) if count.isdigit() else None,
            hits=tuple(self._summaries(pmids)),
            order=order,
            notes=tuple(_warnings(found)),
            source="live",
            retrieved=self._now(),
            url=f"https://pubmed.ncbi.nlm.nih.gov/?term={_quoted(text)}",
        )

    def papers(self, pmids: Sequence[str]) -> Sequence[PaperRecord]:
        """Those papers that PubMed has."""
        if not pmids:
            return ()
        found = self._ask("efetch", {"id": ",".join(pmids)})
        return papers_of(found, source="live", retrieved=self._now())

    def _summaries(self, pmids: Sequence[str]) -> list[PaperHit]:
        """What a hit shows of each paper, in the order of the ids."""
        if not pmids:
            return []
        found = self._ask("esummary", {"id": ",".join(pmids)})
        summaries = [s for s in found if isinstance(s, dict)] if isinstance(found, list) else []
        hits = {hit.pmid: hit for hit in map(hit_of, summaries)}
        return [hits[p] for p in pmids if p in hits]

    def _ask(self, program: str, values: Mapping[str, Any]) -> Any:
        """What a program answers, as Bio.Entrez reads it."""
        who = {"tool": TOOL, "email": self._email, "api_key": self._service.secret}
        whole = {"db": "pubmed", "retmode": "xml", **values, **{k: v for k, v in who.items() if v}}
        read: list[Any] = []

        def check(answer: Answer) -> None:
            """Read an answer; one that cannot be read is asked for again."""
            read[:] = [read_entrez(answer.body)]

        long = sum(len(str(v)) for v in values.values()) > LONG
        try:
            self._service.get(f"{program}.fcgi", whole, check=check, post=long)
        except EntrezFault as fault:
            said = self._service.cleaned(str(fault))
            raise ToolError(
                "input",
                f"PubMed refuses the query: {said}",
                field="query",
                value=str(values.get("term", ""))[:60],
            ) from None
        return read[0]


def _warnings(found: Mapping[str, Any]) -> list[str]:
    """What PubMed says of words that it did not find or left out."""
    said = []
    for name in ("ErrorList", "WarningList"):
        listed = found.get(name)
        for kind, values in listed.items() if isinstance(listed, dict) else ():
            words = ", ".join(str(v) for v in values if str(v)) if isinstance(values, list) else ""
            if words:
                said.append(f"{kind}: {words}"[:300])
    return said


def _quoted(text: str) -> str:
    """Text for an address."""
    from urllib.parse import quote

    return quote(text, safe="")
