"""Counts by arm."""

import math
from collections.abc import Iterator

from labagent.report.compare import Place, places
from labagent.report.statistics import same_verdict, share_interval
from labagent.report.study import STATUSES, Entry, Study
from labagent.report.tables import Cell, Row
from labagent.report.tables.entries import sandbox

TITLE = "Counts by arm"
CAPTION = "Counts of entries by arm. The denominator is always all entries, whatever became of them."
ORDER = 10
SHOWN = True
COLUMNS: dict[str, str] = {
    "arm": "the arm",
    "kind": "model; protocol replay: the skill's steps without a model; recorded: a replay of recorded calls",
    "entries": "all entries of the arm",
    "scored": "entries with a value for every quantity",
    "within": "entries within by their reference's own criterion",
    "within_low": "lower end of the 95 % interval (Wilson) of the share within",
    "within_high": "upper end of that interval",
    "with_sd": "entries whose reference has a published SD",
    "within_sd": "of those, entries within it",
    "within_band": "entries within 5 % of the published value",
    "as_good": "entries within or better, where the metric has a direction",
    "first_places": "entries on which no arm of the kind was better; shared places count for each",
    "mean_rank": "mean rank among arms of the kind, over entries all of them completed; ties averaged",
    "ranked": "how many entries that mean is over",
    **{status: f"entries with status {status}" for status in STATUSES[1:]},
    "tainted": "entries that saw, or tried to see, what was kept from them; counted as not within",
    "departures": "entries with at least one known departure from the published protocol",
    "cost_usd": "known model cost of all attempts in US$",
    "cost_unknown": "attempts whose cost is unknown",
    "cost_usd_per_entry": "known cost divided by entries",
    "wall_s_per_entry": "mean wall time of the first attempts that ran, in seconds",
    "sandbox_reduced": "entries run without full isolation",
    "failing_turns": "commands that failed, in all attempts",
    "lessons_shown": "lessons shown to runs",
    "lessons_written": "lessons runs left in the memory",
    "same_verdict": "chance that a rerun of an entry gives the same verdict (with several attempts)",
}


def rows(study: Study) -> Iterator[Row]:
    """One row an arm, in the order of the config."""
    ranked = list(places(study))
    for arm in study.arms:
        entries = [entry for entry in study.entries if entry.arm == arm]
        record = {
            "arm": arm,
            "kind": study.kind(arm),
            "entries": len(entries),
            **_verdicts(entries),
            **_places([place for place in ranked if place.arm == arm]),
            **_statuses(entries),
            **_runs(entries),
        }
        yield tuple(record[name] for name in COLUMNS)


def _verdicts(entries: list[Entry]) -> dict[str, Cell]:
    """Counts of verdicts of first attempts."""
    firsts = [entry.first for entry in entries]
    within = sum(first.within for first in firsts)
    interval = share_interval(within, len(entries))
    verdicts = {
        name: [first.all_quantities(name) for first in firsts]
        for name in ("within_sd", "within_band", "as_good")
    }
    chances = [c for e in entries if (c := same_verdict([a.within for a in e.attempts])) is not None]
    return {
        "within": within,
        "within_low": interval.low,
        "within_high": interval.high,
        "with_sd": sum(verdict is not None for verdict in verdicts["within_sd"]),
        **{name: sum(verdict is True for verdict in values) for name, values in verdicts.items()},
        "same_verdict": math.fsum(chances) / len(chances) if chances else None,
    }


def _places(mine: list[Place]) -> dict[str, Cell]:
    """First places and mean rank; empty where no other arm of the kind is there to compare with."""
    if not mine:
        return {"first_places": None, "mean_rank": None, "ranked": 0}
    mean = math.fsum(place.rank for place in mine) / len(mine)
    return {"first_places": sum(place.first for place in mine), "mean_rank": mean, "ranked": len(mine)}


def _statuses(entries: list[Entry]) -> dict[str, Cell]:
    """Counts of what became of entries."""
    firsts = [entry.first for entry in entries]
    return {
        **{status: sum(first.status == status for first in firsts) for status in STATUSES},
        "tainted": sum(first.tainted for first in firsts),
        "departures": sum(bool(first.score and first.score.departures) for first in firsts),
        "sandbox_reduced": sum(sandbox(entry) not in (None, "bubblewrap") for entry in entries),
    }


def _runs(entries: list[Entry]) -> dict[str, Cell]:
    """What the runs took."""
    runs = [attempt.run for entry in entries for attempt in entry.attempts if attempt.run]
    walls = [entry.first.run.wall_seconds for entry in entries if entry.first.run]
    cost = math.fsum(run.cost_usd for run in runs if run.cost_usd is not None)
    return {
        "cost_usd": cost,
        "cost_unknown": sum(run.cost_usd is None for run in runs),
        "cost_usd_per_entry": cost / len(entries) if entries else None,
        "wall_s_per_entry": math.fsum(walls) / len(walls) if walls else None,
        "failing_turns": sum(run.failing_turns for run in runs),
        "lessons_shown": sum(run.lessons_shown for run in runs),
        "lessons_written": sum(run.lessons_written for run in runs),
    }
