"""A variant is named: HGVS, a short form, a dbSNP number, a class such as exon 19 deletions."""

from __future__ import annotations

from labagent.ask.routing.reading import Read
from labagent.ask.routing.rules import Decision

ORDER = 70


def decide(read: Read) -> Decision | None:
    """Route ``mutation``."""
    found = read.of("variant", "dbsnp", "variant_class")
    if not found:
        return None
    gene = next((str(e.facts["gene"]) for e in found if e.facts.get("gene")), "")
    return Decision("mutation", f"{found[0].namespace} {found[0].value}" + (f" of {gene}" if gene else ""))
