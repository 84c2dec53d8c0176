"""One row an entry."""

import math
from collections.abc import Iterator

from labagent.report.compare import Place, places, rank_with_published
from labagent.report.statistics import same_verdict
from labagent.report.study import Entry, Study
from labagent.report.tables import Cell, Row

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
    "rank_arms": "rank among arms of the kind; empty unless all of them completed the target",
    "first_place": "whether no arm of the kind was better; empty where there is no rank",
    "cost_usd_attempts": "known model cost of all attempts in US$",
    "cost_unknown": "attempts whose cost is unknown",
    "failing_turns": "commands that failed, in all attempts",
    "lessons_shown": "lessons shown, in all attempts",
    "lessons_written": "lessons left in the memory, by all attempts",
    "same_verdict": "chance that two of its attempts agree on within; empty for fewer than two with a result",
    "earlier_results": "results that were made anew on purpose (labagent rerun, --forcerun), in all attempts",
}


def rows(study: Study) -> Iterator[Row]:
    """Rows in the order of targets, then arms."""
    ranked = {(place.arm, place.target): place for place in places(study)}
    for entry in study.entries:
        published = rank_with_published(study, entry)
        yield (*_row(entry, published), *_more(entry, ranked.get((entry.arm, entry.target))))


def agreement(entry: Entry) -> float | None:
    """The chance that two attempts of an entry agree; those without a result have no verdict."""
    return same_verdict([attempt.within for attempt in entry.attempts if attempt.score])


def _row(entry: Entry, published: float | None) -> Row:
    """One entry by its first attempt."""
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
        published,
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


def _more(entry: Entry, place: Place | None) -> tuple[Cell, ...]:
    """Its place among arms, and what all its attempts took."""
    runs = [attempt.run for attempt in entry.attempts if attempt.run]
    return (
        place.rank if place else None,
        place.first if place else None,
        math.fsum(run.cost_usd for run in runs if run.cost_usd is not None),
        sum(run.cost_usd is None for run in runs),
        sum(run.failing_turns for run in runs),
        sum(run.lessons_shown for run in runs),
        sum(run.lessons_written for run in runs),
        agreement(entry),
        sum(run.earlier_results for run in runs),
    )


def sandbox(entry: Entry) -> str | None:
    """``bubblewrap``, ``bubblewrap (reduced)`` or ``none``."""
    run = entry.first.run
    if run is None:
        return None
    return f"{run.sandbox.kind} (reduced)" if run.sandbox.warnings else run.sandbox.kind
