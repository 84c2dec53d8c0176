"""Limits are stated."""

from __future__ import annotations

import re
from collections.abc import Iterator

from labagent.skills.checks._rubric import lines_of, says
from labagent.skills.finding import Context, Finding
from labagent.skills.frontmatter import ROOT

ID, TIER, ORDER = "rubric-limits", 1, 104
REASON = "a skill that does not say where it ends is used beyond it"
ADVICE = False
LIMIT = re.compile(
    r"\b(?:limits?|limitations?|limited to|caveats?|not for|"
    r"not (?:suit\w*|valid|cover\w*|meant|handle\w*)|"
    r"do(?:es)? not (?:hold|apply|cover|suit|support|handle|work|say)|cannot|can not|out of scope|"
    r"only (?:for|holds|where|when|if)|assumes?|assumptions?|beyond (?:it|this|that)|what goes wrong|"
    r"pitfalls?|fails? (?:when|where|if|for|on))\b",
    re.IGNORECASE,
)


def check(context: Context) -> Iterator[Finding]:
    """Somewhere the prose says what the skill does not do, or when it does not hold."""
    if not says(context, LIMIT):
        first = next((line.number for line in lines_of(context) if line.text.strip()), 1)
        yield Finding(f"nothing says what it is not for, or when it does not hold: {REASON}", ROOT, first)
