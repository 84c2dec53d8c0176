"""What isolation runs really had."""

from collections import Counter
from collections.abc import Iterator

from labagent.report.study import Study
from labagent.report.tables import Row

TITLE = "Isolation achieved"
CAPTION = (
    "What kept runs from the machine and the network, and what was missing. A run without full isolation "
    "counts like any other; the leak audit says what it saw."
)
ORDER = 58
SHOWN = True
COLUMNS = {
    "arm": "the arm",
    "sandbox": "bubblewrap, or none",
    "requested": "what the config asked for",
    "network": "open, setup (packages alone) or off",
    "missing": "what could not be had on the machine",
    "runs": "runs, all attempts, that had just this",
}


def rows(study: Study) -> Iterator[Row]:
    """Rows by arm, the most frequent first."""
    for arm in study.arms:
        runs = [a.run for entry in study.of_arm[arm] for a in entry.attempts if a.run]
        counted = Counter(
            (r.sandbox.kind, r.sandbox.requested, r.sandbox.network, r.sandbox.warnings) for r in runs
        )
        for (kind, requested, network, warnings), count in sorted(
            counted.items(), key=lambda i: (-i[1], i[0])
        ):
            yield arm, kind, requested, network, "; ".join(warnings), count
