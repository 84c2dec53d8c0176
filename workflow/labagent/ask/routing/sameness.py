"""Whether two names mean one protein, by the bundled facts: an accession beside its gene.

Loaded only where a question points back to a turn that named more than one thing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from labagent.models.asking import Entity

BY_KEY = ("uniprot", "uniprot_entry")
BY_NAME = ("gene", "name")


def one_each(candidates: Sequence[Entity]) -> list[Entity]:
    """Without genes and names of a protein whose accession, or entry name, is among the candidates too.

    Names, genes and organisms are those of the bundled entries; what they do not hold stays as it is. Of an
    accession and an entry name of one protein the accession stays.
    """
    rows = {id(e): row for e in candidates if e.namespace in BY_KEY and (row := _row(e.value))}
    keyed = sorted((e for e in candidates if id(e) in rows), key=lambda e: BY_KEY.index(e.namespace))
    kept: dict[str, Entity] = {}
    for entity in keyed:
        kept.setdefault(f"{rows[id(entity)]['accession']}-{entity.facts.get('isoform', '')}", entity)
    stays = {id(e) for e in kept.values()}
    return [
        e
        for e in candidates
        if (id(e) in stays)
        or (
            id(e) not in rows
            and not (e.namespace in BY_NAME and any(_names(rows[id(k)], e) for k in kept.values()))
        )
    ]


def _row(key: str) -> dict[str, Any] | None:
    """The bundled entry of an accession or entry name."""
    from labagent.tools.backends._bundle import bundle

    store = bundle()
    return store.protein(key) or store.protein(store.current(key) or "")


def _names(row: dict[str, Any], entity: Entity) -> bool:
    """Whether an entry is of a gene, or called by a name, of the organism that is meant."""
    taxon, organism = entity.facts.get("taxon"), entity.facts.get("organism")
    stated = entity.facts.get("organism_basis") != "default"
    if stated and (
        (taxon and taxon != row["taxon"]) or (not taxon and organism not in (None, row["organism"]))
    ):
        return False
    called = {str(n).casefold() for n in (row["gene"], row["name"], *row["gene_synonyms"], *row["names"])}
    return not called.isdisjoint(
        str(n).casefold() for n in (entity.value, entity.written, entity.facts.get("gene")) if n
    )
