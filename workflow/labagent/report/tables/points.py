"""Points of attempts that a rubric, claims or requested fields decide, with the departures beside them."""

from collections.abc import Iterator
from math import fsum

from labagent.report.study import Attempt, Study
from labagent.report.tables import Row

TITLE = "Points"
CAPTION = (
    "Attempts that are scored by criteria. Points say how much holds; whether an entry is within is decided "
    "by its reference alone, so partial credit never counts as one. Departures change no points: they stand "
    "beside."
)
ORDER = 25
SHOWN = True
COLUMNS = {
    "target": "the target",
    "arm": "the arm",
    "attempt": "the attempt",
    "family": "the benchmark family",
    "kind": "the kind of task, where the family has kinds",
    "earned": "points earned",
    "points": "points of an answer that meets all criteria",
    "met": "criteria fully met",
    "criteria": "how many there are",
    "undecided": "criteria this scorer cannot tell",
    "within": "whether the attempt is within by its reference; false for one that did not complete",
    "departures": "in how many ways the run differs from the published protocol",
    "major": "the major ones of them, by name",
}


def rows(study: Study) -> Iterator[Row]:
    """Rows in the order of entries, then attempts; of attempts with criteria alone."""
    for entry, attempt in study.attempts():
        criteria = [c for q in attempt.quantities for c in q.criteria]
        if not criteria:
            continue
        departures = attempt.score.departures if attempt.score else ()
        yield (
            entry.target,
            entry.arm,
            attempt.number,
            entry.family,
            kind_of(attempt),
            fsum(c.earned for c in criteria),
            fsum(c.points for c in criteria),
            sum(c.verdict == "met" for c in criteria),
            len(criteria),
            sum(c.verdict == "undecided" for c in criteria),
            attempt.within,
            len(departures),
            "; ".join(d.item for d in departures if d.severity == "major"),
        )


def kind_of(attempt: Attempt) -> str:
    """The kind of task an attempt's scores name."""
    return next((q.group for q in attempt.quantities if q.group), "")
