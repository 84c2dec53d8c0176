"""Departures from published protocols."""

from collections.abc import Iterator

from labagent.report.study import Study
from labagent.report.tables import Row

TITLE = "Departures from the published protocol"
CAPTION = "Where a run differs from the published protocol: measured here, or declared by the run itself."
ORDER = 50
SHOWN = True
COLUMNS = {
    "target": "the target",
    "arm": "the arm",
    "attempt": "the attempt",
    "item": "what differs",
    "published": "as published",
    "ours": "as run",
    "severity": "note, minor or major",
    "origin": "measured, or declared by the run",
}


def rows(study: Study) -> Iterator[Row]:
    """Rows in the order of entries, then attempts."""
    for entry, attempt in study.attempts():
        for d in attempt.score.departures if attempt.score else ():
            yield entry.target, entry.arm, attempt.number, d.item, d.published, d.ours, d.severity, d.origin
