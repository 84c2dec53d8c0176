"""Real tools: nothing in code stands for a tool, file or value to be thought of later."""

from __future__ import annotations

import re
from collections.abc import Iterator

from labagent.skills.checks._rubric import COMMENT, applies, each_block
from labagent.skills.finding import Context, Finding

ID, TIER, ORDER = "rubric-tools", 1, 108
REASON = "a step that names no real tool or file cannot be run"
ADVICE = False
STAND_IN = re.compile(
    r"(?:/|\b)path/to/|<(?:your|insert|some|the)[\s_-][^>]*>|\b(?:your|my|some)_(?:tool|package|method|file|data|path|"
    r"model|script)\b|\bplaceholder\b|\bNotImplementedError\b",
    re.IGNORECASE,
)


def check(context: Context) -> Iterator[Finding]:
    """Stand-ins in runnable code; comments are left out."""
    blocks = list(each_block(context))
    applies(bool(blocks), "no locus has code")
    for locus, block in blocks:
        for offset, row in enumerate(COMMENT.sub("", block.code).split("\n")):
            if match := STAND_IN.search(row):
                yield Finding(f'"{match.group()}" is a stand-in: {REASON}', locus.path, block.line + offset)
