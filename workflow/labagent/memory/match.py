"""Which lessons apply to a failing output, best first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from labagent.memory.classify import classify
from labagent.memory.fixes import RENDERED_GROUPS, can_render, compatible, placeholders
from labagent.models.memory import Lesson, Match

EXACT, SAME_NAMES, GENERAL = 3, 2, 1

_STATUS = {"promoted": 1, "candidate": 0}
_SUBJECTS = (
    "module",
    "distribution",
    "package",
    "command",
    "library",
    "header",
    "argument",
    "attribute",
    "name",
    "key",
)


def match(
    output: str,
    lessons: Sequence[Lesson],
    *,
    command: str = "",
    status: int | None = None,
    skill: str = "",
    environment: Mapping[str, str] | None = None,
    limit: int = 3,
) -> Match:
    """What the memory says of a failing output.

    Args:
        output: what the command printed.
        lessons: the memory's state.
        command: the command, where known.
        status: its exit status.
        skill: the run's skill: recipe lessons of others are left out.
        environment: the run's fingerprint: lessons of another platform are left out.
        limit: how many lessons at most.

    Returns:
        Class, signature and key line, and the lessons: those with the same signature, then those of the
        same class about the same names, then general ones of the class whose places can be filled; among
        these promoted before candidates, then by outcomes. Quarantined and judgment lessons are never among
        them.
    """
    found = classify(output, command=command, status=status)
    ranked = [
        ((*_rank(lesson, near, environment), lesson.id), lesson)
        for lesson in lessons
        if lesson.failure_class == found.failure_class
        and lesson.scope != "judgment"
        and (near := _nearness(lesson, found)) is not None
        and applies(lesson, skill=skill, environment=environment)
        and can_render(lesson.fix, found.groups)
    ]
    ranked.sort(key=lambda item: item[0])
    return found.model_copy(update={"lessons": tuple(lesson for _, lesson in ranked[:limit])})


def at_start(
    lessons: Iterable[Lesson],
    *,
    skill: str,
    limit: int,
    environment: Mapping[str, str] | None = None,
    family: str = "",
) -> tuple[Lesson, ...]:
    """The lessons worth knowing before anything failed.

    Those of this skill first (recipes and judgments), then judgments of this benchmark family, then
    operational ones by outcomes; candidates only where they are of this skill. A judgment says how often
    later scores spoke for and against it.
    """
    chosen = [
        _counted(lesson)
        for lesson in lessons
        if (
            applies(lesson, skill=skill, environment=environment)
            and (lesson.status == "promoted" or (skill and _of_skill(lesson, skill)))
        )
        or _of_family(lesson, family)
    ]
    chosen.sort(
        key=lambda x: (
            not (skill and _of_skill(x, skill)),
            x.scope == "operational",
            -_STATUS[x.status],
            x.failures - x.successes,
            x.id,
        )
    )
    return tuple(chosen[:limit])


def applies(lesson: Lesson, *, skill: str, environment: Mapping[str, str] | None) -> bool:
    """Whether a lesson may be shown at all in a run of this skill and environment."""
    if lesson.status == "quarantined" or not compatible(lesson.environment, environment):
        return False
    if lesson.scope == "judgment" and not skill:
        return False
    return lesson.scope == "operational" or _of_skill(lesson, skill)


def _of_family(lesson: Lesson, family: str) -> bool:
    """Whether it is a judgment of this benchmark family that nothing speaks against."""
    return (
        lesson.scope == "judgment"
        and lesson.status == "promoted"
        and lesson.groups.get("family") == (family or None)
    )


def _counted(lesson: Lesson) -> Lesson:
    """A judgment with its evidence so far; any other lesson as it is."""
    if lesson.scope != "judgment" or "choice" not in lesson.groups:
        return lesson
    counts = f"later runs: {lesson.successes} for it, {lesson.failures} against"
    return lesson.model_copy(update={"why": f"{lesson.why}; {counts}"})


def _of_skill(lesson: Lesson, skill: str) -> bool:
    """Whether it was learned with this skill."""
    return any(origin.skill == skill for origin in lesson.provenance)


def _rank(lesson: Lesson, near: int, environment: Mapping[str, str] | None) -> tuple[int, int, int, int]:
    """Smaller is better."""
    here = (environment or {}).get("python", "")
    other_python = bool(here) and lesson.environment.get("python", here) != here
    return -near, -_STATUS[lesson.status], int(other_python), lesson.failures - lesson.successes


def _nearness(lesson: Lesson, found: Match) -> int | None:
    """How close a lesson of the same class is to the failure; ``None`` where it is about something else."""
    if lesson.signature == found.signature:
        return EXACT
    theirs, ours = lesson.groups, found.groups
    shared = [k for k in _SUBJECTS if k in theirs and k in ours]
    if shared and all(_same(k, theirs[k], ours[k]) for k in shared):
        return SAME_NAMES
    if "{" in lesson.fix and placeholders(lesson.fix) & set(RENDERED_GROUPS):
        return GENERAL
    return None


def _same(group: str, theirs: str, ours: str) -> bool:
    """Whether two captured names are one; distributions are compared as the index does."""
    if group == "distribution":
        return theirs.lower().replace("_", "-").replace(".", "-") == ours.lower().replace("_", "-").replace(
            ".", "-"
        )
    return theirs == ours
