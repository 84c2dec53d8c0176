"""Values are held against stated units and plausibility."""

from __future__ import annotations

import re
from collections.abc import Iterator

from labagent.skills.checks._rubric import all_code, last_step, says
from labagent.skills.finding import Context, Finding
from labagent.skills.frontmatter import ROOT

ID, TIER, ORDER = "rubric-units", 1, 117
REASON = "a value of the wrong unit or size looks like any other number"
ADVICE = True
STATED = re.compile(
    r"\b(?:units?|plausib\w+|implausib\w+|ranges?|scale|log2|log10|percent\w*|mmol|mg|kg|ms|seconds?|days?|"
    r"hours?|years?|per (?:hour|day|year|gram|cell|unit|sample)|between|finite|infinite|extremes?|sizes?|"
    r"counts?|small(?:er|est)|large(?:r|st)?|far from|expected)\b",
    re.IGNORECASE,
)
LOOKED = re.compile(r"isfinite|is\.finite|isnan|is\.na|\bmin\b|\bmax\b|range\(|between|describe\(|quantile")


def check(context: Context) -> Iterator[Finding]:
    """The prose speaks of units or plausible sizes, or the code looks at them."""
    if not says(context, STATED) and not LOOKED.search(all_code(context)):
        last = last_step(context)
        message = f"no value is held against a unit or a plausible range: {REASON}"
        yield Finding(message, last.path if last else ROOT, 1, warning=True)
