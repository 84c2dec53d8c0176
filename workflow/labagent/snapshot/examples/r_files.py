"""R: examples of help pages, scripts of vignettes, demos and examples."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath

from labagent.models.snapshot import Example
from labagent.snapshot import rd
from labagent.snapshot.examples._code import Origin, dedent
from labagent.snapshot.walk import EXAMPLES, Tree, folder_names

SHOWN = EXAMPLES | {"vignettes"}


def accepts(path: PurePosixPath) -> bool:
    """Help pages, and scripts in folders that show use."""
    suffix = path.suffix.lower()
    return suffix == ".rd" or (suffix == ".r" and bool(folder_names(path) & SHOWN))


def read(tree: Tree, path: PurePosixPath) -> Iterator[Example]:
    """The examples section of a page, or a script as a whole."""
    text = tree.text(path)
    if path.suffix.lower() == ".r":
        origin: Origin = "vignette" if "vignettes" in folder_names(path) else "example"
        yield _example(text, path, 1, text.count("\n") + 1, origin)
        return
    for section in rd.sections(text):
        if section.name == "examples":
            code = dedent(rd.code(section.text).split("\n")).strip("\n")
            yield _example(f"{code}\n", path, section.first_line, section.last_line, "docstring")


def _example(code: str, path: PurePosixPath, first: int, last: int, origin: Origin) -> Example:
    """One example in R."""
    return Example(
        language="r", code=code, file=path.as_posix(), first_line=first, last_line=last, origin=origin
    )
