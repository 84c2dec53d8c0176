"""What searches give, from the records they found; the same for mirrors and the bundled facts."""

from __future__ import annotations

import re
from collections.abc import Sequence

from labagent.tools.literature.records import PaperHit, PaperRecord
from labagent.tools.proteins.records import ProteinHit, ProteinRecord

SHOWN = 300
"""Characters of a statement of function."""
_DBSNP = re.compile(r"\brs[1-9]\d{1,10}\b")


def protein_hit(record: ProteinRecord) -> ProteinHit:
    """An entry as a hit."""
    function = record.function[0] if record.function else ""
    return ProteinHit(
        accession=record.accession,
        entry_name=record.entry_name,
        reviewed=record.reviewed,
        name=record.name,
        gene=record.gene,
        gene_synonyms=record.gene_synonyms,
        organism=record.organism,
        taxon=record.taxon,
        length=record.length,
        function=function if len(function) <= SHOWN else function[: SHOWN - 1] + "…",
        url=record.url,
    )


def variant_notes(query: str, records: Sequence[ProteinRecord]) -> tuple[str, ...]:
    """Which variants of the entries found have the dbSNP numbers of a query."""
    notes = []
    for number in dict.fromkeys(_DBSNP.findall(query)):
        for record in records:
            found = [v for v in record.variants if number in v.dbsnp]
            changes = ", ".join(f"{v.original}{v.first}{v.changed or 'del'}" for v in found)
            if found:
                notes.append(f"{number} of {record.accession}: {changes}")
    return tuple(notes)


def paper_hit(paper: PaperRecord) -> PaperHit:
    """A paper as a hit."""
    return PaperHit.model_validate({name: getattr(paper, name) for name in PaperHit.model_fields})
