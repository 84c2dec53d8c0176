"""Fenced blocks of Markdown, R Markdown and Quarto files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from labagent.models.snapshot import Example
from labagent.snapshot.examples._code import Block, doctests, examples_of, origin_of
from labagent.snapshot.walk import TESTS, Tree, folder_names

SUFFIXES = (".md", ".markdown", ".rmd", ".qmd")
OPEN = re.compile(r"^(?P<indent>\s*)(?P<fence>`{3,}|~{3,})\s*(?P<info>[^`]*)$")


def accepts(path: PurePosixPath) -> bool:
    """Prose outside tests."""
    return path.suffix.lower() in SUFFIXES and not folder_names(path) & TESTS


def read(tree: Tree, path: PurePosixPath) -> Iterator[Example]:
    """The code of fenced blocks, and doctests outside them."""
    origin = origin_of(path)
    if path.suffix.lower() == ".rmd" and origin == "docs":
        origin = "vignette"
    lines = tree.text(path).split("\n")
    blocks = list(fences(lines))
    for block in blocks:
        yield from examples_of(block, path, origin)
    prose = list(lines)
    for block in blocks:
        prose[block.first - 1 : block.first - 1 + len(block.lines)] = [""] * len(block.lines)
    yield from doctests(prose, 1, path, origin)


def fences(lines: list[str]) -> Iterator[Block]:
    """The fenced blocks with the language their first line names."""
    at = 0
    while at < len(lines):
        match = OPEN.match(lines[at])
        at += 1
        if match is None:
            continue
        start = at
        closing = re.compile(rf"^\s*{match['fence'][0]}{{{len(match['fence'])},}}\s*$")
        while at < len(lines) and not closing.match(lines[at]):
            at += 1
        yield Block(tuple(lines[start:at]), start + 1, language(match["info"]))
        at += 1


def language(info: str) -> str:
    """The language of an info string: ``python``, ``{r chunk}``, ``{code-block} python``, ``.python``."""
    words: list[str] = re.findall(r"[\w+-]+", info)
    if len(words) > 1 and words[0] in ("code-block", "code", "code-cell", "sourcecode"):
        return words[1]
    return words[0] if words else ""
