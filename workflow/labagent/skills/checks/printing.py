"""Each locus computes something and prints it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from labagent.skills.blocks import fences
from labagent.skills.finding import Context, Finding

ID, TIER, ORDER = "printing", 1, 80
PRINTS = {
    "python": re.compile(r"\bprint\("),
    "r": re.compile(r"\b(print|cat|message)\("),
    "bash": re.compile(r"\S"),
}
NEAR = {
    "py": "python",
    "python3": "python",
    "sh": "bash",
    "shell": "bash",
    "console": "bash",
    "R": "r",
    "Python": "python",
}


def check(context: Context) -> Iterator[Finding]:
    """A block that prints in every locus; tags that look runnable but are not."""
    for locus in context.skill.loci:
        if not locus.blocks:
            yield Finding("has no runnable block (tagged bash, python or r)", locus.path, 1)
        elif not any(PRINTS[block.language].search(block.code) for block in locus.blocks):
            yield Finding("has no block that prints what it computes", locus.path, locus.blocks[0].line)
        for fence in fences(locus.text, locus.path):
            if fence.tag in NEAR:
                message = (
                    f'the block tagged "{fence.tag}" does not run; tag it "{NEAR[fence.tag]}", or "text"'
                )
                yield Finding(message, locus.path, fence.line - 1, warning=True)
