"""``recorded:NAME``: what another system's recorded calls say, as a source.

Of a JSON-lines file (see :mod:`._recording`) the results of ``uniprot.fetch``, ``uniprot.search`` and
``pubmed.search`` are used. Fields that were not recorded stay empty and are named in ``missing``. A search is
answered from the recorded one that is most like it, and says from which; one that none is like is
``not_recorded``, which is not the same as nothing found.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from labagent.errors import ToolError
from labagent.files import sha256_file
from labagent.tools.backends._recording import (
    NOISE,
    Recording,
    Search,
    nearest,
    number,
    read_recording,
    string,
    topic,
    years_of,
)
from labagent.tools.backends.protocols import Choice, Source
from labagent.tools.literature import records as literature
from labagent.tools.literature.query import with_years
from labagent.tools.literature.syntax import Node, matches, parse_query, terms_of
from labagent.tools.literature.words import STOP_WORDS, words_of
from labagent.tools.naming.organisms import ORGANISMS
from labagent.tools.proteins import records as proteins

KNOWN = frozenset({"sequence", "function"})
MISSING = tuple(p for p in proteins.PARTS if p not in KNOWN)
ORDER = "as recorded"
PARTIAL = "from a recorded call: names of genes, review status and most parts of the entry were not recorded"


class Recorded:
    """A file's calls; meets both protocols."""

    def __init__(self, name: str, recording: Recording) -> None:
        self.name, self.recording = name, recording

    def protein(self, key: str) -> proteins.ProteinRecord:
        """A recorded entry; ``not_recorded`` for any other."""
        found = self.recording.entries.get(key)
        if found is None:
            raise _not_recorded(f"no recorded call gave the entry {key}", "accession", key)
        entry, when = found
        sequence = string(entry, "sequence")
        missing = MISSING if sequence else ("sequence", *MISSING)
        return proteins.ProteinRecord(
            asked=key,
            accession=string(entry, "accession"),
            found_by="accession" if key == string(entry, "accession") else "entry_name",
            entry_name=string(entry, "id"),
            name=string(entry, "name"),
            organism=string(entry, "organism"),
            sequence=sequence,
            length=number(entry, "length"),
            function=tuple(filter(None, [string(entry, "function")])),
            missing=tuple(p for p in proteins.PARTS if p in missing),
            notes=(PARTIAL,),
            source=self.name,
            retrieved=when,
            url=proteins.entry_url(string(entry, "accession")),
        )

    def search_proteins(self, query: proteins.SearchArguments) -> proteins.ProteinHits:
        """The hits of the recorded search that is most like this one, with the conditions that can be
        checked; else recorded entries that hold all the words.
        """
        asked = " ".join(filter(None, (query.query, query.gene, query.organism)))
        words = topic(asked)
        search = nearest(self.recording.protein_searches, words, None)
        hits = (
            search.hits
            if search
            else [e for e, _ in self.recording.entries.values() if words <= _entry_words(e)]
        )
        kept = [h for h in hits if _fits(h, query)]
        exact = search is not None and len(kept) == len(hits)
        if not kept and (search is None or hits):
            raise _not_recorded(f"no recorded search is like {asked[:80]!r}", "query", asked)
        return proteins.ProteinHits(
            query=search.text if search else asked,
            total=len(kept) if search and exact and len(hits) < search.size else None,
            hits=tuple(map(_protein_hit, kept[: query.size])),
            order=ORDER,
            notes=(_said(search), PARTIAL),
            source=self.name,
            retrieved=search.when
            if search
            else max(self.recording.entries[string(h, "accession")][1] for h in kept),
        )

    def papers(self, pmids: Sequence[str]) -> Sequence[literature.PaperRecord]:
        """Recorded papers; their abstracts were not recorded."""
        found = [(p, self.recording.papers[p]) for p in pmids if p in self.recording.papers]
        return [
            literature.PaperRecord(**_paper_hit(hit).model_dump(), source=self.name, retrieved=when)
            for _, (hit, when) in found
        ]

    def search_papers(self, query: literature.SearchArguments) -> literature.PaperHits:
        """The hits of the recorded search that is most like this one; else recorded papers that fit."""
        text = with_years(query.query, query.from_year, query.to_year)
        node = parse_query(text)
        words = frozenset(w for t in terms_of(node) for w in t.words) - STOP_WORDS - NOISE
        search = nearest(self.recording.paper_searches, words, years_of(node))
        hits: Iterable[Mapping[str, Any]] = search.hits if search else self._fitting(node)
        made = [_paper_hit(h) for h in hits]
        if search is None and not made:
            raise _not_recorded(f"no recorded search is like {text[:80]!r}", "query", text)
        return literature.PaperHits(
            query=search.text if search else text,
            total=len(made) if search and len(made) < search.size else None,
            hits=tuple(made[: query.size]),
            order=ORDER,
            notes=(_said(search),),
            source=self.name,
            retrieved=search.when if search else max(self.recording.papers[h.pmid][1] for h in made),
        )

    def _fitting(self, node: Node) -> list[Mapping[str, Any]]:
        """Recorded papers whose title fits a query."""
        found = []
        for hit, _ in self.recording.papers.values():
            words = words_of(string(hit, "title"))
            fields = {"text": words, "title": words, "journal": words_of(string(hit, "journal"))}
            if matches(node, fields, _paper_hit(hit).year):
                found.append(hit)
        return found


def connect(choice: Choice) -> Source:
    """The file's calls.

    Raises:
        ToolError: ``input``: no file is named, or a line of it is no JSON object; the message names it.
    """
    if choice.path is None:
        raise ToolError("input", "recorded needs a file: recorded:NAME", field="backend", value=choice.name)
    identity = f"recorded {sha256_file(choice.path)}"
    read = Recorded(choice.name, read_recording(choice.path, identity))
    return Source(name=choice.name, identity=identity, proteins=read, literature=read)


def _entry_words(entry: Mapping[str, Any]) -> frozenset[str]:
    """The words of an entry's names and organism."""
    return topic(" ".join(string(entry, k) for k in ("accession", "id", "name", "organism")))


def _fits(hit: Mapping[str, Any], query: proteins.SearchArguments) -> bool:
    """Whether an entry meets the conditions that a recorded hit can be checked for."""
    if query.taxon is not None or query.organism:
        wanted = query.organism.casefold()
        known = [o for o in ORGANISMS if o.taxon == query.taxon or wanted in (o.name.casefold(), *o.words)]
        names = [o.name.casefold() for o in known] or [wanted]
        if not any(n and string(hit, "organism").casefold().startswith(n) for n in names):
            return False
    if not query.gene:
        return True
    gene = query.gene.casefold()
    return string(hit, "id").casefold().partition("_")[0] == gene or gene in words_of(string(hit, "name"))


def _protein_hit(hit: Mapping[str, Any]) -> proteins.ProteinHit:
    """A recorded hit."""
    return proteins.ProteinHit(
        accession=string(hit, "accession"),
        entry_name=string(hit, "id"),
        name=string(hit, "name"),
        organism=string(hit, "organism"),
        length=number(hit, "length"),
        function=string(hit, "function")[:600],
        url=proteins.entry_url(string(hit, "accession")),
    )


def _paper_hit(hit: Mapping[str, Any]) -> literature.PaperHit:
    """A recorded paper."""
    listed = hit.get("authors")
    authors = tuple(str(a) for a in listed) if isinstance(listed, list) else ()
    year = string(hit, "year")
    return literature.PaperHit(
        pmid=string(hit, "pmid"),
        title=string(hit, "title"),
        authors=authors[: literature.MOST_AUTHORS],
        journal=string(hit, "journal"),
        year=int(year) if year.isdigit() else None,
        url=literature.paper_url(string(hit, "pmid")),
    )


def _said(search: Search | None) -> str:
    """Where hits come from."""
    if search is None:
        return "no recorded search is like this one; these are recorded entries that fit it"
    return f"the hits of the recorded search {search.text[:120]!r}"


def _not_recorded(message: str, name: str, value: str) -> ToolError:
    """Something that no recorded call says anything of."""
    return ToolError("not_recorded", message, field=name, value=value[:80])
