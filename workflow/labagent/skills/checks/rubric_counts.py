"""Intermediate counts are printed."""

from __future__ import annotations

import re
from collections.abc import Iterator

from labagent.skills.checks._rubric import all_code, applies, each_block, prints_computed
from labagent.skills.finding import Context, Finding

ID, TIER, ORDER = "rubric-counts", 1, 100
REASON = "a count that is printed shows a lost row where it is lost"
ADVICE = False
COUNT = re.compile(
    r"\b(?:len|sum|count|nrow|ncol|NROW|NCOL|length|dim|table|nunique|value_counts|count_nonzero|n_distinct|"
    r"Counter)\(|\.(?:shape|size|sum|count|value_counts|nunique)\b|\bwc\b|\bgrep\s+-\w*c|\bjq\b.*length"
)


def check(context: Context) -> Iterator[Finding]:
    """Each locus that computes prints what came out, and some block counts."""
    coded = [locus for locus in context.skill.loci if locus.blocks]
    applies(bool(coded), "no locus has code")
    for locus in coded:
        if all(prints_computed(block) is None for block in locus.blocks):
            yield Finding(f"prints no computed quantity: {REASON}", locus.path, locus.blocks[0].line)
    if not COUNT.search(all_code(context)):
        locus, block = next(each_block(context))
        yield Finding(f"no block of the skill counts anything: {REASON}", locus.path, block.line)
