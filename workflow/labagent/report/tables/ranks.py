"""Places of arms on each target."""

from collections.abc import Iterator

from labagent.report.compare import places
from labagent.report.study import Study
from labagent.report.tables import Row

TITLE = "Ranks among arms"
CAPTION = "The place of each arm on every target that all arms of its kind completed; ties share the mean."
ORDER = 45
SHOWN = False
COLUMNS = {
    "kind": "kind of the arms compared",
    "target": "the target",
    "arm": "the arm",
    "rank_arms": "its place, 1 the best; mean over quantities, ties averaged",
    "arms": "how many arms were compared",
    "first": "whether no arm was better",
}


def rows(study: Study) -> Iterator[Row]:
    """Rows by kind, target, arm."""
    return ((p.kind, p.target, p.arm, p.rank, p.arms, p.first) for p in places(study))
