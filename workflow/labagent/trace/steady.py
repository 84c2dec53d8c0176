"""Output without what no two runs of the same command agree on: times, speeds, addresses, temporary names."""

from __future__ import annotations

import re

_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"
_DAY = r"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)"
_UNIT = r"(?:ns|us|µs|ms|s|secs?|seconds?|min|minutes?|h|hours?)"
_VOLATILE = re.compile(
    "|".join(
        (
            rf"(?:{_DAY},? +)?\d{{1,2}} {_MONTH} \d{{4}},? \d{{1,2}}:\d\d(?::\d\d)?(?: \w{{3,4}})?",
            rf"(?:{_DAY},? +)?{_MONTH} +\d{{1,2}}(?: \d{{1,2}}:\d\d(?::\d\d)?)?"
            r"(?: [A-Z]{3,4})?(?: +\d{4})?\b",
            r"\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?",
            r"\b\d{1,2}:\d\d:\d\d(?:[.,]\d+)?\b",
            r"\b\d+m ?\d+(?:[.,]\d+)?s\b",
            rf"\b\d+(?:\.\d+)?(?:e-?\d+)? ?{_UNIT}\b",
            r"\b\d+(?:\.\d+)? ?[kKMG]i?B/s",
            r"\b0x[0-9a-f]{6,16}\b",
            r"/tmp/[^\s/'\":]+",
            r"\b(?:pid|PID)[ =:]+\d+",
            r"\bLABAGENT_COMMAND=[0-9a-f]+",
        )
    )
)
_BLANKS = re.compile(r"[ \t]+")


def steady(text: str, folder: str = "") -> str:
    """A command's output as it would be at any other time and in any other folder.

    Args:
        text: the output.
        folder: the try's own folder, which shows where there is no sandbox; taken out.

    Returns:
        The text for comparison alone. Dates and times of day, durations, speeds, addresses of objects, names
        in the temporary folder and numbers of processes are ``<~>``; blanks are one each.
    """
    if folder:
        text = text.replace(folder, "<try>")
    return _BLANKS.sub(" ", _VOLATILE.sub("<~>", text))
