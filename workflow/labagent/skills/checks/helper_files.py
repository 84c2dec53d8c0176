"""Files of the skill that blocks refer to are there."""

from __future__ import annotations

import re
from collections.abc import Iterator

from labagent.skills.finding import Context, Finding

ID, TIER, ORDER = "helper-files", 2, 40
HELPER = re.compile(r"(?:\$\{?LABAGENT_SKILL\}?[\"']?)/([\w./-]+)")


def check(context: Context) -> Iterator[Finding]:
    """Paths written as ``$LABAGENT_SKILL/…`` in bash blocks."""
    for locus in context.skill.loci:
        for block in locus.blocks:
            for offset, line in enumerate(block.code.split("\n")):
                for path in HELPER.findall(line):
                    if not (context.folder / path).exists():
                        yield Finding(f'"{path}" is not in the skill', locus.path, block.line + offset)
