"""Python sources: example scripts as a whole, doctests of docstrings, test functions."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath

from labagent.models.snapshot import Example
from labagent.snapshot.examples._code import doctests, examples_of
from labagent.snapshot.examples.restructured import blocks
from labagent.snapshot.python_load import parses
from labagent.snapshot.walk import EXAMPLES, TESTS, Tree, folder_names, is_api


def accepts(path: PurePosixPath) -> bool:
    """Python sources."""
    return path.suffix == ".py"


def read(tree: Tree, path: PurePosixPath) -> Iterator[Example]:
    """What a file shows, by where it lies."""
    folders = folder_names(path)
    if folders & TESTS:
        yield from _test_functions(tree.text(path), path)
    elif folders & EXAMPLES and path.stem not in ("conf", "__init__"):
        text = tree.text(path)
        if parses(text):
            last = text.count("\n") + 1
            yield Example(
                language="python",
                code=text,
                file=path.as_posix(),
                first_line=1,
                last_line=last,
                origin="example",
            )
    elif is_api(path):
        yield from _docstrings(tree.text(path), path)


def _docstrings(text: str, path: PurePosixPath) -> Iterator[Example]:
    """Doctests and code directives; only docstrings hold such lines."""
    if ">>>" in text:
        yield from doctests(text.split("\n"), 1, path, "docstring")
    if ".. code" in text:
        for block in blocks(text.split("\n"), literal=False):
            if not any(line.lstrip().startswith(">>>") for line in block.lines):
                yield from examples_of(block, path, "docstring")


def _test_functions(text: str, path: PurePosixPath) -> Iterator[Example]:
    """The test functions at the top level of a file, by indentation: parsing large test files is slow."""
    lines = text.split("\n")
    at = 0
    while at < len(lines):
        start = at
        at += 1
        if not lines[start].startswith("def test"):
            continue
        while at < len(lines) and (not lines[at].strip() or lines[at][0] in " \t)#"):
            at += 1
        code = "\n".join(lines[start:at]).rstrip() + "\n"
        if parses(code):
            yield Example(
                language="python",
                code=code,
                file=path.as_posix(),
                first_line=start + 1,
                last_line=start + code.count("\n"),
                origin="test",
            )
