"""Four to seven loci, all in the root's table, none empty."""

from __future__ import annotations

from collections.abc import Iterator

from labagent.skills.finding import Context, Finding
from labagent.skills.frontmatter import ROOT

ID, TIER, ORDER = "loci", 1, 20
FEWEST, MOST = 4, 7


def check(context: Context) -> Iterator[Finding]:
    """Count, content, and that table and folder agree."""
    loci = context.skill.loci
    if not FEWEST <= len(loci) <= MOST:
        yield Finding(
            f"the table links {len(loci)} loci; {FEWEST} to {MOST} are allowed", ROOT, _table(context)
        )
    for locus in loci:
        if not any(_says(line) for line in locus.text.split("\n")):
            yield Finding("is empty", locus.path, 1)
    linked = {locus.path for locus in loci}
    for path in sorted((context.folder / "references").glob("*")):
        name = f"references/{path.name}"
        if name not in linked:
            yield Finding("is not in the root's table of loci", name, 1)


def _says(line: str) -> bool:
    """Whether a line is more than blank or a heading."""
    return bool(line.strip()) and not line.lstrip().startswith("#")


def _table(context: Context) -> int | None:
    """The first line of the root's table."""
    whole = (context.folder / ROOT).read_text(encoding="utf-8-sig").split("\n")
    return next((n for n, line in enumerate(whole, 1) if line.lstrip().startswith("|")), 1)
