"""Tools on identifiers."""

from __future__ import annotations

from labagent.tools.naming.records import FindArguments, FindResult
from labagent.tools.registry import tool


@tool(version="1.0")
def find(arguments: FindArguments) -> FindResult:
    """Identifiers of a text, kept whole: UniProt, RefSeq, Ensembl, PDB, InterPro, GO, dbSNP, PMID, DOI."""
    from labagent.tools.naming.finding import find_names

    return FindResult(identifiers=tuple(find_names(arguments.text)))
