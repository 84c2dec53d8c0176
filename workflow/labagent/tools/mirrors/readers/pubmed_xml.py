"""PubMed XML: baseline and update files, and what Bio.Entrez fetches (``retmode="xml"``).

Elements are those of NLM's DTD (https://dtd.nlm.nih.gov/ncbi/pubmed/). The DTD is not fetched; a file that
declares entities is refused, so that none can be expanded.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from typing import Literal, cast
from xml.etree.ElementTree import Element, ParseError, iterparse
from xml.parsers import expat

from labagent.tools.literature.records import MOST_AUTHORS, PaperRecord, paper_url
from labagent.tools.mirrors.papers import PaperRow, paper_row
from labagent.tools.mirrors.readers import Change
from labagent.tools.mirrors.readers._keeping import drop, keep
from labagent.tools.mirrors.streams import CHUNK, Source, fault

TITLE = "PubMed XML (pubmed25n0001.xml.gz)"
KIND: Literal["proteins", "papers"] = "papers"
GROWTH = 0.5
LONGEST_HEAD = 1 << 20
"""Bytes before the first element."""
ARTICLES = frozenset({"PubmedArticle", "MedlineCitation"})
BOOKS = frozenset({"PubmedBookArticle", "BookDocument"})


def accepts(head: bytes) -> bool:
    """XML that names PubMed's elements near its beginning."""
    return (
        head.startswith(b"<") and re.search(rb"<!DOCTYPE\s+Pubmed|<Pubmed|<MedlineCitation", head) is not None
    )


def fill(connection: sqlite3.Connection, source: Source) -> Iterator[Change]:
    """Index the articles of a file, and take out those it says are deleted; chapters of books are skipped."""
    for found in articles(source):
        if isinstance(found, PaperRow):
            yield keep(connection, found)
        elif found:
            yield drop(connection, found)
        else:
            yield "skipped"


def articles(source: Source) -> Iterator[PaperRow | str]:
    """The articles of a file, PubMed ids it says are deleted, and empty text for what is no article.

    Raises:
        InputError: no well-formed XML, a torn file, a declared entity, an article without PubMed id or title.
    """
    stream = _Stream(source)
    try:
        yield from _articles(stream)
    except ParseError as error:
        line, column = error.position
        after = f" after PMID {stream.pmid}" if stream.pmid else ""
        message = f"no well-formed XML{after}, column {column + 1}: {error.msg.partition(':')[0]}"
        raise fault(source.path, line, message) from error


class _Stream:
    """A file whose head was looked at; ``pmid`` is the article read last."""

    def __init__(self, source: Source) -> None:
        self.source, self.pmid = source, ""
        self._head = _safe_head(source)

    def read(self, size: int = CHUNK, /) -> bytes:
        """The next bytes."""
        head, self._head = self._head, b""
        return head or self.source.read(size)


def _articles(stream: _Stream) -> Iterator[PaperRow | str]:
    """What :func:`articles` gives; what was read is forgotten."""
    root: Element | None = None
    depth = 0
    events = cast(Iterator[tuple[str, Element]], iterparse(stream, ("start", "end")))
    for event, element in events:
        root = element if root is None else root
        depth += 1 if event == "start" else -1
        if event == "start" or depth > (root.tag not in ARTICLES):
            continue
        if element.tag in ARTICLES:
            row = _article(element, stream)
            stream.pmid = row.pmid
            yield row
        elif element.tag == "DeleteCitation":
            yield from (text for text in (e.text for e in element.iter("PMID")) if text)
        elif element.tag in BOOKS:
            yield ""
        if depth == 1:
            root.clear()


class _Root(Exception):
    """The first element begins."""


class _Entity(Exception):
    """An entity is declared."""


def _safe_head(source: Source) -> bytes:
    """Bytes up to the first element and some more; entities can be declared before it alone."""

    def declared(name: str, *_: object) -> None:
        raise _Entity(name)

    def begun(*_: object) -> None:
        raise _Root

    parser = expat.ParserCreate()
    parser.EntityDeclHandler = declared
    parser.StartElementHandler = begun
    head = b""
    while chunk := source.read():
        head += chunk
        try:
            parser.Parse(chunk, False)
        except _Root:
            return head
        except _Entity as error:
            message = f"the entity {str(error)!r} is declared; PubMed's files declare none"
            raise fault(source.path, parser.CurrentLineNumber, message) from error
        except expat.ExpatError:
            return head
        if len(head) > LONGEST_HEAD:
            raise fault(source.path, 1, f"no element within {LONGEST_HEAD >> 20} MB")
    return head


def _article(element: Element, stream: _Stream) -> PaperRow:
    """An article as a paper."""
    citation = element if element.tag == "MedlineCitation" else element.find("MedlineCitation")
    stated = citation.find("PMID") if citation is not None else None
    pmid = (stated.text or "").strip() if stated is not None else ""
    if citation is None or stated is None or not re.fullmatch(r"[1-9]\d{0,8}", pmid):
        place = f"behind PMID {stream.pmid}" if stream.pmid else "the first one"
        raise fault(stream.source.path, None, f"an article without a PubMed id ({place})")
    title = _text(citation.find("Article/ArticleTitle")) or _text(citation.find("Article/VernacularTitle"))
    authors = [name for a in citation.iterfind("Article/AuthorList/Author") if (name := _author(a))]
    years = _years(citation)
    abstract = "\n".join(filter(None, map(_section, citation.iterfind("Article/Abstract/AbstractText"))))
    types = tuple(_text(e) for e in citation.iterfind("Article/PublicationTypeList/PublicationType"))
    journal = _text(citation.find("Article/Journal/Title"))
    ids = {e.get("IdType"): _text(e) for e in element.iterfind("PubmedData/ArticleIdList/ArticleId")}
    electronic = [_text(e) for e in citation.iterfind("Article/ELocationID") if e.get("EIdType") == "doi"]
    notices = {e.get("RefType") for e in citation.iterfind("CommentsCorrectionsList/*")}
    record = PaperRecord(
        pmid=pmid,
        title=title,
        authors=tuple(authors[:MOST_AUTHORS]),
        author_count=len(authors),
        journal=_text(citation.find("Article/Journal/ISOAbbreviation"))
        or _text(citation.find("MedlineJournalInfo/MedlineTA"))
        or journal,
        year=years[0] if years else None,
        doi=next(iter(electronic), "") or ids.get("doi", ""),
        url=paper_url(pmid),
        abstract=abstract,
        has_abstract=bool(abstract),
        volume=_text(citation.find("Article/Journal/JournalIssue/Volume")),
        issue=_text(citation.find("Article/Journal/JournalIssue/Issue")),
        pages=_text(citation.find("Article/Pagination/MedlinePgn")),
        language=_text(citation.find("Article/Language")),
        types=types,
        mesh=tuple(map(_heading, citation.iterfind("MeshHeadingList/MeshHeading"))),
        keywords=tuple(filter(None, map(_text, citation.iterfind("KeywordList/Keyword")))),
        pmcid=ids.get("pmc", ""),
        retracted="RetractionIn" in notices or "Retracted Publication" in types,
    )
    abbreviated = _text(citation.find("MedlineJournalInfo/MedlineTA"))
    more = {"journal": f"{journal} ; {abbreviated}", "years": " ".join(map(str, years[1:]))}
    more["authors"] = " ; ".join(authors[MOST_AUTHORS:])
    return paper_row(record, version=_whole(stated.get("Version", "1")), more=more)


def _text(element: Element | None) -> str:
    """Text of an element with that of the marked-up parts in it, on one line."""
    return " ".join("".join(element.itertext()).split()) if element is not None else ""


def _section(element: Element) -> str:
    """A section of an abstract with its label."""
    label, text = element.get("Label", ""), _text(element)
    return f"{label}: {text}" if label and text else text


def _author(element: Element) -> str:
    """``Casbon JA``, ``Smith J Jr``, or the name of a group."""
    parts = (_text(element.find(name)) for name in ("LastName", "Initials", "Suffix"))
    return " ".join(filter(None, parts)) or _text(element.find("CollectiveName"))


def _years(citation: Element) -> list[int]:
    """Years of publication: of the issue, and of the electronic article."""
    issue = citation.find("Article/Journal/JournalIssue/PubDate")
    stated = (issue.find("Year"), issue.find("MedlineDate")) if issue is not None else ()
    texts = [*map(_text, stated), *map(_text, citation.iterfind("Article/ArticleDate/Year"))]
    found = (re.search(r"\d{4}", text) for text in texts)
    return list(dict.fromkeys(int(match[0]) for match in found if match))


def _heading(element: Element) -> str:
    """``Neoplasms/genetics/pathology``."""
    return "/".join(_text(part) for part in element if part.tag in ("DescriptorName", "QualifierName"))


def _whole(text: str) -> int:
    """A version."""
    return int(text) if text.isdecimal() else 1
