"""Code blocks, literal blocks and doctests of reStructuredText files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from labagent.models.snapshot import Example
from labagent.snapshot.examples._code import Block, doctests, examples_of, origin_of
from labagent.snapshot.walk import TESTS, Tree, folder_names

CODE = re.compile(r"^(?P<indent>\s*)\.\. (code-block|code|sourcecode|highlight|prompt)::\s*(?P<tag>[\w+-]*)")
NAMED = re.compile(r"^(?P<indent>\s*)\.\. (?P<tag>ipython|testcode|doctest|plot)::")
LITERAL = re.compile(r"^(?P<indent>\s*)(?!\.\. )\S.*::\s*$|^(?P<bare>\s*)::\s*$")
OPTION = re.compile(r"^\s*:[\w-]+:")


def accepts(path: PurePosixPath) -> bool:
    """Prose outside tests; a README without suffix counts, and the long description of ``PKG-INFO`` not."""
    is_prose = path.suffix.lower() == ".rst" or path.name.lower() in ("readme", "readme.txt")
    return is_prose and not folder_names(path) & TESTS


def read(tree: Tree, path: PurePosixPath) -> Iterator[Example]:
    """The code of directives and literal blocks, and doctests outside them."""
    origin = origin_of(path)
    lines = tree.text(path).split("\n")
    prose = list(lines)
    for block in blocks(lines):
        prose[block.first - 1 : block.first - 1 + len(block.lines)] = [""] * len(block.lines)
        yield from examples_of(block, path, origin)
    yield from doctests(prose, 1, path, origin)


def blocks(lines: list[str], *, literal: bool = True) -> Iterator[Block]:
    """The indented blocks after a directive or (``literal``) after ``::``."""
    at = 0
    while at < len(lines):
        directive = CODE.match(lines[at]) or NAMED.match(lines[at])
        match = directive or (LITERAL.match(lines[at]) if literal else None)
        at += 1
        if match is None:
            continue
        groups = match.groupdict()
        indent = len(groups.get("indent") or groups.get("bare") or "")
        while at < len(lines) and (not lines[at].strip() or (directive and OPTION.match(lines[at]))):
            at += 1
        start = at
        while at < len(lines) and (not lines[at].strip() or _indent(lines[at]) > indent):
            at += 1
        end = at
        while end > start and not lines[end - 1].strip():
            end -= 1
        if end > start:
            tag = groups.get("tag") or ""
            yield Block(tuple(lines[start:end]), start + 1, "python" if tag == "plot" else tag)


def _indent(line: str) -> int:
    """How far a line is indented."""
    return len(line) - len(line.lstrip())
