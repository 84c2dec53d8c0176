"""What ``pubmed.search`` and ``pubmed.fetch`` do with the backends in use."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from labagent.errors import ToolError
from labagent.tools.backends import Source, sources
from labagent.tools.backends._order import PASSED_ON, first
from labagent.tools.literature.records import (
    FetchArguments,
    PaperHits,
    PaperRecord,
    Papers,
    SearchArguments,
)


def search_papers(arguments: SearchArguments) -> PaperHits:
    """What the first source that finds anything finds.

    Raises:
        ToolError: ``input`` (years out of order, a query that cannot be read), ``unavailable``.
    """
    start, end = arguments.from_year, arguments.to_year
    if start and end and start > end:
        raise ToolError(
            "input",
            "the first year is after the last",
            field="from_year",
            value=str(start),
            allowed=f"≤ {end}",
        )
    asked = [(s.name, partial(s.literature.search_papers, arguments)) for s in sources() if s.literature]
    found, notes = first(asked, lambda hits: bool(hits.hits))
    return found.model_copy(update={"notes": (*found.notes, *notes)})


def fetch_papers(arguments: FetchArguments) -> Papers:
    """The papers asked for, each from the first source that has it (with an abstract, where one is asked
    for and a later source has it).

    Raises:
        ToolError: ``not_found`` (none of them is known), ``unavailable``.
    """
    wanted = list(dict.fromkeys(arguments.pmids))
    found, notes, down = _gather(wanted, [s for s in sources() if s.literature], arguments.abstract)
    papers = [found[p] if arguments.abstract else _bare(found[p]) for p in wanted if p in found]
    missing = tuple(p for p in wanted if p not in found)
    if not papers:
        raise down or _none(missing)
    origins = dict.fromkeys(p.source for p in papers)
    return Papers(
        papers=tuple(papers),
        missing=missing,
        notes=tuple(notes),
        source=",".join(origins),
        retrieved=max(p.retrieved for p in papers),
    )


def _gather(
    wanted: Sequence[str], asked: Sequence[Source], abstract: bool
) -> tuple[dict[str, PaperRecord], list[str], ToolError | None]:
    """Papers by id; notes on sources that failed; the first such failure."""
    found: dict[str, PaperRecord] = {}
    notes: list[str] = []
    down: ToolError | None = None
    if not asked:
        down = ToolError(
            "unavailable", "none of the backends in use has papers", hints=["add live or a mirror"]
        )
    for source in asked:
        open_ = [p for p in wanted if p not in found or (abstract and found[p].has_abstract is None)]
        if not open_ or source.literature is None:
            continue
        try:
            found |= {p.pmid: p for p in source.literature.papers(open_) if p.pmid in open_}
        except ToolError as error:
            if error.code not in PASSED_ON:
                raise
            if error.code == "unavailable":
                notes.append(f"{source.name} was asked: {error.message}")
                down = down or error
    return found, notes, down


def _bare(paper: PaperRecord) -> PaperRecord:
    """A paper without its abstract."""
    return paper.model_copy(update={"abstract": ""})


def _none(missing: Sequence[str]) -> ToolError:
    """None of the papers is known."""
    asked = ", ".join(s.name for s in sources() if s.literature)
    return ToolError(
        "not_found",
        f"{asked} has no paper with PubMed id {', '.join(missing)}",
        field="pmids",
        value=", ".join(missing)[:80],
        allowed="ids of papers the source has",
        hints=["pubmed.search finds papers by words"],
    )
