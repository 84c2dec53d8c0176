"""One row a part of the data on which a quantity was computed again."""

from collections.abc import Iterator

from labagent.report.study import Study
from labagent.report.tables import Row

TITLE = "Parts"
CAPTION = (
    "The metric on parts of the data, where the family divides it: windows of positions, number of "
    "mutations, class of substitution, burial. Published reports have the whole only; parts decide nothing."
)
ORDER = 32
SHOWN = False
COLUMNS = {
    "target": "the target",
    "arm": "the arm",
    "attempt": "the attempt, from 1",
    "quantity": "the quantity's name in the answer contract",
    "metric": "what is measured",
    "kind": "the kind of division: window, depth, class or burial",
    "part": "the part",
    "rows": "how many rows the part has",
    "value": "the metric on the part, empty where it cannot be computed",
    "reason": "why there is no value",
}


def rows(study: Study) -> Iterator[Row]:
    """Rows in the order of entries, attempts, kinds, parts."""
    for entry, attempt in study.attempts():
        for q in attempt.quantities:
            for part in q.parts:
                yield (
                    entry.target,
                    entry.arm,
                    attempt.number,
                    q.quantity,
                    q.metric,
                    part.kind,
                    part.part,
                    part.n,
                    part.value,
                    part.reason,
                )
