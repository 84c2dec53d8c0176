"""Nothing of the skeleton that ``labagent skills new`` writes is left to be filled in."""

from __future__ import annotations

from collections.abc import Iterator

from labagent.files import list_files
from labagent.skills.finding import Context, Finding

ID, TIER, ORDER = "unfilled", 1, 5
MARKS = ("FILL IN", "FILL-IN")
TEXTS = frozenset({".md", ".yaml", ".jsonl"})


def check(context: Context) -> Iterator[Finding]:
    """The first mark that is left in each file."""
    for path in list_files(context.folder):
        if path.suffix in TEXTS:
            lines = path.read_text(encoding="utf-8", errors="replace").split("\n")
            line = next((n for n, row in enumerate(lines, 1) if any(mark in row for mark in MARKS)), None)
            if line is not None:
                name = path.relative_to(context.folder).as_posix()
                yield Finding("is not filled in yet", name, line)
