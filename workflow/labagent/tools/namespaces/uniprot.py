"""Tools on UniProtKB. Which source answers is said by the backends in use."""

from __future__ import annotations

from labagent.tools.proteins import records
from labagent.tools.registry import example, tool


@tool(
    version="1.0",
    safety="network",
    examples=[
        example(
            {"accession": "P68871", "fields": ["sequence"]},
            {"accession": "P68871", "gene": "HBB", "taxon": 9606, "length": 147},
        ),
        example({"accession": "P53_HUMAN", "fields": ["ec"]}, {"accession": "P04637", "gene": "TP53"}),
    ],
)
def fetch(arguments: records.FetchArguments) -> records.ProteinRecord:
    """A UniProtKB entry by accession, isoform, version or entry name; obsolete accessions are followed."""
    from labagent.tools.proteins.asking import fetch_protein

    return fetch_protein(arguments)


@tool(
    version="1.0",
    safety="network",
    examples=[
        example(
            {"gene": "TP53", "taxon": 9606, "reviewed": True},
            {"hits.0.accession": "P04637", "hits.0.organism": "Homo sapiens"},
        ),
    ],
)
def search(arguments: records.SearchArguments) -> records.ProteinHits:
    """UniProtKB entries by words, gene, organism and review status; total apart from the hits given."""
    from labagent.tools.proteins.asking import search_proteins

    return search_proteins(arguments)
