"""One row an entry."""

from collections.abc import Iterator

from labagent.report.study import Entry, Study
from labagent.report.tables import Row

TITLE = "Entries"
CAPTION = "One row an entry: a target attempted by an arm. The verdict is that of the first attempt."
ORDER = 20
SHOWN = False
COLUMNS = {
    "target": "the published result that was to be reproduced",
    "family": "the benchmark family of the target",
    "arm": "the way of attempting it",
    "skill": "the skill the run was given, empty for none",
    "status": "scored, capped, failed, env_failed, unscorable, or infrastructure (no result)",
    "within": "within by the reference's own criterion (SD, tolerance or 5 % band), in all quantities",
    "within_sd": "within the published SD (at least half a unit of the last published decimal), two-sided",
    "within_band": "within 5 % of the published value",
    "as_good": "within, or better by the metric's direction",
    "rank_with_published": "rank among the published rows, where the family has them",
    "basis": "computed here from predictions, or self-reported in the answer file",
    "tainted": "the leak audit found that the run saw, or tried to see, what was kept from it; not within",
    "departures": "how many departures from the published protocol are known",
    "attempts": "attempts made",
    "attempts_within": "attempts that were within",
    "turns": "turns of the first attempt, killed tries included",
    "cost_usd": "model cost of the first attempt in US$, or unknown",
    "wall_s": "wall time of the first attempt in seconds",
    "ended_by": "what ended the first attempt",
    "sandbox": "isolation achieved; reduced where a part of it was missing",
}


def rows(study: Study) -> Iterator[Row]:
    """Rows in the order of targets, then arms."""
    return (_row(entry) for entry in study.entries)


def _row(entry: Entry) -> Row:
    """One entry."""
    first, run = entry.first, entry.first.run
    bases = sorted({q.basis for q in first.quantities if q.value is not None})
    return (
        entry.target,
        entry.family,
        entry.arm,
        entry.skill,
        first.status,
        first.within,
        first.all_quantities("within_sd"),
        first.all_quantities("within_band"),
        first.all_quantities("as_good"),
        None,
        "+".join(bases),
        first.tainted,
        len(first.score.departures) if first.score else 0,
        sum(attempt.score is not None for attempt in entry.attempts),
        sum(attempt.within for attempt in entry.attempts),
        run.turns if run else None,
        ("unknown" if run.cost_usd is None else run.cost_usd) if run else None,
        run.wall_seconds if run else None,
        run.ended_by if run else None,
        sandbox(entry),
    )


def sandbox(entry: Entry) -> str | None:
    """``bubblewrap``, ``bubblewrap (reduced)`` or ``none``."""
    run = entry.first.run
    if run is None:
        return None
    return f"{run.sandbox.kind} (reduced)" if run.sandbox.warnings else run.sandbox.kind
