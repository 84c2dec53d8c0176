"""The text that a piece of evidence points to, found in a lab's staged artifacts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from labagent.errors import SourceError
from labagent.models.skill import Evidence, Source

FOLDERS = {"repository": "repository", "paper": "papers", "tutorial": "tutorials", "issue": "issues"}
MAX_BYTES = 32 << 20


class Unresolved(Exception):
    """Evidence points to nothing; the text says why."""


def missing_terms(item: Evidence, artifacts: Path) -> tuple[str, ...]:
    """Terms of a piece of evidence that do not occur in the place it cites; blanks count as one.

    Raises:
        Unresolved: the place does not exist.
    """
    text = " ".join(passage(item.source, artifacts).split())
    return tuple(term for term in item.terms if " ".join(term.split()) not in text)


def passage(source: Source, artifacts: Path) -> str:
    """The cited text.

    Args:
        source: the place.
        artifacts: a lab's staged folder.

    Raises:
        Unresolved: no such file, line, page, cell, issue or comment.
    """
    if source.kind == "url":
        raise Unresolved("an address cannot be looked up here")
    path = _file(source, artifacts)
    if source.kind == "issue":
        return _lines(_comment(_json(path), source), source)
    if source.kind == "tutorial" and path.suffix == ".json":
        return _lines(_cell(_json(path), source), source)
    if path.suffix == ".ipynb" and source.cell is not None:
        return _lines(_cell(notebook_of(path), source), source)
    text = path.read_text(encoding="utf-8", errors="replace")
    if source.kind == "paper":
        return _lines(_page(text, source), source)
    if source.lines is None:
        raise Unresolved("lines are missing: evidence in a file names its first and last line")
    return _lines(text, source)


def _file(source: Source, artifacts: Path) -> Path:
    """The staged file, which must lie in its folder and be a regular one."""
    folder = (artifacts / FOLDERS[source.kind]).resolve()
    try:
        path = (folder / source.path).resolve()
        path.is_file()
    except (OSError, ValueError, RuntimeError) as error:
        raise Unresolved(f"{source.path[:80]!r} cannot be the path of a file") from error
    if not source.path or not path.is_relative_to(folder):
        raise Unresolved(f'"{source.path}" leads out of the staged {FOLDERS[source.kind]}')
    if not path.is_file():
        raise Unresolved(f'"{source.path}" is not among the staged files (absent or sealed)')
    if path.stat().st_size > MAX_BYTES:
        raise Unresolved(f'"{source.path}" is larger than {MAX_BYTES >> 20} MiB')
    return path


def _json(path: Path) -> Any:
    """A staged JSON list."""
    value = json.loads(path.read_text(encoding="utf-8"))
    if not isinstance(value, list):
        raise Unresolved(f'"{path.name}" does not hold a list')
    return value


def notebook_of(path: Path) -> list[Any]:
    """The cells of a notebook in a repository.

    Raises:
        Unresolved: the file is no notebook.
    """
    from labagent.stage.documents.tutorials import read_notebook

    try:
        return list(read_notebook(path)[0])
    except SourceError as error:
        raise Unresolved(str(error)) from error


def _page(text: str, source: Source) -> str:
    """A page of a paper."""
    pages = text.removesuffix("\f").split("\f")
    if source.page is None or not 1 <= source.page <= len(pages):
        raise Unresolved(f"page {source.page} does not exist; there are {len(pages)}")
    return pages[source.page - 1]


def _cell(cells: list[Any], source: Source) -> str:
    """A cell of a notebook."""
    found = next((c for c in cells if c.get("cell") == source.cell), None)
    if found is None:
        raise Unresolved(f"cell {source.cell} does not exist; there are {len(cells)}")
    return cell_text(found)


def cell_text(cell: dict[str, Any]) -> str:
    """A cell's source, and below it the output that is stored with it."""
    source, outputs = str(cell.get("source", "")), str(cell.get("outputs", ""))
    return f"{source}\n{outputs}" if outputs else source


def _comment(threads: list[Any], source: Source) -> str:
    """A post of an issue thread; 0 is the opening one."""
    thread = next((t for t in threads if t.get("number") == source.issue), None)
    if thread is None:
        raise Unresolved(f"issue {source.issue} does not exist")
    return post(thread, source.comment or 0)


def post(thread: dict[str, Any], number: int) -> str:
    """A post of a thread: 0 is the opening one with its title, then the comments from 1.

    Raises:
        Unresolved: there is no such comment.
    """
    comments = thread.get("comments", [])
    if not 0 <= number <= len(comments):
        raise Unresolved(f"comment {number} does not exist; there are {len(comments)}")
    if number:
        return str(comments[number - 1].get("body", ""))
    return f"{thread.get('title', '')}\n{thread.get('body', '')}"


def _lines(text: str, source: Source) -> str:
    """The cited lines of a text, or all of it where none are named."""
    if source.lines is None:
        return text
    lines = text.split("\n")
    first, last = source.lines
    if not 1 <= first <= last <= len(lines):
        raise Unresolved(f"lines {first}-{last} do not exist; there are {len(lines)}")
    return "\n".join(lines[first - 1 : last])
