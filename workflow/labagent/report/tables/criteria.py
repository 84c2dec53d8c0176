"""One row a criterion of a rubric, a claim about a figure, or a requested field."""

from collections.abc import Iterator

from labagent.report.study import Study
from labagent.report.tables import Row

TITLE = "Criteria"
CAPTION = (
    "What the points of an attempt are made of: criteria of a rubric, claims about a figure, requested "
    "fields. The verdicts are computed; no model judges."
)
ORDER = 35
SHOWN = True
COLUMNS = {
    "target": "the target",
    "arm": "the arm",
    "attempt": "the attempt",
    "quantity": "the quantity that the points belong to",
    "criterion": "the criterion's name in its rubric",
    "title": "what it is about",
    "level": "level of the rubric, or group of the claim",
    "points": "the most it can earn",
    "earned": "what it earned",
    "verdict": "met, partly, missed, contradicted, or undecided: this scorer cannot tell",
    "evidence": "what decided: an excerpt of the answer, or the numbers compared",
}


def rows(study: Study) -> Iterator[Row]:
    """Rows in the order of entries, then attempts, then the rubric's own."""
    for entry, attempt in study.attempts():
        for quantity in attempt.quantities:
            for c in quantity.criteria:
                yield (
                    entry.target,
                    entry.arm,
                    attempt.number,
                    quantity.quantity,
                    c.criterion,
                    c.title,
                    c.level,
                    c.points,
                    c.earned,
                    c.verdict,
                    c.evidence,
                )
