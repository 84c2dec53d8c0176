"""A page for each attempt: its score, and its trace in a form to be read.

Pages are for reading; the trace itself stays where it is. A large study gets pages for its most telling
attempts only, the others are made on demand (``labagent report --traces``).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from labagent.files import fresh_folder, write_text
from labagent.report.numbers import NONE, criterion, ours, plain, published
from labagent.report.study import Attempt, Entry, Study
from labagent.report.trace_events import Try, fitted, read_try
from labagent.trace.tries import tries_of

PAGES = 1200  # that are made without being asked for
TRIES = 6  # that a page shows, the latest
CHARACTERS = 1_200_000  # of texts a page shows
Key = tuple[str, str, int]


@dataclass(frozen=True)
class Shown:
    """One quantity of an attempt against its reference."""

    quantity: str
    metric: str
    published: str
    criterion: str
    ours: str
    verdict: str
    reason: str


def chosen(study: Study, *, everything: bool = False, most: int = PAGES) -> dict[Key, tuple[Entry, Attempt]]:
    """The attempts that get a page, in the order of entries.

    Where there are more than ``most``: those that are tainted, then first attempts without a score, then
    first attempts that are not within, then those with major departures, then the others in order.

    Args:
        study: the study.
        everything: all attempts, however many.
        most: pages that are made otherwise.
    """
    found = [pair for pair in study.attempts() if _has_trace(pair[1])]
    if len(found) > most and not everything:
        kept = sorted(range(len(found)), key=lambda place: (_rank(found[place][1]), place))[:most]
        found = [found[place] for place in sorted(kept)]
    return {(entry.arm, entry.target, attempt.number): (entry, attempt) for entry, attempt in found}


def address(key: Key) -> str:
    """Where an attempt's page is, from the report's page."""
    arm, target, number = key
    return f"traces/{arm}/{target}/{number}.html"


def write_traces(study: Study, pages: Mapping[Key, tuple[Entry, Attempt]], out: Path) -> None:
    """Write the pages below ``out/traces``, which is made anew."""
    fresh_folder(out / "traces")
    for key, (entry, attempt) in pages.items():
        write_text(out / address(key), trace_page(study, entry, attempt), durable=False)


def trace_page(study: Study, entry: Entry, attempt: Attempt) -> str:
    """One attempt as a self-contained page."""
    from labagent.report.rendering import environment

    folders = tries_of(attempt.folder)
    tries = fitted([read_try(folder) for folder in folders[-TRIES:]], CHARACTERS)
    return (
        environment()
        .get_template("trace.html.j2")
        .render(
            entry=entry,
            attempt=attempt,
            run=attempt.run,
            score=attempt.score,
            quantities=_quantities(study, entry, attempt),
            evidence=attempt.score.audit.evidence if attempt.score and attempt.score.audit else (),
            tries=tries,
            earlier=len(folders) - len(tries),
            used=_used(attempt, tries),
            anchors={(t.name, item.turn) for t in tries for item in t.items if item.kind == "command"},
        )
    )


def _has_trace(attempt: Attempt) -> bool:
    """Whether there is anything to show: a record, or a try without one."""
    return attempt.run is not None or bool(tries_of(attempt.folder))


def _rank(attempt: Attempt) -> int:
    """How telling an attempt is, 0 the most."""
    if attempt.tainted:
        return 0
    first = attempt.number == 1
    if first and attempt.status != "scored":
        return 1
    if first and not attempt.within:
        return 2
    major = attempt.score is not None and any(d.severity == "major" for d in attempt.score.departures)
    return 3 if major else 4 if first else 5


def _quantities(study: Study, entry: Entry, attempt: Attempt) -> list[Shown]:
    """Every quantity, as published and as reached."""
    references = study.inputs.references.get(entry.target, {})
    shown = []
    for q in attempt.quantities:
        reference = references.get(q.quantity)
        if reference is None:
            continue
        counts = attempt.status == "scored" and not attempt.tainted
        word = "within" if q.within and counts else "not within" if counts else "does not count"
        shown.append(
            Shown(
                quantity=q.quantity,
                metric=q.metric,
                published=published(reference),
                criterion=criterion(reference),
                ours=ours(q, reference),
                verdict=NONE if q.value is None else word,
                reason=q.reason,
            )
        )
    return shown


def _used(attempt: Attempt, tries: list[Try]) -> list[tuple[str, str, str]]:
    """What was used and the cap on it: name, used, cap."""
    run = attempt.run
    if run is None:
        return []
    caps: dict[str, str] = dict(tries[-1].budget) if tries else {}
    usage = run.usage
    cost = "unknown" if run.cost_usd is None else f"{plain(run.cost_usd)} US$"
    rows: list[tuple[str, str, Any]] = [
        ("turns", str(run.turns), caps.get("turns")),
        ("commands that failed", str(run.failing_turns), None),
        ("model cost", cost, f"{caps['usd']} US$" if "usd" in caps else None),
        ("tokens sent", f"{usage.prompt_tokens:,}, of which {usage.cached_tokens:,} from the cache", None),
        (
            "tokens received",
            f"{usage.completion_tokens:,}",
            caps.get("tokens") and f"{caps['tokens']} in all",
        ),
        (
            "wall time",
            f"{plain(run.wall_seconds)} s",
            f"{caps['wall seconds']} s" if "wall seconds" in caps else None,
        ),
        ("tries", str(run.tries), None),
        ("lessons shown, written", f"{run.lessons_shown}, {run.lessons_written}", None),
    ]
    return [(name, used, cap or NONE) for name, used, cap in rows]
