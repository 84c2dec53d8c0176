"""A list for the agent to check its own work by."""

from __future__ import annotations

import re
from collections.abc import Iterator

from labagent.skills.checks._rubric import last_step, lines_of
from labagent.skills.finding import Context, Finding
from labagent.skills.frontmatter import ROOT

ID, TIER, ORDER = "rubric-self-check", 1, 107
REASON = "what is not gone through before the end is forgotten"
ADVICE = True
BOX = re.compile(r"^\s*[-*+] \[[ xX]\] \S")
ITEM = re.compile(r"^\s*(?:[-*+]|\d+[.)]) \S")
LEAD = re.compile(
    r"\b(?:self-?check|check ?list|before (?:you )?(?:report|submit|finish|answer)\w*|check that)\b", re.I
)
FEWEST = 2


def check(context: Context) -> Iterator[Finding]:
    """Two boxes to tick (``- [ ]``), or two items of a list below a line that says it is a check list."""
    lines = lines_of(context)
    if sum(BOX.match(line.text) is not None for line in lines) >= FEWEST:
        return
    for at, line in enumerate(lines):
        below = [later for later in lines[at + 1 : at + 12] if later.file == line.file]
        if LEAD.search(line.text) and sum(ITEM.match(later.text) is not None for later in below) >= FEWEST:
            return
    last = last_step(context)
    yield Finding(
        f'no self-check list (lines "- [ ] …"): {REASON}', last.path if last else ROOT, 1, warning=True
    )
