"""Which older releases of a distribution are worth a try, from what ``pip index versions`` says."""

from __future__ import annotations

import re

AVAILABLE = re.compile(r"^Available versions: (?P<versions>.+)$", re.MULTILINE)
INSTALLED = re.compile(r"^\s*INSTALLED:\s*(?P<version>\d+(?:\.\d+)*)", re.MULTILINE)
FINAL = re.compile(r"\d+(?:\.\d+)*(?:\.post\d+)?")
MINOR_STEPS = (0, 1, 3, 7)
MAJORS = 3
LATE = 2

Release = tuple[int, ...]


def older_bounds(text: str) -> tuple[str, ...]:
    """Upper bounds (exclusive) that leave out the installed release and ever more before it.

    Where the installed major version is 2 or more, first the beginnings of the newest three majors with
    releases before them (an interface goes mostly with a major version), then minor lines of the installed
    one. Below that a major version says nothing, so minor lines alone: this one, and 1, 3 and 7 lines back.

    Args:
        text: what ``pip index versions`` printed; releases this Python cannot use are not in it.

    Returns:
        Versions for ``name<version``, in the order to try; none where nothing is installed, or nothing older.
    """
    found, here = AVAILABLE.search(text), INSTALLED.search(text)
    if not found or not here:
        return ()
    installed = _release(here["version"])
    words = (word.strip() for word in found["versions"].split(","))
    older = sorted({_release(word) for word in words if FINAL.fullmatch(word)}, reverse=True)
    older = [release for release in older if release < installed]
    bounds = [*(_majors(older, installed) if installed[0] >= LATE else ()), *_minors(older, installed)]
    return tuple(dict.fromkeys(bounds))


def _majors(older: list[Release], installed: Release) -> list[str]:
    """Where the newest majors begin that have releases before them."""
    majors = [installed[0], *dict.fromkeys(r[0] for r in older if r[0] < installed[0])]
    return [str(major) for major in majors[:-1][:MAJORS]]


def _minors(older: list[Release], installed: Release) -> list[str]:
    """Where the minor lines of the installed major begin, with growing steps."""
    same = [r for r in older if r[0] == installed[0]]
    lines = list(dict.fromkeys(r[1] for r in (installed, *same) if len(r) > 1))
    lowest = min((r[1] for r in same if len(r) > 1), default=0)
    usable = [line for line in lines if line > lowest]
    return [f"{installed[0]}.{usable[step]}" for step in MINOR_STEPS if step < len(usable)]


def _release(version: str) -> Release:
    """The numbers of a version."""
    return tuple(int(part) for part in version.split(".post")[0].split("."))
