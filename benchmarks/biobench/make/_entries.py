"""What protein tasks ask of the records."""

from __future__ import annotations

from typing import Any

from _task import Gold, identifier, proteins


def entry(accession: str) -> dict[str, Any]:
    """A protein of the store."""
    return proteins()[accession]


def acc(accession: str) -> Gold:
    """The accession itself, which an answer cites."""
    return identifier("uniprot", accession)


def references(accession: str, database: str) -> list[list[str]]:
    """Cross-references to one database."""
    return [r for r in entry(accession)["references"] if r[0] == database]


def site(accession: str, kind: str, note: str) -> list[Any]:
    """One annotated stretch of a protein."""
    return next(s for s in entry(accession)["sites"] if s[0] == kind and s[3] == note)


def isoform(accession: str, wanted: str) -> str:
    """The name of an isoform."""
    return str(next(i["name"] for i in entry(accession)["isoforms"] if wanted in i["ids"]))


def own_pdb(accession: str) -> str:
    """The first structure that no other protein of the store shares."""
    others = {
        r[1]
        for p in proteins().values()
        if p["accession"] != accession
        for r in p["references"]
        if r[0] == "PDB"
    }
    return next(r[1] for r in references(accession, "PDB") if r[1] not in others and not r[1].isdigit())
