"""Judgments: an analytical choice that scores confirmed or refuted, as evidence to check, never as an order.

A run declares its choices on lines of their own: ``CHOICE: grouping=batch``. Where two scored runs of a
target declared the same choices but for one, and one agreed with the published result and the other did
not, that choice is a candidate lesson. Later runs of the same skill or family that make either choice
confirm or refute it. What is kept names the choice, its two values and how often scores spoke for and
against it; no result does.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations

from labagent.memory.ids import lesson_id, outcome_event
from labagent.models.memory import Lesson, LessonEvent, OutcomeEvent, Provenance, Scope

JUDGMENT: Scope = "judgment"
MOST_CHOICES = 50
_CHOICE = re.compile(
    r"^[ \t]*CHOICE:[ \t]*(?P<name>[a-z][a-z0-9_.-]{0,39})[ \t]*=[ \t]*(?P<value>[A-Za-z0-9_.+-]{1,40})"
    r"[ \t]*\r?$",
    re.MULTILINE,
)
_NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")
_AGAINST = "against "


@dataclass(frozen=True)
class Judged:
    """A scored attempt.

    ``run`` is arm/target/attempt, ``stamp`` differs when it was made again, ``time`` is when it ended;
    ``results`` are its own values and the published ones, which no lesson may hold.
    """

    run: str
    target: str
    family: str
    skill: str
    choices: Mapping[str, str]
    within: bool
    time: float
    stamp: str = ""
    results: tuple[float, ...] = ()


def choices_in(text: str) -> dict[str, str]:
    """The choices a run declared in what it printed; of one declared twice the last.

    Names and values are plain words or numbers, at most forty characters: nothing that could be read as
    an instruction.
    """
    found = {match["name"]: match["value"] for match in _CHOICE.finditer(text)}
    return dict(sorted(found.items())[:MOST_CHOICES])


def judge(entries: Iterable[Judged], known: Sequence[Lesson] = ()) -> list[LessonEvent | OutcomeEvent]:
    """What scores say of choices.

    Args:
        entries: scored attempts, in any order.
        known: the memory's state; judgments among it are confirmed or refuted by the entries.

    Returns:
        New judgments, and outcomes of these and of the known ones. The same entries give the same events.
    """
    usable = sorted((_without_results(entry) for entry in entries), key=lambda entry: entry.run)
    old = {lesson.id: lesson for lesson in known if lesson.scope == JUDGMENT}
    # Of several pairs that say the same the first is the lesson, the others are evidence for it.
    made = {event.id: event for event in reversed(list(_pairs(usable))) if event.id not in old}
    new = [made[name] for name in sorted(made)]
    rules = [*map(_rule, old.values()), *map(_rule, new)]
    outcomes = [event for rule in rules for event in _outcomes(rule, usable)]
    return [*new, *outcomes]


def _without_results(entry: Judged) -> Judged:
    """An entry without choices whose value or name holds a result, rounded or as a percentage."""
    kept = {
        name: value
        for name, value in entry.choices.items()
        if not any(_is_result(number, entry.results) for number in _NUMBER.findall(f"{name} {value}"))
    }
    return Judged(**{**vars(entry), "choices": kept})


def _is_result(number: str, results: Iterable[float]) -> bool:
    """Whether a number as written may be one of the results; one of a single digit only where it is equal."""
    mantissa, _, exponent = number.lower().lstrip("+-").partition("e")
    unit = 10.0 ** (int(exponent or 0) - len(mantissa.partition(".")[2]))
    single = len(mantissa.replace(".", "").strip("0")) < 2
    value = float(number)
    return any(
        abs(abs(result) * scale - abs(value)) <= (1e-9 if single else 0.5000001 * unit)
        for result in results
        for scale in (1.0, 100.0, 0.01)
    )


def _pairs(entries: Sequence[Judged]) -> Iterator[LessonEvent]:
    """A judgment for each choice that two runs of a target differ in, and that scores tell apart."""
    found: dict[tuple[str, str, str, str], list[tuple[Judged, Judged]]] = defaultdict(list)
    for good, bad in permutations(entries, 2):
        if good.within and not bad.within and (name := _only_difference(good, bad)):
            found[good.target, name, good.choices[name], bad.choices[name]].append((good, bad))
    for (target, name, better, worse), pairs in sorted(found.items()):
        if (target, name, worse, better) not in found:
            yield _event(name, better, worse, *pairs[0])


def _only_difference(one: Judged, other: Judged) -> str:
    """The one choice two runs of the same target and skill differ in; empty where it is none or several."""
    if (one.target, one.skill) != (other.target, other.skill) or one.choices.keys() != other.choices.keys():
        return ""
    names = [name for name in one.choices if one.choices[name] != other.choices[name]]
    return names[0] if len(names) == 1 else ""


def _event(name: str, better: str, worse: str, good: Judged, bad: Judged) -> LessonEvent:
    """The lesson of two runs."""
    signature = f"{JUDGMENT}: {good.family}: {name}={better} or {name}={worse}"
    check = (
        f"compute the answer with {name}={better} and with {name}={worse}, see how far they differ, and keep "
        "the one that the protocol and the data support"
    )
    return LessonEvent(
        id=lesson_id(signature, check, JUDGMENT, good.skill),
        time=max(good.time, bad.time),
        failure_class=JUDGMENT,
        signature=signature,
        fix=check,
        scope=JUDGMENT,
        why=(
            f"of two runs of {good.target} that declared no other difference, the one with {name}={better} "
            f"agreed with the published result and the one with {name}={worse} did not"
        ),
        groups={
            "choice": name,
            "confirmed": better,
            "refuted": worse,
            "family": good.family,
            "target": good.target,
        },
        provenance=Provenance(run=good.run, skill=good.skill, source=f"{_AGAINST}{bad.run}"),
    )


@dataclass(frozen=True)
class _Rule:
    """A judgment, and the runs it was made from."""

    id: str
    name: str
    better: str
    worse: str
    family: str
    skills: frozenset[str]
    founders: frozenset[str]


def _rule(lesson: Lesson | LessonEvent) -> _Rule:
    """What a judgment says."""
    origins = lesson.provenance if isinstance(lesson, Lesson) else (lesson.provenance,)
    against = {origin.source.removeprefix(_AGAINST) for origin in origins}
    return _Rule(
        id=lesson.id,
        name=lesson.groups.get("choice", ""),
        better=lesson.groups.get("confirmed", ""),
        worse=lesson.groups.get("refuted", ""),
        family=lesson.groups.get("family", ""),
        skills=frozenset(origin.skill for origin in origins),
        founders=frozenset({origin.run for origin in origins} | against),
    )


def _outcomes(rule: _Rule, entries: Iterable[Judged]) -> Iterator[OutcomeEvent]:
    """What runs other than those it was made from say of a judgment."""
    for entry in entries:
        value = entry.choices.get(rule.name)
        related = entry.skill in rule.skills if entry.skill else entry.family == rule.family
        if related and entry.run not in rule.founders and value in {rule.better, rule.worse}:
            source = Provenance(run=entry.run, skill=entry.skill, source=f"score {entry.stamp}".strip())
            confirmed = (value == rule.better) == entry.within
            yield outcome_event(rule.id, confirmed, provenance=source, time=entry.time)
