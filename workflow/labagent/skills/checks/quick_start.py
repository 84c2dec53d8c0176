"""A quick start is there, and its paths stay inside the lab's repository."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath

from labagent.skills.finding import Context, Finding
from labagent.skills.read import QUICKSTART

ID, TIER, ORDER = "quick-start", 1, 50


def check(context: Context) -> Iterator[Finding]:
    """Present, data in the repository under distinct names, outputs inside the run folder."""
    start = context.skill.quickstart
    if start is None:
        yield Finding("no such file; tier 3 runs the skill as it says", QUICKSTART)
        return
    for item in (*start.data, *(output.file for output in start.outputs)):
        if item.startswith("/") or ".." in PurePosixPath(item).parts:
            yield Finding(f'"{item}" must be a relative path without ".."', QUICKSTART, _line(context, item))
    names = [PurePosixPath(item).name for item in start.data]
    for name in sorted({n for n in names if names.count(n) > 1}):
        yield Finding(f'two data files are called "{name}"', QUICKSTART, _line(context, name))
    if context.artifacts is not None:
        repository = (context.artifacts / "repository").resolve()
        for item in start.data:
            path = (repository / item).resolve()
            if not path.is_relative_to(repository) or not path.exists():
                message = f'"{item}" is not in the lab\'s staged repository (absent or sealed)'
                yield Finding(message, QUICKSTART, _line(context, item))


def _line(context: Context, wanted: str) -> int | None:
    """The line of the quick start that holds a text."""
    lines = (context.folder / QUICKSTART).read_text(encoding="utf-8-sig").split("\n")
    return next((n for n, line in enumerate(lines, 1) if wanted in line), None)
