"""The method is justified."""

from __future__ import annotations

import re
from collections.abc import Iterator

from labagent.skills.blocks import prose
from labagent.skills.checks._rubric import applies, cites
from labagent.skills.finding import Context, Finding

ID, TIER, ORDER = "rubric-method", 1, 102
REASON = "a method without evidence, reason or rule to decide by is a habit"
ADVICE = False
GIVEN = re.compile(
    r"\b(?:because|since|so that|therefore|decision rule|decide|choose|whenever|unless|rather than|"
    r"instead of|only (?:if|when|where)|depends on|needs?|must|as the|which (?:makes|means|gives))\b",
    re.IGNORECASE,
)


def check(context: Context) -> Iterator[Finding]:
    """Among the loci with code, one at least cites evidence or gives a reason."""
    coded = [locus for locus in context.skill.loci if locus.blocks]
    applies(bool(coded), "no locus has code")
    for locus in coded:
        if cites(locus) or any(GIVEN.search(text) for _, text in prose(locus.text)):
            return
    yield Finding(f"no locus says why its method is taken: {REASON}", coded[0].path, 1)
