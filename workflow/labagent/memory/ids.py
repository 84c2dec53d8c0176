"""Lessons and outcomes as events. Ids follow from the content: saying a thing twice says it once."""

from __future__ import annotations

import time as clock
from collections.abc import Mapping

from labagent.files import sha256_json
from labagent.memory.signature import NEUTRAL_GROUPS
from labagent.models.memory import LessonEvent, Match, OutcomeEvent, Provenance, Scope
from labagent.redaction import redact


def lesson_id(signature: str, fix: str, scope: Scope, skill: str = "") -> str:
    """The id of the lesson with this content. ``skill`` counts for recipe and judgment lessons only."""
    owner = "" if scope == "operational" else skill
    return "L" + sha256_json([signature, fix, scope, owner])[:16]


def lesson_event(
    match: Match,
    fix: str,
    *,
    provenance: Provenance,
    scope: Scope = "operational",
    why: str = "",
    environment: Mapping[str, str] | None = None,
    time: float | None = None,
) -> LessonEvent:
    """What a run learned: ``fix`` cleared the failure ``match``.

    Args:
        match: of the failing output.
        fix: one command, already through :func:`labagent.memory.fixes.normalize_fix`.
        provenance: run, turn and skill.
        scope: ``operational`` helps any skill, ``recipe`` only ``provenance.skill``.
        why: a sentence for the reader.
        environment: of :func:`labagent.memory.fixes.environment_fingerprint`.
        time: seconds since the epoch; now, if not given.
    """
    fix = redact(fix)
    names = {k: redact(v) for k, v in match.groups.items() if k not in NEUTRAL_GROUPS}
    signature = redact(match.signature)
    return LessonEvent(
        id=lesson_id(signature, fix, scope, provenance.skill),
        time=clock.time() if time is None else time,
        failure_class=match.failure_class,
        signature=signature,
        fix=fix,
        scope=scope,
        why=redact(why),
        environment=dict(environment or {}),
        groups=names,
        provenance=provenance,
    )


def outcome_event(
    lesson: str, success: bool, *, provenance: Provenance, time: float | None = None
) -> OutcomeEvent:
    """What came of applying a lesson in a run's turn. The same turn cannot be counted twice.

    Args:
        lesson: id of the lesson.
        success: whether the same failure was cleared.
        provenance: run and turn.
        time: seconds since the epoch; now, if not given.
    """
    content = [lesson, success, provenance.run, provenance.turn, provenance.source]
    return OutcomeEvent(
        id="O" + sha256_json(content)[:16],
        time=clock.time() if time is None else time,
        lesson=lesson,
        success=success,
        provenance=provenance,
    )
