"""A root that fits on a screen or two, loci that can be read in one go."""

from __future__ import annotations

from collections.abc import Iterator

from labagent.skills.finding import Context, Finding
from labagent.skills.frontmatter import ROOT

ID, TIER, ORDER = "sizes", 1, 10
MAX_ROOT, MAX_LOCUS = 60, 500


def check(context: Context) -> Iterator[Finding]:
    """The root has at most 60 lines under its frontmatter, a locus at most 500."""
    whole = (context.folder / ROOT).read_text(encoding="utf-8-sig").rstrip("\n").split("\n")
    count = len(context.skill.root.strip("\n").split("\n"))
    if count > MAX_ROOT:
        line = len(whole) - count + MAX_ROOT + 1
        yield Finding(f"has {count} lines; at most {MAX_ROOT} are allowed", ROOT, line)
    for locus in context.skill.loci:
        lines = len(locus.text.strip("\n").split("\n"))
        if lines > MAX_LOCUS:
            yield Finding(f"has {lines} lines; at most {MAX_LOCUS} are allowed", locus.path, MAX_LOCUS + 1)
