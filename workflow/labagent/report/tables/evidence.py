"""What the leak audit saw."""

from collections.abc import Iterator

from labagent.report.study import Study
from labagent.report.tables import Row

TITLE = "Leak audit"
CAPTION = (
    "What runs saw, or tried to see, of what was kept from them. A run with a row that taints is counted "
    "apart, not as within; notes alone leave it clean."
)
ORDER = 55
SHOWN = True
COLUMNS = {
    "target": "the target",
    "arm": "the arm",
    "attempt": "the attempt",
    "try": "the try; killed ones are audited, too",
    "turn": "the turn, 0 for what belongs to none",
    "kind": "the kind of evidence",
    "place": "the command, its output, or the file",
    "seen": "what was seen",
    "taints": "whether it taints the run, or is a note",
}


def rows(study: Study) -> Iterator[Row]:
    """Rows in the order of entries, then attempts, then the audit's own."""
    for entry, attempt in study.attempts():
        audit = attempt.score.audit if attempt.score else None
        for e in audit.evidence if audit else ():
            yield (
                entry.target,
                entry.arm,
                attempt.number,
                e.attempt_try,
                e.turn,
                e.kind,
                e.place,
                e.seen,
                e.taints,
            )
