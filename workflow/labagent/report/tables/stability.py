"""Run-to-run spread within entries."""

import math
from collections.abc import Iterator

from labagent.report.statistics import same_verdict, spread
from labagent.report.study import Entry, Study
from labagent.report.tables import Row

TITLE = "Run-to-run spread"
CAPTION = (
    "How far the attempts of one entry lie apart. Attempts after the first never enter the counts; attempts "
    "the machinery gave no result for have no verdict."
)
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
    "note": "what could not be computed, and why",
}


def rows(study: Study) -> Iterator[Row]:
    """One row a quantity of an entry with several attempts."""
    return (row for entry in study.entries if len(entry.attempts) > 1 for row in _rows(entry))


def _rows(entry: Entry) -> Iterator[Row]:
    """The quantities of one entry."""
    verdicts = [attempt.within for attempt in entry.attempts if attempt.score]
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
            _note(len(values), len(verdicts)),
        )


def _note(values: int, verdicts: int) -> str:
    """Why there is no spread, or no verdict of a rerun."""
    few = {0: "no value", 1: "one value: no spread"}.get(values, "")
    return "; ".join(filter(None, [few, "fewer than two results: no rerun" if verdicts < 2 else ""]))
