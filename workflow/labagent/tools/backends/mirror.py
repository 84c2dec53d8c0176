"""``mirror:NAME``: a local SQLite file, built by ``labagent mirror build``. Needs no network."""

from __future__ import annotations

from collections.abc import Sequence

from labagent.errors import ToolError
from labagent.tools.backends.protocols import Choice, Source
from labagent.tools.literature.records import PaperHits, PaperRecord
from labagent.tools.literature.records import SearchArguments as PaperQuery
from labagent.tools.mirrors.database import Database, opened
from labagent.tools.mirrors.entry import protein_record
from labagent.tools.mirrors.hits import paper_hit, protein_hit, variant_notes
from labagent.tools.mirrors.indexing import unpacked
from labagent.tools.mirrors.papers import PaperTable, paper_record
from labagent.tools.mirrors.proteins import Proteins
from labagent.tools.proteins.records import ProteinHits, ProteinRecord
from labagent.tools.proteins.records import SearchArguments as ProteinQuery


def connect(choice: Choice) -> Source:
    """A mirror; raises ``ToolError`` ``unavailable`` where the file is none."""
    if choice.path is None:
        raise ToolError("input", "which mirror is meant?", field="backend", value=choice.name,
                        allowed="mirror:NAME, a name of ask.mirrors, or mirror:PATH")  # fmt: skip
    database, meta = opened(choice.path)
    name, built, identity = choice.name, meta["built"], meta["identity"]
    if meta["kind"] == "proteins":
        return Source(name, identity, proteins=MirrorProteins(database, name, built))
    return Source(name, identity, literature=MirrorPapers(database, name, built))


class MirrorProteins:
    """Entries of a mirror. ``built``: when, ISO 8601."""

    def __init__(self, database: Database, name: str, built: str) -> None:
        self._entries, self._name, self._built = Proteins(database), name, built

    def protein(self, key: str) -> ProteinRecord:
        """The entry of an accession or entry name; see :class:`ProteinSource`."""
        body = self._entries.body(key)
        successors = () if body else self._entries.successors(key)
        if len(successors) > 1:
            allowed = ", ".join(successors)
            message = f"{key} is a secondary accession of several entries: {allowed}"
            raise ToolError("ambiguous", message, field="accession", value=key, allowed=allowed,
                            hints=["ask for the one that is meant"])  # fmt: skip
        body = body or (self._entries.body(successors[0]) if successors else None)
        if body is None:
            message = f"{key} is not among the {self._entries.size()} entries of {self._name}"
            raise ToolError("not_found", message, field="accession", value=key)
        return self._record(body, key)

    def search_proteins(self, query: ProteinQuery) -> ProteinHits:
        """Entries that fit; see :class:`ProteinSource`."""
        found = self._entries.search(query)
        records = [self._record(body) for body in found.bodies]
        return ProteinHits(
            query=found.asked,
            total=found.total,
            hits=tuple(map(protein_hit, records)),
            order=found.order,
            notes=(*found.notes, *variant_notes(query.query, records)),
            source=self._name,
            retrieved=self._built,
        )

    def _record(self, body: bytes, key: str = "") -> ProteinRecord:
        """An entry as the record of the tools."""
        entry = unpacked(body)
        return protein_record(
            entry, asked=key or entry.accessions[0], source=self._name, retrieved=self._built
        )


class MirrorPapers:
    """Papers of a mirror. ``built``: when, ISO 8601."""

    def __init__(self, database: Database, name: str, built: str) -> None:
        self._papers, self._name, self._built = PaperTable(database), name, built

    def papers(self, pmids: Sequence[str]) -> Sequence[PaperRecord]:
        """Those that are there; see :class:`LiteratureSource`."""
        return [self._said(paper_record(body)) for body in self._papers.bodies(pmids)]

    def search_papers(self, query: PaperQuery) -> PaperHits:
        """Papers that fit; see :class:`LiteratureSource`."""
        found = self._papers.search(query)
        return PaperHits(
            query=query.query,
            translation=found.asked,
            total=found.total,
            hits=tuple(paper_hit(paper_record(body)) for body in found.bodies),
            order=found.order,
            notes=found.notes,
            source=self._name,
            retrieved=self._built,
        )

    def _said(self, paper: PaperRecord) -> PaperRecord:
        """A paper with where it is from."""
        return paper.model_copy(update={"source": self._name, "retrieved": self._built})
