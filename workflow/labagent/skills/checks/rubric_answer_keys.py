"""Answer keys are read literally: population, subset, conditioning, normalization, unit."""

from __future__ import annotations

import re
from collections.abc import Iterator

from labagent.skills.checks._rubric import applies, last_step, says
from labagent.skills.finding import Context, Finding

ID, TIER, ORDER = "rubric-answer-keys", 1, 114
REASON = "the right number of another population, subset or scale is a wrong answer"
ADVICE = True
QUALIFIERS = re.compile(
    r"\b(?:literal\w*|population|subset|subgroup|condition\w*|normali[sz]\w+|units?|scale|per (?!cent)\w+|"
    r"log2|natural log|unrounded|percent\w*|stratum|strata|group)\b",
    re.IGNORECASE,
)


def check(context: Context) -> Iterator[Finding]:
    """The step that reports speaks of what a key's quantity is of."""
    last = last_step(context)
    applies(last is not None, "there is no step that reports")
    assert last is not None
    if not says(context, QUALIFIERS, last.path):
        message = (
            f"says nothing of population, subset, conditioning, normalization or unit of the keys: {REASON}"
        )
        yield Finding(message, last.path, 1, warning=True)
