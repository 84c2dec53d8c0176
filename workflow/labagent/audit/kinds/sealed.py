"""Reads of files that were sealed: by the lab's globs, in a command or in what a search printed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from labagent.audit.facts import Facts
from labagent.audit.places import URL, is_written, paths
from labagent.audit.rows import every_text
from labagent.audit.story import Sign, Story, excerpt

MOST = 400
"""Characters of a path that are looked at, from its end."""

# A search that prints what it found names the file first: path:12:text, or path-12-text.
_FOUND = re.compile(r"^(?P<path>[^\s:'\"]{3,400}):(?:\d+[:-])?.", re.MULTILINE)


def find(story: Story, facts: Facts) -> Iterator[Sign]:
    """Sealed paths in commands and code files, and in the output of searches."""
    sealed = Sealed(facts)
    if not sealed.globs:
        return
    for turn, place, text in every_text(story):
        for path, start, end in [*paths(text), *_addresses(text)]:
            if sealed.holds(path, written=is_written(path, story)):
                yield Sign(turn, place, excerpt(text, start, end))
    for step in story.steps:
        for match in _FOUND.finditer(step.output):
            if sealed.holds(match["path"], written=is_written(match["path"], story)):
                yield Sign(step.turn, "output", excerpt(step.output, *match.span()))


class Sealed:
    """Which paths a lab's globs mean, wherever its repository lies."""

    def __init__(self, facts: Facts) -> None:
        from pathspec import PathSpec

        self.globs = [glob.removeprefix("./") for glob in facts.sealed if "/" in glob or "*" in glob]
        self._spec = PathSpec.from_lines("gitignore", self.globs)
        self._folders = {_folder(glob) for glob in self.globs} - {""}

    def holds(self, path: str, *, written: bool) -> bool:
        """Whether a path ends in a sealed one; where the run itself writes, below a folder of its own."""
        parts = PurePosixPath(path[-MOST:]).parts
        parts = parts[1:] if path.startswith("/") else parts
        for place in range(2 if written else 0, len(parts)):
            if not _may_begin(parts, place):
                continue
            tail = "/".join(parts[place:])
            if tail in self._folders or self._spec.match_file(tail):
                return True
        return False


def _may_begin(parts: tuple[str, ...], place: int) -> bool:
    """Whether a repository may begin here: in an installation only right below its packages."""
    return "site-packages" not in parts[:place] or parts[place - 1] == "site-packages"


def _folder(glob: str) -> str:
    """The folder whose content a glob takes, empty where it takes files by name."""
    head, _, tail = glob.rstrip("/").rpartition("/")
    if tail == "**":
        return head if not re.search(r"[*?\[]", head) else ""
    return "" if re.search(r"[*?\[.]", tail) else glob.rstrip("/")


def _addresses(text: str) -> Iterator[tuple[str, int, int]]:
    """Addresses as paths: a raw file of a repository is read by its address."""
    for match in URL.finditer(text):
        yield match[0].partition("://")[2], match.start(), match.end()
