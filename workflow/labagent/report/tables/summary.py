"""Counts by arm."""

import math
from collections.abc import Callable, Iterator

from labagent.report.statistics import share_interval
from labagent.report.study import STATUSES, Study
from labagent.report.tables import Cell, Row, entries

TITLE = "Counts by arm"
CAPTION = (
    "Counts of entries by arm. The denominator is always all entries, whatever became of them. Each number "
    "follows from the rows of entries.tsv, as its column says."
)
ORDER = 10
SHOWN = True
Record = dict[str, Cell]


def _true(column: str) -> Callable[[Record], bool]:
    """Rows in which a column is true."""
    return lambda row: row[column] is True


def _status(status: str) -> Callable[[Record], bool]:
    """Rows with a status."""
    return lambda row: row["status"] == status


COUNTS: dict[str, Callable[[Record], bool]] = {
    "entries": lambda row: True,
    **{status: _status(status) for status in STATUSES},
    **{name: _true(name) for name in ("within", "within_sd", "within_band", "as_good", "tainted")},
    "first_places": _true("first_place"),
    "with_sd": lambda row: row["within_sd"] is not None,
    "ranked": lambda row: row["rank_arms"] is not None,
    "departures": lambda row: bool(row["departures"]),
    "sandbox_reduced": lambda row: row["sandbox"] not in (None, "bubblewrap"),
}
"""The rows of entries.tsv that each count counts."""
COLUMNS: dict[str, str] = {
    "arm": "the arm",
    "kind": "model; protocol replay: the skill's steps without a model; recorded: a replay of recorded calls",
    "entries": "all entries of the arm",
    "scored": "entries completed with a value for every quantity (status scored)",
    "within": "entries within by their reference's own criterion (within is true)",
    "within_low": "lower end of the 95 % interval (Wilson) of the share within",
    "within_high": "upper end of that interval",
    "with_sd": "entries whose reference has a published SD (within_sd is not empty)",
    "within_sd": "of those, entries within it (within_sd is true)",
    "within_band": "entries within 5 % of the published value (within_band is true)",
    "as_good": "entries within or better, where the metric has a direction (as_good is true)",
    "first_places": "entries on which no arm of the kind was better, shared places too (first_place is true)",
    "mean_rank": "mean of rank_arms, over entries all arms of the kind completed; ties averaged",
    "ranked": "how many entries that mean is over (rank_arms is not empty)",
    **{status: f"entries with status {status}" for status in STATUSES[1:]},
    "tainted": "entries that saw, or tried to see, what was kept from them; not within (tainted is true)",
    "departures": "entries with at least one known departure from the published protocol (departures > 0)",
    "cost_usd": "known model cost of all attempts in US$ (sum of cost_usd_attempts)",
    "cost_unknown": "attempts whose cost is unknown (sum of cost_unknown)",
    "cost_usd_per_entry": "known cost divided by entries",
    "wall_s_per_entry": "mean wall time of the first attempts that ran, in seconds (mean of wall_s)",
    "sandbox_reduced": "entries run without full isolation (sandbox is not empty and not bubblewrap)",
    "failing_turns": "commands that failed, in all attempts (sum of failing_turns)",
    "lessons_shown": "lessons shown to runs (sum of lessons_shown)",
    "lessons_written": "lessons runs left in the memory (sum of lessons_written)",
    "same_verdict": "chance that a rerun of an entry gives the same verdict (mean of same_verdict)",
    "mean_rank_published": "mean of rank_with_published over the same entries as mean_rank; for an arm alone "
    "in its kind over all that have one",
    "ranked_published": "how many entries that mean is over",
    "note": "what is not there, and why",
}


def rows(study: Study) -> Iterator[Row]:
    """One row an arm, in the order of the config."""
    by_arm: dict[str, list[Record]] = {arm: [] for arm in study.arms}
    for row in entries.rows(study):
        record = dict(zip(entries.COLUMNS, row, strict=True))
        by_arm[str(record["arm"])].append(record)
    kinds = [study.kind(arm) for arm in study.arms]
    for arm, found in by_arm.items():
        alone = kinds.count(study.kind(arm)) < 2
        summary = {"arm": arm, "kind": study.kind(arm), **_counts(found), **_means(found, alone=alone)}
        if alone:
            summary.update(first_places=None, mean_rank=None)
        yield tuple(summary[name] for name in COLUMNS)


def _counts(found: list[Record]) -> Record:
    """Counts of entries, and sums over them."""
    counts: dict[str, int] = {name: sum(holds(row) for row in found) for name, holds in COUNTS.items()}
    interval = share_interval(counts["within"], counts["entries"])
    return {
        **counts,
        "within_low": interval.low,
        "within_high": interval.high,
        **{
            name: int(_sum(found, name))
            for name in ("cost_unknown", "failing_turns", "lessons_shown", "lessons_written")
        },
    }


def _means(found: list[Record], *, alone: bool) -> Record:
    """Means over entries; empty, and named in the note, where there is nothing to average."""
    jointly = [row for row in found if alone or row["rank_arms"] is not None]
    published = _numbers(jointly, "rank_with_published")
    cost = _sum(found, "cost_usd_attempts")
    missing = {
        "no other arm of its kind: no rank among arms": alone,
        "no target was completed by all arms of its kind: no rank among arms": not alone and not jointly,
        "no rank with published rows": not published,
        "one attempt: no spread": not _numbers(found, "same_verdict"),
    }
    return {
        "mean_rank": _mean(_numbers(found, "rank_arms")),
        "mean_rank_published": _mean(published),
        "ranked_published": len(published),
        "cost_usd": cost,
        "cost_usd_per_entry": cost / len(found) if found else None,
        "wall_s_per_entry": _mean(_numbers(found, "wall_s")),
        "same_verdict": _mean(_numbers(found, "same_verdict")),
        "note": "; ".join(words for words, holds in missing.items() if holds),
    }


def _numbers(found: list[Record], column: str) -> list[float]:
    """The numbers of a column."""
    return [value for row in found if isinstance(value := row[column], int | float)]


def _sum(found: list[Record], column: str) -> float:
    """The sum of a column."""
    return math.fsum(_numbers(found, column))


def _mean(values: list[float]) -> float | None:
    """The mean, ``None`` of nothing."""
    return math.fsum(values) / len(values) if values else None
