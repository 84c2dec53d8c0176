"""Run-to-run spread within entries."""

import math
from collections.abc import Iterator

from labagent.report.statistics import same_verdict, spread
from labagent.report.study import Entry, Study
from labagent.report.tables import Row

TITLE = "Run-to-run spread"
CAPTION = "How far the attempts of one entry lie apart. Attempts after the first never enter the counts."
ORDER = 80
SHOWN = True
COLUMNS = {
    "target": "the target",
    "arm": "the arm",
    "quantity": "the quantity",
    "metric": "its metric",
    "values": "attempts with a value",
    "mean": "their mean",
    "spread": "their SD (ddof 1)",
    "lowest": "the lowest",
    "highest": "the highest",
    "attempts_within": "attempts of the entry that were within",
    "same_verdict": "chance that two of its attempts agree on within",
}


def rows(study: Study) -> Iterator[Row]:
    """One row a quantity of an entry with several attempts."""
    return (row for entry in study.entries if len(entry.attempts) > 1 for row in _rows(entry))


def _rows(entry: Entry) -> Iterator[Row]:
    """The quantities of one entry."""
    verdicts = [attempt.within for attempt in entry.attempts]
    metrics = {q.quantity: q.metric for attempt in entry.attempts for q in attempt.quantities}
    for name, metric in metrics.items():
        found = [q.value for a in entry.attempts for q in a.quantities if q.quantity == name]
        values = [value for value in found if value is not None]
        yield (
            entry.target,
            entry.arm,
            name,
            metric,
            len(values),
            math.fsum(values) / len(values) if values else None,
            spread(values),
            min(values, default=None),
            max(values, default=None),
            sum(verdicts),
            same_verdict(verdicts),
        )
