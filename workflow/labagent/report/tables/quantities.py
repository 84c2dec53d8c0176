"""One row a quantity of an attempt."""

from collections.abc import Iterator

from labagent.report.study import Study
from labagent.report.tables import Row

TITLE = "Quantities"
CAPTION = "One row a quantity of an attempt: our value, the published one, and the verdict in its own metric."
ORDER = 30
SHOWN = False
COLUMNS = {
    "target": "the target",
    "arm": "the arm",
    "attempt": "the attempt, from 1",
    "quantity": "the quantity's name in the answer contract",
    "metric": "what is measured",
    "direction": "higher or lower is better, or the value is to be matched",
    "value": "our value, empty where there is none",
    "dispersion": "our SD over splits or seeds",
    "reference": "the published value",
    "sd": "the published SD",
    "tolerance": "the tolerance in the unit of the value",
    "within": "within by the reference's own criterion; false for runs that did not complete",
}


def rows(study: Study) -> Iterator[Row]:
    """Rows in the order of entries, then attempts."""
    for entry, attempt in study.attempts():
        for q in attempt.quantities:
            tolerance = q.tolerance
            if tolerance is not None and q.tolerance_kind == "rel":
                tolerance *= abs(q.reference)
            yield (
                entry.target,
                entry.arm,
                attempt.number,
                q.quantity,
                q.metric,
                q.direction,
                q.value,
                q.dispersion,
                q.reference,
                q.sd,
                tolerance,
                q.within and attempt.status == "scored" and not attempt.tainted,
            )
