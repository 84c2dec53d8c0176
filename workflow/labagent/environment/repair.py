"""Another try for a specification that does not build: fixes that cleared such a failure before.

A failure is classified, and the lessons for it are tried in the memory's order, then the general repairs of
``repairs.yaml``, within a budget of tries and of seconds. A fix that clears its failure stays, whatever
fails next; one that does not is taken back. What worked is kept beside the locks, and next time the same
specification is built so at once, whatever the memory has learned since.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from importlib import resources
from pathlib import Path

import yaml

from labagent.environment.changes import change
from labagent.environment.outcome import BuildFailed
from labagent.environment.spec import EnvironmentSpec
from labagent.errors import MemoryStoreError
from labagent.files import read_json, write_json
from labagent.memory import environment_fingerprint, match, render_fix
from labagent.models.memory import Lesson, Match
from labagent.models.run import EnvironmentRecord, EnvironmentRepair

MOST_LESSONS = 50
_SAFE = re.compile(r"[\w.,<>=!~* -]+")
_PLACE = re.compile(r"\{(\w+)\}")

Build = Callable[[EnvironmentSpec, float], EnvironmentRecord]


@dataclass(frozen=True)
class Tried:
    """One fix, and whether it cleared the failure ``match``."""

    match: Match
    repair: EnvironmentRepair
    spec: EnvironmentSpec
    cleared: bool = False


@dataclass
class Repaired:
    """What came of it: the record of a build, or the last failure; and all that was tried."""

    record: EnvironmentRecord | None = None
    failure: BuildFailed | None = None
    tried: list[Tried] = field(default_factory=list)
    remembered: tuple[EnvironmentRepair, ...] = ()

    @property
    def repairs(self) -> tuple[EnvironmentRepair, ...]:
        """The changes that the environment that was built, or failed last, carries."""
        return self.remembered or tuple(step.repair for step in self.tried if step.cleared)


def build_repaired(
    spec: EnvironmentSpec,
    build: Build,
    *,
    lessons: Sequence[Lesson],
    tries: int,
    seconds: float,
    build_seconds: float,
    note: Callable[[str], None],
    kept: Path,
) -> Repaired:
    """Build a specification, and where that fails a repaired one.

    Args:
        spec: as it was asked for.
        build: builds a specification within seconds.
        lessons: the memory's state; empty where the arm has no memory.
        tries: most fixes.
        seconds: for all of them together.
        build_seconds: for one build.
        note: adds text to the build's log.
        kept: JSON file with the repairs that worked last time, if any did.

    Raises:
        InfrastructureError: the registry or the disk failed.
    """
    before, asked = _recall(kept), time.monotonic()
    if before is not None:
        try:
            return Repaired(record=build(before[0], build_seconds), remembered=before[1])
        except BuildFailed as failure:
            note(f"{failure}\n[what worked before does not any more]\n")
    done = Repaired()
    current, pending = spec, None
    seen: set[str] = set()
    left = build_seconds
    deadline = asked + build_seconds
    for number in range(tries + 1):
        found = _try(done, build, current, pending, left, lessons, note)
        if found is None:
            break
        current = pending.spec if pending and done.tried[-1].cleared else current
        deadline = time.monotonic() + seconds if number == 0 else deadline
        left = min(build_seconds, deadline - time.monotonic())
        pending = _next(found, current, done.failure.output if done.failure else "", seen)
        if number == tries or pending is None or left <= 0:
            _say_why(note, pending, number, tries)
            break
        seen.add(_key(found, pending.repair.fix))
        origin = f"lesson {pending.repair.lesson}" if pending.repair.lesson else "general repair"
        note(f"\n[repair {number + 1} of at most {tries}, {origin}: {pending.repair.fix}]\n")
        note("".join(f"[  {line}]\n" for line in pending.repair.changes))
    _keep(done, kept, pending)
    return done


def _try(
    done: Repaired,
    build: Build,
    current: EnvironmentSpec,
    pending: Tried | None,
    seconds: float,
    lessons: Sequence[Lesson],
    note: Callable[[str], None],
) -> Match | None:
    """Build once; the failure where it fails, and what came of the fix that was tried."""
    try:
        done.record = build(pending.spec if pending else current, seconds)
    except BuildFailed as failure:
        if pending is not None and failure.failure == "timeout":
            # It was stopped, so it says nothing of the fix; the failure that was to be cleared stands.
            note(f"{failure}\n")
            return None
        done.failure = failure
        found = _match(failure, lessons, pending.spec if pending else current)
        note(f"{failure}\n[{found.signature}]\n")
        if pending is not None:
            cleared = found.signature != pending.match.signature
            done.tried.append(replace(pending, cleared=cleared))
        return found
    if pending is not None:
        done.tried.append(replace(pending, cleared=True))
    return None


def _match(failure: BuildFailed, lessons: Sequence[Lesson], spec: EnvironmentSpec) -> Match:
    """What the memory says of a failed build; the builder's own class where it printed nothing."""
    here = environment_fingerprint(python=spec.python.lstrip("=<>!~")) if spec.python else None
    found = match(failure.output or failure.reason, lessons, environment=here, limit=MOST_LESSONS)
    if not failure.output:
        return found.model_copy(update={"failure_class": failure.failure, "lessons": ()})
    return found


def _next(found: Match, spec: EnvironmentSpec, output: str, seen: set[str]) -> Tried | None:
    """The next fix that says anything for this specification and was not tried on this failure."""
    for lesson, fix in _offers(found, output):
        changed = change(spec, fix, found.groups.get("distribution", ""))
        if _key(found, fix) in seen or changed is None:
            continue
        repair = EnvironmentRepair(
            failure_class=found.failure_class,
            signature=found.signature,
            fix=fix,
            lesson=lesson,
            changes=changed[1],
        )
        return Tried(found, repair, changed[0])
    return None


def _offers(found: Match, output: str) -> Iterator[tuple[str, str]]:
    """Lesson id (empty for a general repair) and fix, in the order they are tried."""
    for lesson in found.lessons:
        try:
            yield lesson.id, render_fix(lesson.fix, found.groups, {})
        except MemoryStoreError:
            continue
    for classes, pattern, fix in _general():
        hits = list(pattern.finditer(output)) if found.failure_class in classes else []
        if hits:
            values = {**found.groups, **{k: v for k, v in hits[-1].groupdict().items() if v}}
            if all(_SAFE.fullmatch(values.get(name, "")) for name in _PLACE.findall(fix)):
                yield "", _PLACE.sub(partial(_value, values), fix)


def _value(values: Mapping[str, str], place: re.Match[str]) -> str:
    """What stands at a place of a fix."""
    return values[place[1]]


@lru_cache(maxsize=1)
def _general() -> tuple[tuple[frozenset[str], re.Pattern[str], str], ...]:
    """``repairs.yaml``."""
    text = resources.files("labagent.environment").joinpath("repairs.yaml").read_text("utf-8")
    return tuple(
        (frozenset(row["classes"]), re.compile(row["pattern"]), row["fix"]) for row in yaml.safe_load(text)
    )


def _say_why(note: Callable[[str], None], pending: Tried | None, number: int, tries: int) -> None:
    """Why no further repair is tried."""
    if pending is None:
        note("[no lesson and no general repair is left for this failure]\n")
    elif number == tries:
        note(f"[environment.repair_tries ({tries}) are used up]\n")
    else:
        note("[environment.repair_seconds are used up]\n")


def _key(found: Match, fix: str) -> str:
    """What makes a try one that was made."""
    return f"{found.signature}\n{fix}"


def _recall(kept: Path) -> tuple[EnvironmentSpec, tuple[EnvironmentRepair, ...]] | None:
    """The specification that was built last time, and its repairs."""
    try:
        found = read_json(kept)
        repairs = tuple(EnvironmentRepair.model_validate(item) for item in found["repairs"])
        return EnvironmentSpec.model_validate(found["spec"]), repairs
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _keep(done: Repaired, kept: Path, last: Tried | None) -> None:
    """Remember what worked."""
    if done.record is not None and last is not None:
        kept.parent.mkdir(parents=True, exist_ok=True)
        repairs = [repair.model_dump(mode="json") for repair in done.repairs]
        write_json(kept, {"repairs": repairs, "spec": last.spec.model_dump(mode="json")})
