"""Code cells of notebooks; the lines of an example are its cell's number."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from labagent.errors import SourceError
from labagent.models.snapshot import Example
from labagent.snapshot.examples._code import Language
from labagent.snapshot.walk import TESTS, Tree, folder_names

MAGIC = re.compile(r"^\s*(%|\?|.*\?\s*$)")
SHELL = re.compile(r"^\s*(?:!|%(?=pip |conda ))(.*)$")
LANGUAGES: dict[str, Language] = {"python": "python", "r": "r", "bash": "bash", "": "python"}


def accepts(path: PurePosixPath) -> bool:
    """Notebooks outside tests."""
    return path.suffix == ".ipynb" and not folder_names(path) & TESTS


def read(tree: Tree, path: PurePosixPath) -> Iterator[Example]:
    """One example a cell; magics are left out, shell lines are examples of their own.

    Raises:
        ValueError: the notebook cannot be read.
    """
    from labagent.stage.documents.tutorials import read_notebook

    try:
        cells, stated = read_notebook(tree.root / path)
    except SourceError as error:
        raise ValueError(str(error)) from error
    language = LANGUAGES.get(stated)
    if language is None:
        return
    for cell in cells:
        if cell["type"] != "code":
            continue
        lines = cell["source"].split("\n")
        shell = [match[1] for match in map(SHELL.match, lines) if match]
        code = [line for line in lines if not SHELL.match(line) and not MAGIC.match(line)]
        parts: tuple[tuple[Language, list[str]], ...] = (("bash", shell), (language, code))
        for spoken, part in parts:
            if any(line.strip() for line in part):
                yield Example(
                    language=spoken,
                    code="\n".join(part).strip("\n") + "\n",
                    file=path.as_posix(),
                    first_line=cell["cell"],
                    last_line=cell["cell"],
                    origin="notebook",
                )
