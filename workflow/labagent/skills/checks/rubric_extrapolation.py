"""Extrapolation: the estimate at the edge of what was observed stands beside it, with the distance."""

from __future__ import annotations

import re
from collections.abc import Iterator

from labagent.skills.checks._rubric import applies, bare, each_block, whole
from labagent.skills.finding import Context, Finding

ID, TIER, ORDER = "rubric-extrapolation", 1, 112
REASON = "beyond the data an estimate is the model's, and the reader must see how far"
ADVICE = True
BEYOND = re.compile(r"extrapolat|\bforecast\w*\(|\.forecast\b|\bmake_future_dataframe\b", re.IGNORECASE)
EDGE = re.compile(r"\b(?:observed|edge|last|largest|smallest|range|max|min)\b", re.IGNORECASE)
DISTANCE = re.compile(r"\b(?:distance|how far|beyond|outside|past|steps? ahead|horizon)\b", re.IGNORECASE)


def check(context: Context) -> Iterator[Finding]:
    """Where code extrapolates, its locus speaks of the observed edge and of the distance from it."""
    found = [
        (locus, block.line + offset)
        for locus, block in each_block(context)
        for offset, row in enumerate(bare(block.code).split("\n"))
        if BEYOND.search(row)
    ]
    applies(bool(found), "nothing is extrapolated")
    for locus, line in found:
        for wanted, what in (
            (EDGE, "the estimate at the observed edge"),
            (DISTANCE, "how far beyond it lies"),
        ):
            if not wanted.search(BEYOND.sub("", whole(locus))):
                message = f"extrapolates without giving {what}: {REASON}"
                yield Finding(message, locus.path, line, warning=True)
