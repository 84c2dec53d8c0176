"""The sources of a lab as passages of some forty lines, each with its address."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from labagent.explore.index.kinds import kind_of
from labagent.files import list_files
from labagent.models.skill import Source
from labagent.stage.lab import TAGS

LINES, SLACK = 40, 12  # a passage ends at the best place among its last SLACK lines
MAX_CHARACTERS = 6_000
MAX_FILE = 4 << 20  # bytes: larger files are data
SNIFF = 8 << 10
DATA = frozenset(
    {".csv", ".tsv", ".svg", ".lock", ".map", ".gct", ".mtx", ".fasta", ".fa", ".vcf", ".sam", ".bed"}
)
START = re.compile(r"(def |class |async def |@|#+ |\w[\w.]* *(<-|=) *function|\\section|===|---|\[)")


@dataclass(frozen=True)
class Chunk:
    """A passage: its address, what kind of source it is of, and its text."""

    source: Source
    kind: str
    text: str


def chunks_of(artifacts: Path) -> Iterator[Chunk]:
    """All passages of a lab's staged folder, in the order of its files; no data, no binary files."""
    for folder, read in (
        ("repository", _repository),
        ("papers", _paper),
        ("tutorials", _tutorial),
        ("issues", _threads),
    ):
        root = artifacts / folder
        if root.is_dir():
            for path in list_files(root):
                yield from read(path, path.relative_to(root).as_posix())


def _repository(path: Path, name: str) -> Iterator[Chunk]:
    """A file of the repository."""
    kind = kind_of(PurePosixPath(name))
    if path.suffix == ".ipynb":
        from labagent.skills.passages import Unresolved, notebook_of

        try:
            cells = notebook_of(path)
        except Unresolved:
            return
        yield from _cells(cells, "repository", name, kind)
        return
    text = _text(path)
    if text is not None:
        for lines, part in _pieces(text):
            yield Chunk(Source(kind="repository", path=name, lines=lines), kind, part)


def _paper(path: Path, name: str) -> Iterator[Chunk]:
    """A paper, page by page."""
    text = _text(path) or ""
    for page, content in enumerate(text.split("\f"), 1):
        for lines, part in _pieces(content):
            yield Chunk(Source(kind="paper", path=name, page=page, lines=lines), "paper", part)


def _tutorial(path: Path, name: str) -> Iterator[Chunk]:
    """A tutorial: a notebook's cells, or a text."""
    if path.suffix == ".json":
        yield from _cells(json.loads(path.read_text(encoding="utf-8")), "tutorial", name, "tutorial")
        return
    label = "release" if name == TAGS else "tutorial"
    for lines, part in _pieces(_text(path) or ""):
        yield Chunk(Source(kind="tutorial", path=name, lines=lines), label, part)


def _threads(path: Path, name: str) -> Iterator[Chunk]:
    """Issue threads, post by post."""
    from labagent.skills.passages import post

    for thread in json.loads(path.read_text(encoding="utf-8")):
        for number in range(len(thread.get("comments", [])) + 1):
            for lines, part in _pieces(post(thread, number)):
                source = Source(kind="issue", path=name, issue=thread["number"], comment=number, lines=lines)
                yield Chunk(source, "issue", part)


def _cells(cells: list[Any], kind: Any, name: str, label: str) -> Iterator[Chunk]:
    """The cells of a notebook with what they printed."""
    from labagent.skills.passages import cell_text

    for cell in cells:
        for lines, part in _pieces(cell_text(cell)):
            yield Chunk(Source(kind=kind, path=name, cell=cell["cell"], lines=lines), label, part)


def _text(path: Path) -> str | None:
    """The text of a file as evidence reads it; ``None`` for data and binary files."""
    if path.suffix.lower() in DATA or path.stat().st_size > MAX_FILE:
        return None
    data = path.read_bytes()
    if b"\0" in data[:SNIFF]:
        return None
    return data.decode("utf-8", errors="replace").replace("\r\n", "\n").replace("\r", "\n")


def _pieces(text: str) -> Iterator[tuple[tuple[int, int], str]]:
    """First and last line (from 1) and text of each passage that is not blank."""
    lines = text.split("\n")
    first = 0
    while first < len(lines):
        last = _end(lines, first)
        part = "\n".join(lines[first:last])
        if part.strip():
            yield (first + 1, last), part
        first = last


def _end(lines: list[str], first: int) -> int:
    """Where the passage from ``first`` ends: before a definition or heading, else at a blank line."""
    limit = min(first + LINES, len(lines))
    size = 0
    for at in range(first, limit):
        size += len(lines[at])
        if size > MAX_CHARACTERS:
            return max(at, first + 1)
    if limit == len(lines):
        return limit
    late = range(limit, limit - SLACK, -1)
    starts = (at for at in late if START.match(lines[at]))
    blanks = (at for at in late if not lines[at].strip())
    return next(starts, next(blanks, limit))
