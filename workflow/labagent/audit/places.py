"""Paths in a command, and which of them are a run's own."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence

from labagent.audit.facts import INSIDE, WRITABLE, Facts
from labagent.audit.story import Story

URL = re.compile(r"\b[A-Za-z][A-Za-z0-9+.-]{0,20}://[^\s'\"<>`)]+")
PATH = re.compile(
    r"(?<![\w./~$*])(?:~|\$\{?\w{1,60}\}?|[\w.@+*?\[\]-]{1,120})?(?:/[\w.@+*?\[\]{}$~=%-]{0,200}){1,60}"
)


def paths(text: str) -> Iterator[tuple[str, int, int]]:
    """Paths of a text, made whole as seen from the current folder of a run: path, start, end."""
    for match in PATH.finditer(URL.sub(lambda found: " " * len(found[0]), text)):
        yield whole(match[0]), match.start(), match.end()


def whole(path: str) -> str:
    """A path seen from ``/run`` without ``..`` and without variables for a run's own places."""
    for name, place in _VARIABLES:
        if path == name or path.startswith(name + "/"):
            path = place + path[len(name) :]
    return posixpath.normpath(posixpath.join("/run", path)).replace("//", "/")


_VARIABLES = (
    ("~", "/home/agent"),
    *((f"${open_}{name}{close}", place) for name, place in (
        ("HOME", "/home/agent"), ("PWD", "/run"), ("TMPDIR", "/tmp"), ("LABAGENT_DATA", "/data"),
        ("LABAGENT_SKILL", "/skill"), ("VIRTUAL_ENV", "/env/run"), ("CONDA_PREFIX", "/env/base"),
        ("LABAGENT_OBSERVATIONS", "/observations"),
    ) for open_, close in (("", ""), ("{", "}"))),
)  # fmt: skip


def is_own(path: str, story: Story, facts: Facts) -> bool:
    """Whether a whole path belongs to the run: inside its sandbox, or its folders on the host."""
    if _is_below(path, [str(story.folder), *map(str, facts.own)]):
        return True
    if facts.root is not None and _is_below(path, [str(facts.root)]):
        return False
    return _is_below(path, INSIDE)


def is_written(path: str, story: Story) -> bool:
    """Whether a path lies where the run itself writes."""
    return _is_below(path, [*WRITABLE, str(story.folder / "output"), str(story.folder / "private")])


def _is_below(path: str, places: Sequence[str]) -> bool:
    """Whether a path is one of some places, or lies in one."""
    return any(path == place or path.startswith(place + "/") for place in places)


def foreign(text: str, story: Story, facts: Facts) -> str:
    """A text without addresses and without the run's own paths; what is left stands where it stood."""
    kept = list(URL.sub(lambda found: " " * len(found[0]), text))
    for path, start, end in paths(text):
        if is_own(path, story, facts):
            kept[start:end] = " " * (end - start)
        elif ".." in text[start:end] and not path.startswith("/run"):
            kept[start:end] = path[-(end - start) :].rjust(end - start)
    return "".join(kept)
