"""The memory's state: a fold over events that does not depend on their order or on repetitions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from labagent.memory.ids import lesson_id
from labagent.memory.log import Event
from labagent.models.memory import Lesson, LessonEvent, OutcomeEvent, Provenance

PROMOTED_RUNS = 2
QUARANTINE_FAILURES = 2
FOREIGN = ":"
"""Stands in the name of a run of another lab: ``lab:arm/target/1``."""


@dataclass
class _Gathered:
    """The events of one lesson."""

    events: list[LessonEvent] = field(default_factory=list)
    reviewed: bool = False
    outcomes: dict[str, OutcomeEvent] = field(default_factory=dict)


def fold(library: Iterable[Event], live: Iterable[Event] = ()) -> tuple[Lesson, ...]:
    """Lessons with their outcome counts, sorted by id.

    Lessons with the same signature, fix and scope are one. A lesson of the reviewed ``library`` starts as
    promoted; any other becomes promoted when it has cleared its failure in two distinct runs, the one that
    learned it included; the runs of other labs count as one. One with two failures or more, and more failures
    than successes, is quarantined.
    """
    gathered: dict[str, _Gathered] = defaultdict(_Gathered)
    outcomes: list[OutcomeEvent] = []
    aliases: dict[str, str] = {}
    for reviewed, events in ((True, library), (False, live)):
        for event in events:
            if isinstance(event, OutcomeEvent):
                outcomes.append(event)
                continue
            key = lesson_id(event.signature, event.fix, event.scope, event.provenance.skill)
            aliases[event.id] = key
            gathered[key].events.append(event)
            gathered[key].reviewed |= reviewed
    for outcome in outcomes:
        key = aliases.get(outcome.lesson, outcome.lesson)
        if key in gathered:
            _count(gathered[key], outcome)
    return tuple(_lesson(key, gathered[key]) for key in sorted(gathered))


def _count(gathered: _Gathered, outcome: OutcomeEvent) -> None:
    """Add an outcome: once, and of a run that was scored again (judgments) the latest."""
    judged = gathered.events[0].scope == "judgment"
    name = outcome.provenance.run if judged else outcome.id
    before = gathered.outcomes.get(name)
    if before is None or (outcome.time, outcome.id) > (before.time, before.id):
        gathered.outcomes[name] = outcome


def _lesson(key: str, gathered: _Gathered) -> Lesson:
    """One lesson from its events."""
    events = sorted(gathered.events, key=lambda e: (e.time, e.model_dump_json()))
    first = events[0]
    successes = sum(o.success for o in gathered.outcomes.values())
    failures = len(gathered.outcomes) - successes
    runs = {o.provenance.run for o in gathered.outcomes.values() if o.success}
    if first.scope != "judgment":
        runs |= {e.provenance.run for e in events}
    here = {run for run in runs if FOREIGN not in run}
    return Lesson(
        id=key,
        failure_class=first.failure_class,
        signature=first.signature,
        fix=first.fix,
        scope=first.scope,
        why=next((e.why for e in events if e.why), ""),
        environment=first.environment,
        groups=next((e.groups for e in events if e.groups), {}),
        provenance=_distinct(events),
        successes=successes,
        failures=failures,
        status=_status(gathered.reviewed, len(here) + (here != runs), successes, failures),
    )


def _distinct(events: Iterable[LessonEvent]) -> tuple[Provenance, ...]:
    """Where a lesson comes from, each place once, oldest first."""
    return tuple(dict.fromkeys(event.provenance for event in events))


def _status(reviewed: bool, runs: int, successes: int, failures: int) -> str:
    """What the outcomes make of a lesson."""
    if failures >= QUARANTINE_FAILURES and failures > successes:
        return "quarantined"
    return "promoted" if reviewed or runs >= PROMOTED_RUNS else "candidate"
