"""Outcomes by kind of task, of families whose tasks have kinds."""

from collections.abc import Iterator
from math import fsum

from labagent.report.study import Entry, Study
from labagent.report.tables import Row
from labagent.report.tables.points import kind_of

TITLE = "Kinds of tasks"
CAPTION = "Entries by kind of task, judged by the first attempt. Points are summed, not averaged over tasks."
ORDER = 26
SHOWN = True
COLUMNS = {
    "family": "the benchmark family",
    "kind": "the kind of task",
    "arm": "the arm",
    "entries": "entries of this kind, whatever became of them",
    "within": "those within by their reference",
    "earned": "points earned",
    "points": "points that could be earned in entries with criteria",
}


def rows(study: Study) -> Iterator[Row]:
    """Rows by family, kind and arm. A target's kind is what any attempt at it says."""
    kinds: dict[str, str] = {}
    for entry, attempt in study.attempts():
        kinds[entry.target] = kinds.get(entry.target) or kind_of(attempt)
    groups: dict[tuple[str, str, str], list[Entry]] = {}
    for entry in study.entries:
        if kinds[entry.target]:
            groups.setdefault((entry.family, kinds[entry.target], entry.arm), []).append(entry)
    order = {arm: place for place, arm in enumerate(study.arms)}
    for family, kind, arm in sorted(groups, key=lambda g: (g[0], g[1], order[g[2]])):
        entries = groups[family, kind, arm]
        criteria = [c for e in entries for q in e.first.quantities for c in q.criteria]
        yield (
            family,
            kind,
            arm,
            len(entries),
            sum(e.first.within for e in entries),
            fsum(c.earned for c in criteria),
            fsum(c.points for c in criteria),
        )
