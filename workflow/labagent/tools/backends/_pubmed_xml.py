"""Entrez XML as our records, read by Bio.Entrez without any look at the network.

Bio.Entrez fetches a document type that it does not know from wherever the answer says. So the answer's own
declaration is taken out, with all its entities, and one that comes with Biopython is put in its place.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from labagent.tools.literature.records import MOST_AUTHORS, PMID, PaperHit, PaperRecord, paper_url

PROLOG = re.compile(rb"\s*(?:<\?xml[^>]*\?>\s*)?(?:<!--.*?-->\s*)*", re.DOTALL)
DOCTYPE = re.compile(rb"<!DOCTYPE\s+[^\[>]*(?:\[.*?\]\s*)?>\s*", re.DOTALL)
ROOT = re.compile(rb"<([A-Za-z]+)")
MARKUP = re.compile(
    r"</?(?:i|b|u|sub|sup|em|strong|mml:[a-z]+|math|DispFormula)(?:\s[^<>]*)?/?>", re.IGNORECASE
)
TYPES = {
    "eSearchResult": ("https://eutils.ncbi.nlm.nih.gov/eutils/dtd/20060628/", "esearch.dtd"),
    "eSummaryResult": ("https://eutils.ncbi.nlm.nih.gov/eutils/dtd/20041029/", "esummary-v1.dtd"),
    "PubmedArticleSet": ("https://dtd.nlm.nih.gov/ncbi/pubmed/out/", ""),
}
BUSY = re.compile(r"fail|unavailable|time|limit|try again|backend|busy|internal|memory", re.IGNORECASE)
YEAR = re.compile(r"(?<!\d)(1[5-9]\d\d|20\d\d|21\d\d)(?!\d)")


class EntrezFault(Exception):
    """The service says that it cannot do what was asked, and asking again does not help."""


def read_entrez(body: bytes) -> Any:
    """An answer as Bio.Entrez reads it: mappings, lists and strings.

    Raises:
        ValueError: it is cut off, damaged, of a kind that is not known, or says that the service is busy.
        EntrezFault: the service refuses.
    """
    from Bio.Entrez import Parser

    handler = Parser.DataHandler(validate=False, escape=False, ignore_errors=False)
    try:
        return handler.read(io.BytesIO(_with_own_type(body)))
    except RuntimeError as error:
        said = " ".join(str(error).split())[:300]
        if BUSY.search(said):
            raise ValueError(said) from None
        raise EntrezFault(said) from None
    except ValueError:
        raise
    except Exception as error:  # the parser raises what expat and its own bookkeeping raise
        raise ValueError(f"{type(error).__name__}: {error}"[:200]) from error


def hit_of(summary: Mapping[str, Any]) -> PaperHit:
    """A document summary as a hit."""
    pmid = _text(summary.get("Id", ""))
    authors = _texts(summary.get("AuthorList"))
    year = YEAR.search(_text(summary.get("PubDate", "")) + " " + _text(summary.get("EPubDate", "")))
    return PaperHit(
        pmid=pmid,
        title=_text(summary.get("Title", "")),
        authors=authors[:MOST_AUTHORS],
        author_count=len(authors),
        journal=_text(summary.get("FullJournalName", "")) or _text(summary.get("Source", "")),
        year=int(year[1]) if year else None,
        doi=_text(summary.get("DOI", "")),
        url=paper_url(pmid),
    )


def papers_of(found: Any, **more: str) -> list[PaperRecord]:
    """The papers of a ``PubmedArticleSet``; ``more`` are source and time. Books have another form and are
    given with title, authors, year and abstract alone.
    """
    sets = found if isinstance(found, Mapping) else {}
    articles = [a for a in sets.get("PubmedArticle", ()) if isinstance(a, Mapping)]
    books = [b for b in sets.get("PubmedBookArticle", ()) if isinstance(b, Mapping)]
    papers = [_paper(a, more) for a in articles] + [_book(b, more) for b in books]
    return [p for p in papers if PMID.fullmatch(p.pmid)]


def _paper(article: Mapping[str, Any], more: Mapping[str, str]) -> PaperRecord:
    """A journal article."""
    citation = _of(article, "MedlineCitation")
    inner = _of(citation, "Article")
    issue = _of(_of(inner, "Journal"), "JournalIssue")
    data = _of(article, "PubmedData")
    pmid = _text(citation.get("PMID", ""))
    authors = [_author(a) for a in _items(inner, "AuthorList")]
    ids = {_kind(i, "IdType"): _text(i) for i in data.get("ArticleIdList", ())}
    types = _texts(inner.get("PublicationTypeList"))
    abstract = _abstract(_of(inner, "Abstract"))
    comments = {_kind(c, "RefType") for c in _items(citation, "CommentsCorrectionsList")}
    return PaperRecord(
        pmid=pmid,
        title=_text(inner.get("ArticleTitle", "")) or _text(inner.get("VernacularTitle", "")),
        authors=tuple(filter(None, authors))[:MOST_AUTHORS],
        author_count=len(authors),
        journal=_text(_of(inner, "Journal").get("Title", "")),
        year=_year(_of(issue, "PubDate"), inner),
        doi=ids.get("doi", "") or next(iter(_dois(inner)), ""),
        url=paper_url(pmid),
        abstract=abstract,
        has_abstract=bool(abstract),
        volume=_text(issue.get("Volume", "")),
        issue=_text(issue.get("Issue", "")),
        pages=_text(_of(inner, "Pagination").get("MedlinePgn", "")),
        language=next(iter(_texts(inner.get("Language"))), ""),
        types=types,
        mesh=tuple(_text(h.get("DescriptorName", "")) for h in _items(citation, "MeshHeadingList")),
        keywords=tuple(_text(k) for words in citation.get("KeywordList", ()) for k in words),
        pmcid=ids.get("pmc", ""),
        retracted="Retracted Publication" in types or "RetractionIn" in comments,
        **more,
    )


def _book(article: Mapping[str, Any], more: Mapping[str, str]) -> PaperRecord:
    """A chapter of a book."""
    document = _of(article, "BookDocument")
    book = _of(document, "Book")
    pmid = _text(document.get("PMID", ""))
    listed = document.get("AuthorList", ())
    authors = [_author(a) for group in listed for a in (group if isinstance(group, list) else [group])]
    abstract = _abstract(_of(document, "Abstract"))
    return PaperRecord(
        pmid=pmid,
        title=_text(document.get("ArticleTitle", "")) or _text(book.get("BookTitle", "")),
        authors=tuple(filter(None, authors))[:MOST_AUTHORS],
        author_count=len(authors),
        journal=_text(book.get("BookTitle", "")),
        year=_year(_of(book, "PubDate"), {}),
        url=paper_url(pmid),
        abstract=abstract,
        has_abstract=bool(abstract),
        types=_texts(document.get("PublicationType")),
        **more,
    )


def _author(author: Any) -> str:
    """``Doe JA``, or the name of a group."""
    if not isinstance(author, Mapping):
        return ""
    last, initials = _text(author.get("LastName", "")), _text(author.get("Initials", ""))
    return f"{last} {initials}".strip() or _text(author.get("CollectiveName", ""))


def _abstract(abstract: Mapping[str, Any]) -> str:
    """The abstract, a section a line, with its label."""
    lines = []
    for section in abstract.get("AbstractText", ()):
        label, text = _kind(section, "Label"), _text(section)
        if text:
            lines.append(f"{label}: {text}" if label else text)
    return "\n".join(lines)


def _year(date: Mapping[str, Any], article: Mapping[str, Any]) -> int | None:
    """The year of the issue, else of the electronic publication."""
    electronic = [d for d in article.get("ArticleDate", ()) if isinstance(d, Mapping)]
    written = [date.get("Year", ""), date.get("MedlineDate", ""), *(d.get("Year", "") for d in electronic)]
    found = YEAR.search(" ".join(map(_text, written)))
    return int(found[1]) if found else None


def _dois(article: Mapping[str, Any]) -> Iterator[str]:
    """DOIs that the article names itself."""
    return (_text(e) for e in article.get("ELocationID", ()) if _kind(e, "EIdType") == "doi")


def _of(value: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """An element with elements; ``PubDate`` and the like are lists where they may stand twice."""
    found = value.get(name, {})
    if isinstance(found, Sequence) and not isinstance(found, str):
        found = found[0] if found else {}
    return found if isinstance(found, Mapping) else {}


def _items(value: Mapping[str, Any], name: str) -> list[Any]:
    """The elements of a list."""
    found = value.get(name, ())
    return list(found) if isinstance(found, Sequence) and not isinstance(found, str) else []


def _texts(value: Any) -> tuple[str, ...]:
    """Strings of a list, or one string."""
    if isinstance(value, str):
        return (_text(value),) if value else ()
    return tuple(filter(None, map(_text, value))) if isinstance(value, Sequence) else ()


def _text(value: Any) -> str:
    """Text without markup, on one line."""
    return " ".join(MARKUP.sub("", str(value)).split()) if isinstance(value, (str, int)) else ""


def _kind(element: Any, name: str) -> str:
    """An attribute of an element."""
    return str(getattr(element, "attributes", {}).get(name, ""))


def _with_own_type(body: bytes) -> bytes:
    """The answer with a document type of Biopython's."""
    start = PROLOG.match(body)
    place = start.end() if start else 0
    if declared := DOCTYPE.match(body, place):
        place = declared.end()
    root = ROOT.match(body, place)
    name = root[1].decode() if root else ""
    if name not in TYPES:
        raise ValueError(f"no answer of Entrez: it begins with {body[place : place + 40]!r}")
    base, file = TYPES[name]
    address = base + (file or _newest())
    head = f'<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE {name} PUBLIC "-//NLM//EN" "{address}">\n'
    return head.encode() + body[place:]


@cache
def _newest() -> str:
    """The latest document type of PubMed that comes with Biopython."""
    from importlib.resources import files

    names = [entry.name for entry in files("Bio.Entrez").joinpath("DTDs").iterdir()]
    return max(name for name in names if re.fullmatch(r"pubmed_[2-9]\d{5}\.dtd", name))
