"""Tools on UniProtKB. Which source answers is said by the backends in use."""

from __future__ import annotations

from labagent.tools.proteins import records
from labagent.tools.registry import tool


@tool(version="1.0", safety="network")
def fetch(arguments: records.FetchArguments) -> records.ProteinRecord:
    """A UniProtKB entry by accession, isoform, version or entry name; obsolete accessions are followed."""
    from labagent.tools.proteins.asking import fetch_protein

    return fetch_protein(arguments)


@tool(version="1.0", safety="network")
def search(arguments: records.SearchArguments) -> records.ProteinHits:
    """UniProtKB entries by words, gene, organism and review status; total apart from the hits given."""
    from labagent.tools.proteins.asking import search_proteins

    return search_proteins(arguments)
