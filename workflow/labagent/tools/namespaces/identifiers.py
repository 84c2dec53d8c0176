"""Tools on identifiers."""

from __future__ import annotations

from labagent.tools.naming.records import FindArguments, FindResult
from labagent.tools.registry import example, tool


@tool(
    version="1.1",
    examples=[
        example(
            {"text": "Compare P38398-2 with mouse Trp53 (PMID: 7545954)"},
            {
                "identifiers.0.value": "P38398",
                "identifiers.0.isoform": "2",
                "identifiers.2.organism": "Mus musculus",
                "identifiers.3.value": "7545954",
            },
        ),
    ],
)
def find(arguments: FindArguments) -> FindResult:
    """Identifiers of a text, kept whole: UniProt, RefSeq, Ensembl, PDB, InterPro, GO, dbSNP, PMID, DOI."""
    from labagent.tools.naming.finding import find_names

    return FindResult(identifiers=tuple(find_names(arguments.text)))
