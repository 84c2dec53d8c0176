"""Papers: PDF and MEDLINE as text with a form feed between pages, text and Markdown as they are."""

from __future__ import annotations

import logging
from pathlib import Path

from labagent.errors import SourceError
from labagent.stage.documents._converted import Converted, read_text, unsupported

PAGE_END = "\f"
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
        pages = [_clean(page.extract_text()) for page in reader.pages]
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


def _clean(text: str) -> str:
    """Keep form feeds for page ends alone, and drop what UTF-8 cannot hold."""
    plain = text.replace(PAGE_END, "\n").replace("\0", "")
    return plain.encode("utf-8", "replace").decode("utf-8")
