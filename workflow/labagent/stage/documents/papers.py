"""Papers: PDF and MEDLINE as text with a form feed between pages, text and Markdown as they are."""

from __future__ import annotations

import logging
import re
from pathlib import Path
from typing import Any

from labagent.errors import SourceError
from labagent.stage.documents._converted import Converted, read_text, unsupported

PAGE_END = "\f"
LAID_OUT = "[table as laid out]"
GAP = re.compile(r"\s{2,}")
NUMERIC = re.compile(r"[<>=~±(]?\s?[-+−–]?\.?\d")
FEWEST_ROWS, LONGEST_CELL = 3, 40
TEXTS = (".txt", ".md", ".rst")
MEDLINE = (".nbib", ".medline")


def convert(source: Path) -> Converted:
    """A paper as text, pages apart.

    Raises:
        SourceError: an encrypted or broken PDF, or another kind of file.
    """
    with source.open("rb") as stream:
        is_pdf = b"%PDF-" in stream.read(1024)
    if is_pdf:
        return _from_pdf(source)
    if source.suffix.lower() == ".pdf":
        raise SourceError(f"{source.name}: is not a PDF, though its name says so")
    if source.suffix.lower() in MEDLINE:
        return _from_medline(source)
    if source.suffix.lower() in TEXTS:
        return Converted(read_text(source), source.suffix.lower())
    raise unsupported(source, (".pdf", *MEDLINE, *TEXTS))


def _from_medline(source: Path) -> Converted:
    """Records of PubMed, one a page: number, title, authors, journal, abstract, subject headings."""
    import io

    from Bio import Medline

    pages = []
    for record in Medline.parse(io.StringIO(read_text(source))):  # type: ignore[no-untyped-call]
        head = f"PMID {record.get('PMID', '')} {record.get('DP', '')} {record.get('TA', '')}".strip()
        lines = [head, record.get("TI", ""), "; ".join(record.get("FAU", record.get("AU", [])))]
        lines += ["", record.get("AB", ""), "; ".join(record.get("MH", []))]
        pages.append("\n".join(lines).strip() + "\n")
    if not pages or not any("PMID" in page.split("\n", 1)[0].split() for page in pages):
        raise SourceError(f"{source.name}: holds no MEDLINE record")
    return Converted(PAGE_END.join(pages), ".txt")


def _from_pdf(source: Path) -> Converted:
    """Extract the text of every page."""
    from pypdf import PdfReader
    from pypdf.errors import PyPdfError

    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    try:
        reader = PdfReader(source)
        if reader.is_encrypted and not reader.decrypt(""):
            raise SourceError(f"{source.name}: is encrypted; give a copy that opens without a password")
        pages = [_page(page) for page in reader.pages]
    except (
        PyPdfError,
        ValueError,
        KeyError,
        TypeError,
        AttributeError,
        IndexError,
        RecursionError,
    ) as error:
        raise SourceError(f"{source.name}: the PDF cannot be read: {error}") from error
    if not pages:
        raise SourceError(f"{source.name}: the PDF has no pages")
    blank = [str(n) for n, text in enumerate(pages, start=1) if not text.strip()]
    warnings = []
    if blank:
        warnings.append(f"no text on page {', '.join(blank)} of {len(pages)} (scanned?)")
    return Converted(PAGE_END.join(pages), ".txt", tuple(warnings))


def _page(page: Any) -> str:
    """A page's text; below it each table as it is laid out, so that empty cells keep their place."""
    text = _clean(page.extract_text())
    if not any(character.isdigit() for character in text):
        return text
    tables = tables_of(_clean(page.extract_text(extraction_mode="layout")))
    return "\n".join([text, *(f"{LAID_OUT}\n{table}" for table in tables)])


def tables_of(layout: str) -> list[str]:
    """Tables in a page as it is laid out: three rows and more of short cells, half of them with numbers."""
    tables: list[str] = []
    rows: list[str] = []
    for line in [*layout.split("\n"), ""]:
        cells = GAP.split(line.strip())
        if line.strip() and len(cells) > 1 and all(len(cell) <= LONGEST_CELL for cell in cells):
            rows.append(line.rstrip())
            continue
        numeric = sum(any(NUMERIC.match(cell) for cell in GAP.split(row.strip())[1:]) for row in rows)
        if len(rows) >= FEWEST_ROWS and 2 * numeric >= len(rows):
            tables.append("\n".join(rows))
        if line.strip() or not rows or len(rows) >= FEWEST_ROWS:
            rows = []
    return tables


def _clean(text: str) -> str:
    """Keep form feeds for page ends alone, and drop what UTF-8 cannot hold."""
    plain = text.replace(PAGE_END, "\n").replace("\0", "")
    return plain.encode("utf-8", "replace").decode("utf-8")
