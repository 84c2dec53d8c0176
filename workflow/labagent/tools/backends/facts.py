"""``facts``: the bundled facts on well-known proteins and the papers they cite. Needs no network."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from labagent.errors import ToolError
from labagent.tools.backends._bundle import Bundle, bundle
from labagent.tools.backends.protocols import Choice, Source
from labagent.tools.literature.records import PaperHits, PaperRecord
from labagent.tools.literature.records import SearchArguments as PaperQuery
from labagent.tools.mirrors.hits import paper_hit, protein_hit, variant_notes
from labagent.tools.proteins.records import (
    CrossReference,
    Disease,
    Feature,
    FoundBy,
    GoTerm,
    ProteinHits,
    ProteinIsoform,
    ProteinPart,
    ProteinRecord,
    ProteinVariant,
    entry_url,
)
from labagent.tools.proteins.records import SearchArguments as ProteinQuery

NEVER: tuple[ProteinPart, ...] = ("function",)
"""Parts that no bundled entry has: comments in prose are not kept."""
LESS: dict[str, tuple[ProteinPart, ...]] = {
    "P01308": ("go", "papers"),
    **dict.fromkeys(("P04406", "P07170", "P32329", "P01325"), ("diseases", "isoforms")),
}
"""Entries whose record knew less, and what it did not hold."""
ELSEWHERE = "set ask.backends to live (the services) or to a mirror of your own"


def connect(choice: Choice) -> Source:
    """The bundled facts."""
    store = bundle()
    return Source(choice.name, store.identity, FactsProteins(store), FactsPapers(store))


class FactsProteins:
    """Proteins of the bundle."""

    def __init__(self, store: Bundle) -> None:
        self._store = store

    def protein(self, key: str) -> ProteinRecord:
        """The entry of an accession or entry name; see :class:`ProteinSource`."""
        if row := self._store.protein(key):
            return record_of(row, key, "accession")
        if gone := self._store.inactive(key):
            return self._successor(gone)
        if accession := self._store.current(key):
            found_by: FoundBy = "entry_name" if "_" in key else "secondary"
            return record_of(self._store.protein(accession) or {}, key, found_by)
        message = f"{key} is not among the {self._store.size[0]} proteins of the bundled facts"
        raise ToolError("not_found", message, field="accession", value=key, hints=[ELSEWHERE])

    def search_proteins(self, query: ProteinQuery) -> ProteinHits:
        """Entries that fit; see :class:`ProteinSource`."""
        found = self._store.protein_index.search(query)
        accessions = [body.decode() for body in found.bodies]
        records = [record_of(self._store.protein(a) or {}, a, "accession") for a in accessions]
        size = f"the bundled facts hold {self._store.size[0]} proteins"
        return ProteinHits(
            query=found.asked,
            total=found.total,
            hits=tuple(protein_hit(r) for r in records),
            order=found.order,
            notes=(*found.notes, *variant_notes(query.query, records), *(() if records else (size,))),
            source="facts",
            retrieved=max((r.entry_date for r in records), default=""),
        )

    def _successor(self, gone: Mapping[str, Any]) -> ProteinRecord:
        """What became of an entry: the one it was merged into, else an error that says it."""
        accession, reason, successors = gone["accession"], gone["reason"], gone["successors"]
        if reason == "deleted" or not successors:
            message = f"{accession} was deleted from UniProtKB"
            hint = f"{accession} is a deleted entry; its last version is in UniParc and UniSave"
            raise ToolError("not_found", message, field="accession", value=accession, hints=[hint])
        allowed = ", ".join(successors)
        if reason == "demerged" and len(successors) > 1:
            message = f"{accession} was split (demerged) into {allowed}"
            raise ToolError("ambiguous", message, field="accession", value=accession, allowed=allowed,
                            hints=["ask for the one that is meant"])  # fmt: skip
        if row := self._store.protein(successors[0]):
            return record_of(row, accession, "merged")
        message = f"{accession} was merged into {allowed}, which the bundled facts do not hold"
        raise ToolError("not_found", message, field="accession", value=accession, allowed=allowed,
                        hints=[f"ask for {allowed}; {ELSEWHERE}"])  # fmt: skip


class FactsPapers:
    """Papers of the bundle."""

    def __init__(self, store: Bundle) -> None:
        self._store = store

    def papers(self, pmids: Sequence[str]) -> Sequence[PaperRecord]:
        """Those that are there; see :class:`LiteratureSource`."""
        return [paper for pmid in pmids if (paper := self._store.paper(pmid))]

    def search_papers(self, query: PaperQuery) -> PaperHits:
        """Papers that fit; see :class:`LiteratureSource`. Titles are searched, and names and variants of the
        proteins that cite a paper."""
        found = self._store.paper_index.search(query)
        papers = self.papers([body.decode() for body in found.bodies])
        size = f"the bundled facts hold {self._store.size[1]} papers (titles), those of well-known proteins"
        return PaperHits(
            query=query.query,
            translation=found.asked,
            total=found.total,
            hits=tuple(map(paper_hit, papers)),
            order=found.order,
            notes=(*found.notes, size),
            source="facts",
            retrieved=max((p.retrieved for p in papers), default=""),
        )


def record_of(row: Mapping[str, Any], asked: str, found_by: FoundBy) -> ProteinRecord:
    """A row as the record of the tools."""
    accession, source = row["accession"], row["source"]
    more = LESS.get(accession, ())
    return ProteinRecord(
        asked=asked,
        accession=accession,
        found_by=found_by,
        secondary=tuple(row["secondary"]),
        entry_name=row["entry_name"],
        reviewed=row["reviewed"],
        name=row["name"],
        name_kind="recommended" if row["reviewed"] else "submitted",
        names=tuple(row["names"]),
        gene=row["gene"],
        gene_synonyms=tuple(row["gene_synonyms"]),
        organism=row["organism"],
        common_name=row["common_name"],
        taxon=row["taxon"],
        existence=row["existence"],
        sequence=row["sequence"],
        length=row["length"],
        mass=row["mass"],
        locations=tuple(row["locations"]),
        go=tuple(GoTerm(**t) for t in row["go"]),
        keywords=tuple(row["keywords"]),
        ec=tuple(row["ec"]),
        diseases=tuple(Disease(**d) for d in row["diseases"]),
        features=tuple(Feature(kind=k, first=f, last=e, note=n) for k, f, e, n in row["sites"]),
        variants=tuple(_variant(v) for v in row["variants"]),
        isoforms=tuple(
            ProteinIsoform(ids=tuple(i["ids"]), name=i["name"], displayed=i["displayed"])
            for i in row["isoforms"]
        ),
        references=tuple(CrossReference(database=d, id=i, more=tuple(m)) for d, i, *m in row["references"]),
        pmids=tuple(row["pmids"]),
        entry_version=source["entry_version"],
        entry_date=source["entry_date"],
        sequence_version=source["sequence_version"],
        missing=(*NEVER, *more),
        source="facts",
        retrieved=source["entry_date"],
        url=entry_url(accession),
    )


def _variant(row: Mapping[str, Any]) -> ProteinVariant:
    """A natural variant."""
    return ProteinVariant(
        first=row["first"],
        last=row["last"],
        original=row["from"],
        changed=row["to"],
        id=row["id"],
        dbsnp=tuple(row["dbsnp"]),
        diseases=tuple(row["disease"]),
        pmids=tuple(row["pmids"]),
    )


def _isoform(row: Mapping[str, Any]) -> ProteinIsoform:
    """An isoform; what its sequence is, is not kept."""
    return ProteinIsoform(ids=tuple(row["ids"]), name=row["name"], displayed=row["displayed"])
