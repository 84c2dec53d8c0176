"""Events of the shared memory and what they fold to."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from labagent.models.base import Record

Scope = Literal["operational", "recipe", "judgment"]


class Provenance(Record):
    """Where a lesson comes from: a run (arm/target/attempt) and turn, or the reviewed library."""

    run: str
    turn: int = 0
    skill: str = ""
    source: str = ""


class LessonEvent(Record):
    """A failure signature and the fix that cleared it.

    ``groups`` holds the names in the signature (module, attribute, …), so that another failure of the class
    can be compared with it.
    """

    event: Literal["lesson"] = "lesson"
    id: Annotated[str, StringConstraints(pattern=r"^L[0-9a-f]{16}$")]
    time: float
    failure_class: str
    signature: str
    fix: str
    scope: Scope
    why: str = ""
    environment: dict[str, str] = {}
    groups: dict[str, str] = {}
    provenance: Provenance


class OutcomeEvent(Record):
    """What came of applying a lesson: ``success`` when the same failure was cleared."""

    event: Literal["outcome"] = "outcome"
    id: Annotated[str, StringConstraints(pattern=r"^O[0-9a-f]{16}$")]
    time: float
    lesson: str
    success: bool
    provenance: Provenance


class Lesson(Record):
    """A lesson with its outcome counts: the fold over its events."""

    id: str
    failure_class: str
    signature: str
    fix: str
    scope: Scope
    why: str = ""
    environment: dict[str, str] = {}
    groups: dict[str, str] = {}
    provenance: tuple[Provenance, ...]
    successes: Annotated[int, Field(ge=0)] = 0
    failures: Annotated[int, Field(ge=0)] = 0
    status: Literal["candidate", "promoted", "quarantined"] = "candidate"


class Match(Record):
    """What the memory says of a failing output.

    ``groups`` is what the key line captured (``module``, ``distribution``, ``path``, ``argument``, …), for
    fixes with ``{module}`` and the like in them.
    """

    failure_class: str
    signature: str
    key_line: str
    groups: dict[str, str] = {}
    lessons: tuple[Lesson, ...] = ()
