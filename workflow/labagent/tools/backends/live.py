"""``live``: the services themselves, over the network. The only backend that uses it.

``LABAGENT_UNIPROT_URL`` and ``LABAGENT_ENTREZ_URL`` are other servers (a proxy, a copy, a test's).
``NCBI_API_KEY`` (or ``ENTREZ_API_KEY``) raises NCBI's limit from 3 requests a second to 10; it is sent to
that server and goes nowhere else. Proxies are those of the environment.
"""

from __future__ import annotations

import os
from datetime import UTC, datetime

from labagent.files import sha256_text
from labagent.tools.backends._entrez import Entrez
from labagent.tools.backends._http import Patience, Service
from labagent.tools.backends._limiter import RateLimit, shared_folder
from labagent.tools.backends._uniprot import UniProt
from labagent.tools.backends.protocols import Choice, Source

UNIPROT = "https://rest.uniprot.org"
ENTREZ = "https://eutils.ncbi.nlm.nih.gov/entrez/eutils"
KEYS = ("NCBI_API_KEY", "ENTREZ_API_KEY")
WITHOUT_KEY, WITH_KEY = 0.34, 0.11
"""Seconds between requests: NCBI allows 3 a second without a key and 10 with one
(https://www.ncbi.nlm.nih.gov/books/NBK25497/), with a little to spare."""


def connect(choice: Choice, patience: Patience | None = None) -> Source:
    """Both services.

    Raises:
        ToolError: ``input``: an address in the environment is none.
    """
    uniprot = os.environ.get("LABAGENT_UNIPROT_URL") or UNIPROT
    entrez = os.environ.get("LABAGENT_ENTREZ_URL") or ENTREZ
    key = next(filter(None, (os.environ.get(name, "").strip() for name in KEYS)), "")
    email = choice.settings.email or os.environ.get("ENTREZ_EMAIL", "")
    how = patience or Patience()
    limit = RateLimit(
        shared_folder() / f"entrez-{sha256_text(f'{entrez} {bool(key)}')[:16]}",
        WITH_KEY if key else WITHOUT_KEY,
    )
    proteins = Service("UniProt", uniprot, how)
    papers = Service("PubMed", entrez, how, limit, secret=key)
    return Source(
        name=choice.name,
        identity=f"live {proteins.shown(proteins.server)} {papers.shown(papers.server)}",
        proteins=UniProt(proteins, _now),
        literature=Entrez(papers, email, _now),
    )


def _now() -> str:
    """The time, ISO 8601 to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")
