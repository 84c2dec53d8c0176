"""Tutorials: notebooks as a list of cells with the text of their outputs, texts and scripts as they are."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from labagent.errors import SourceError
from labagent.files import to_json
from labagent.stage.documents._converted import Converted, read_text, unsupported

TEXTS = (".md", ".rst", ".txt", ".py", ".r", ".rmd", ".qmd")
MAX_OUTPUT = 20_000  # characters of one cell
KINDS = {"markdown": "markdown", "code": "code", "heading": "markdown"}


def convert(source: Path) -> Converted:
    """A tutorial as text, or as JSON cells.

    Raises:
        SourceError: a notebook that does not parse, or another kind of file.
    """
    if source.suffix == ".ipynb":
        return Converted(to_json(notebook_cells(source)), ".json")
    if source.suffix.lower() in TEXTS:
        return Converted(read_text(source), source.suffix)
    raise unsupported(source, (".ipynb", *TEXTS))


def notebook_cells(source: Path) -> list[dict[str, Any]]:
    """The text and code cells of a notebook (formats 3 and 4): ``cell`` counts all cells from 1.

    Raises:
        SourceError: the file is not a notebook.
    """
    cells, _ = read_notebook(source)
    return cells


def read_notebook(source: Path) -> tuple[list[dict[str, Any]], str]:
    """Like :func:`notebook_cells`, with the language of its kernel (empty where it names none)."""
    import nbformat

    try:
        raw = nbformat.reader.reads(source.read_text(encoding="utf-8-sig"))  # type: ignore[no-untyped-call]
        notebook = nbformat.convert(raw, 4)  # type: ignore[no-untyped-call]
        cells = [
            {"cell": number, "type": KINDS[cell["cell_type"]], "source": _joined(cell.get("source"))}
            | _outputs(cell)
            for number, cell in enumerate(notebook["cells"], start=1)
            if cell["cell_type"] in KINDS
        ]
        metadata = notebook.get("metadata", {})
        language = metadata.get("language_info", {}).get("name") or metadata.get("kernelspec", {}).get(
            "language"
        )
    except (
        nbformat.reader.NotJSONError,
        nbformat.ValidationError,
        json.JSONDecodeError,
        UnicodeDecodeError,
        KeyError,
        TypeError,
        ValueError,
        AttributeError,
    ) as error:
        reason = str(error).split("\n", 1)[0][:200]
        raise SourceError(f"{source.name}: the notebook cannot be read: {reason}") from error
    return cells, str(language or "").lower()


def _joined(text: Any) -> str:
    """A text; some writers leave a list of lines."""
    return "".join(map(str, text)) if isinstance(text, list) else str(text or "")


def _outputs(cell: Any) -> dict[str, str]:
    """What a code cell printed or showed as text, shortened in the middle; nothing where there is none."""
    texts = [text.strip("\n") for item in cell.get("outputs", ()) if (text := _output(item)).strip()]
    whole = "\n".join(texts)
    if len(whole) > MAX_OUTPUT:
        half = MAX_OUTPUT // 2
        whole = f"{whole[:half]}\n[{len(whole) - 2 * half} characters left out]\n{whole[-half:]}"
    return {"outputs": whole} if whole else {}


def _output(item: Any) -> str:
    """The text of one output: a stream, a value's plain form, or an error's last line."""
    if item.get("output_type") == "error":
        return f"{item.get('ename', '')}: {item.get('evalue', '')}"
    return _joined(item.get("text") or item.get("data", {}).get("text/plain"))
