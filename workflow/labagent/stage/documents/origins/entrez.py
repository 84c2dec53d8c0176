"""``entrez:[N:]QUERY``: the abstracts that a PubMed search finds, best first, as one MEDLINE file.

What a query found is kept in the cache and used again, so that a second staging gives the same; delete
``entrez/`` there to search anew. NCBI asks for ``ENTREZ_EMAIL`` in the environment; ``ENTREZ_API_KEY`` raises
its limit of three requests a second to ten; Biopython keeps to it. ``LABAGENT_ENTREZ_URL`` is another server.
"""

from __future__ import annotations

import json
import os
import re
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.error import HTTPError

from labagent.errors import InfrastructureError, SourceError
from labagent.files import sha256_text, write_text
from labagent.stage.documents.origins import Wanted
from labagent.stage.download import check_scheme

PREFIX, KINDS = "entrez:", ("papers",)
FORM = "entrez:QUERY, or entrez:N:QUERY for the first N (20 without it, 200 at most)"
SERVER = "https://eutils.ncbi.nlm.nih.gov/entrez/eutils"
ITEM = re.compile(r"(?:(\d+):)?\s*(\S.*)", re.DOTALL)
USUAL, MOST = 20, 200


def bring(wanted: Wanted) -> list[Path]:
    """Search, fetch and keep.

    Raises:
        SourceError: the item has another form, nothing is found, or the server refuses the query.
        InfrastructureError: the server cannot be reached, or fails.
    """
    match = ITEM.fullmatch(wanted.text)
    count = int(match[1] or USUAL) if match else 0
    if match is None or not 1 <= count <= MOST:
        raise SourceError(f'"{PREFIX}{wanted.text}": must read {FORM}')
    query = " ".join(match[2].split())
    kept = wanted.cache / "entrez" / f"{sha256_text(f'{count} {query}')[:24]}.nbib"
    if not kept.is_file():
        write_text(kept, _search(query, count))
    target = wanted.scratch / f"pubmed-{_slug(query)}.nbib"
    target.write_bytes(kept.read_bytes())
    return [target]


def _search(query: str, count: int) -> str:
    """The MEDLINE records of the best hits."""
    reply = _ask(
        "esearch", {"db": "pubmed", "term": query, "retmax": count, "retmode": "json", "sort": "relevance"}
    )
    try:
        found = json.loads(reply)["esearchresult"]
        numbers = found["idlist"]
    except (ValueError, KeyError, TypeError) as error:
        raise InfrastructureError(
            f"Entrez: the answer to a search cannot be read: {reply[:200]!r}"
        ) from error
    if not numbers:
        said = found.get("ERROR") or found.get("errorlist", {}).get("phrasesnotfound", "")
        raise SourceError(f'"{PREFIX}{query}": PubMed finds nothing{f" ({said})" if said else ""}')
    return _ask("efetch", {"db": "pubmed", "id": numbers, "rettype": "medline", "retmode": "text"})


def _ask(program: str, values: dict[str, Any]) -> str:
    """One request, within the limits of NCBI, tried again where the server fails."""
    from Bio import Entrez

    server = os.environ.get("LABAGENT_ENTREZ_URL") or SERVER
    check_scheme(server)
    email = os.environ.get("ENTREZ_EMAIL", "")
    if not email:
        raise SourceError("Entrez: set ENTREZ_EMAIL to your address; NCBI asks for it with every request")
    who = {"tool": "labagent", "email": email, "api_key": os.environ.get("ENTREZ_API_KEY") or None}
    url = f"{server.rstrip('/')}/{program}.fcgi"
    try:
        # The public functions have NCBI's address written in; these are what they call.
        request = Entrez._build_request(url, {**values, **who})  # type: ignore[no-untyped-call]
        with Entrez._open(request) as handle:
            text = handle.read()
    except HTTPError as error:
        kind = SourceError if error.code in {400, 401, 403, 404, 414} else InfrastructureError
        raise kind(f"Entrez: {program}: the server answers {error.code} {error.reason}") from None
    except (OSError, HTTPException) as error:
        raise InfrastructureError(f"Entrez: {program}: cannot be reached: {type(error).__name__}") from None
    return text.decode("utf-8", "replace") if isinstance(text, bytes) else str(text)


def _slug(query: str) -> str:
    """A query as part of a file's name."""
    words = re.sub(r"[^a-z0-9]+", "-", query.lower()).strip("-")
    return words[:60].strip("-") or "query"
