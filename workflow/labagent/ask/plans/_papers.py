"""Steps on papers."""

from __future__ import annotations

from collections.abc import Sequence

from labagent.ask.plans._queries import relaxed
from labagent.ask.work import Done, Work, outcome_of

SEARCH, FETCH = "pubmed.search", "pubmed.fetch"
READ = 3
"""Papers of a review whose records are read."""
SIZE, MOST = 5, 25
"""Papers that are listed where the question does not say how many, and at most."""
FEW = 3
"""A search that finds fewer is followed by a relaxed one."""


def by_id(work: Work) -> Done:
    """The papers named in the question."""
    call = work.call(FETCH, pmids=[slot.value for slot in work.slots.pmids])
    work.tell(call)
    if call.status == "error":
        work.end(outcome_of(call))
        return Done("error", call.error.message if call.error else "")
    if not (call.result or {}).get("papers"):
        work.end("not_found")
        return Done("empty", "no such paper")
    return Done("ok")


def by_query(work: Work, query: str = "", *, relax: bool = True) -> Done:
    """Papers on what is asked; where few have all of it, those of a relaxed search too, which is said."""
    slots = work.slots
    first, _, last = str(slots.parameter("years") or ":").partition(":")
    years = (
        {"from_year": int(first), "to_year": int(last)} if last and "[dp]" not in slots.routing.query else {}
    )
    size = min(int(slots.parameter("papers") or SIZE), MOST)
    how = {"size": size, "order": slots.parameter("order"), **years}
    asked = query or slots.routing.query
    call = work.call(SEARCH, query=asked, **how)
    exact = [hit["pmid"] for hit in (call.result or {}).get("hits", [])]
    wider = relaxed(asked) if relax and call.result and len(exact) < min(FEW, size) else ""
    if wider:
        work.tell(call)
        work.say(
            f"The search was relaxed: of the words, any instead of all, so that papers may miss the point. "
            f"Asked instead: {wider}",
            f"检索已放宽:不再要求全部词,只要求其中任一词,因此结果可能不切题。放宽后的检索式:{wider}",
        )
        call = work.call(SEARCH, query=wider, **how)
    work.tell(call)
    if call.status == "error" and not exact:
        work.end(outcome_of(call))
        return Done("error", call.error.message if call.error else "")
    hits = (call.result or {}).get("hits", [])
    work.found["papers"] = list(dict.fromkeys([*exact, *(hit["pmid"] for hit in hits)]))
    if hits or exact:
        return Done("ok", "relaxed" if wider else "")
    if not query:
        work.end("not_found")
    return Done("empty", "no paper was found")


def cited(work: Work, pmids: Sequence[str]) -> Done:
    """Papers that an entry cites, where a search has none."""
    wanted = list(dict.fromkeys(pmids))[:SIZE]
    if not wanted:
        return Done("empty", "no paper was found")
    work.say(
        "The search has no paper; those that follow are cited by the UniProt entry.",
        "检索没有结果;以下是 UniProt 条目引用的文献。",
    )
    call = work.call(FETCH, pmids=wanted, abstract=False)
    work.tell(call)
    if call.status == "error":
        return Done("empty", call.error.message if call.error else "")
    return Done("ok")


def read(work: Work) -> Done:
    """The records of the first papers that were found."""
    call = work.call(FETCH, pmids=work.found.get("papers", [])[:READ])
    work.tell(call, read=True)
    return Done("ok" if call.status == "ok" else "error", call.error.message if call.error else "")
