"""Estimators that disagree: their shared assumption is named, a check without it decides."""

from __future__ import annotations

import re
from collections.abc import Iterator

from labagent.skills.checks._rubric import applies, lines_of, says
from labagent.skills.finding import Context, Finding

ID, TIER, ORDER = "rubric-estimators", 1, 113
REASON = "the mean of two estimates that rest on one wrong assumption is wrong as well"
ADVICE = True
SEVERAL = re.compile(
    r"\b(?:estimators|estimates|methods)\b[^.]{0,40}\b(?:disagree|differ|conflict|contradict)\w*|"
    r"\b(?:disagree\w*|conflict\w*) (?:between|of|among) (?:the )?(?:estimators|estimates|methods|models)\b|"
    r"\baverag\w+ (?:the |both |two |over )*(?:estimators|estimates|methods)\b",
    re.IGNORECASE,
)
AVERAGED = re.compile(
    r"\baverag\w+ (?:the |both |two |over )*(?:estimators|estimates|methods)\b", re.IGNORECASE
)
DENIED = re.compile(r"\b(?:not|never|no|instead of|rather than|without)\b", re.IGNORECASE)
ASSUMED = re.compile(r"\bassum\w+", re.IGNORECASE)
CHECKED = re.compile(
    r"\b(?:check|simulat\w+|permut\w+|bootstrap\w*|held[- ]out|residuals?|diagnostic\w*)\b", re.IGNORECASE
)


def check(context: Context) -> Iterator[Finding]:
    """Prose that compares estimates names their assumption and a check, and averages none."""
    found = [line for line in lines_of(context) if SEVERAL.search(line.text)]
    applies(bool(found), "no estimators are compared")
    for line in found:
        match = AVERAGED.search(line.text)
        if match and not DENIED.search(line.text[: match.start()]):
            yield Finding(f'"{match.group()}": {REASON}', line.file, line.number, warning=True)
        for wanted, what in (
            (ASSUMED, "the assumption they share"),
            (CHECKED, "a check that does not share it"),
        ):
            if not says(context, wanted, line.file):
                message = f"compares estimates without naming {what}: {REASON}"
                yield Finding(message, line.file, line.number, warning=True)
