"""The agent without a model: it carries out a skill's steps and mends what fails with known fixes.

Before the first step it looks whether failures that the memory knows of are there already
(:mod:`labagent.reproduce.foresight`). When a step fails it tries the memory's fixes, then the generic ones,
and searches where those are used up; each fix is followed by the step itself, which alone can say whether it
helped.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from labagent.models.memory import Lesson
from labagent.models.skill import Skill
from labagent.reproduce import foresight
from labagent.reproduce.repairs import repairs_for
from labagent.reproduce.turns import Action, GiveUp, Run, Turn, View, WorstCase
from labagent.skills.blocks import command_for

MAX_TRIES = 6


@dataclass(frozen=True)
class Step:
    """One runnable block of a skill, as a command."""

    name: str
    command: str


def steps_of(skill: Skill) -> tuple[Step, ...]:
    """The steps of a skill: the blocks of its loci, in order."""
    blocks = [(locus.name, block) for locus in skill.loci for block in locus.blocks]
    return tuple(
        Step(f"{index:02d}-{locus}", command_for(block, index, locus))
        for index, (locus, block) in enumerate(blocks, start=1)
    )


class OfflineAgent:
    """Follows the steps; a failing step is repaired and repeated, at most ``MAX_TRIES`` times."""

    def __init__(self, skill: Skill | None, mark: str, lessons: Sequence[Lesson] = ()) -> None:
        """Prepare the steps of a skill.

        Args:
            skill: what to carry out; ``None`` where none was selected.
            mark: the sentinel to print at the end.
            lessons: shown at the start, with fixes ready to be run.
        """
        self._steps = steps_of(skill) if skill is not None else ()
        self._finish = f"printf '%s\\n' {mark} 'STATUS: SUCCESS'"
        self._lab = skill.name if skill is not None else ""
        self._known = foresight.checkable(lessons, skill) if skill is not None else ()
        self._at = 0
        self._tries: Counter[int] = Counter()
        self._tried: set[tuple[int, str]] = set()
        self._failures: list[Turn] = []
        self._seen: dict[str, str] = {}

    def worst_case(self, view: View) -> WorstCase:
        """Nothing: no model is asked."""
        return WorstCase()

    def act(self, view: View) -> Action:
        """The next step, a fix for the failed one, or the end."""
        if not self._steps:
            return GiveUp("no skill was selected, and without a model there are no other steps to follow")
        last = view.turns[-1] if view.turns else None
        if last is None or not isinstance(last.action, Run):
            return self._check() if last is None else self._step()
        if last.action.step == foresight.STEP:
            return self._prepare(last)
        if last.action.repairs:
            return self._after_fix(last)
        if last.failed:
            self._failures.append(last)
            return self._mend()
        self._failures = []
        self._at = min(self._at + 1, len(self._steps))
        return self._step()

    def _check(self) -> Action:
        """Look which of the known failures are there; the first step where none is known."""
        if not self._known:
            return self._step()
        return Run(foresight.check_command(self._known), step=foresight.STEP)

    def _prepare(self, last: Turn) -> Action:
        """Before the first step: the fix of a failure that is there, with the check behind it."""
        found = last.result.text if last.result and not last.failed else ""
        for lesson in foresight.holding(found, self._known):
            if (-1, lesson.fix) not in self._tried:
                self._tried.add((-1, lesson.fix))
                command = f"{lesson.fix} && {foresight.check_command(self._known)}"
                return Run(command, step=foresight.STEP, lesson=lesson.id, repairs=last.number)
        return self._step()

    def _step(self) -> Action:
        """The step that is due; after the last one, the final status."""
        if self._at == len(self._steps):
            return Run(self._finish)
        self._tries[self._at] += 1
        step = self._steps[self._at]
        return Run(step.command, step=step.name)

    def _after_fix(self, last: Turn) -> Action:
        """The step again, after a fix; the next fix, after one that failed or a look."""
        assert isinstance(last.action, Run) and last.result is not None
        if last.action.looks:
            self._seen[last.action.command] = "" if last.failed else last.result.text
            return self._mend()
        return self._mend() if last.failed else self._step()

    def _mend(self) -> Action:
        """The best fix not yet tried; for the latest failure of the step, then for those before it."""
        failure, step = self._failures[-1], self._steps[self._at]
        key_line = failure.match.key_line if failure.match else ""
        if self._tries[self._at] >= MAX_TRIES:
            return GiveUp(f"step {step.name} failed {MAX_TRIES} times; the last time: {key_line}")
        for action in self._fixes():
            place = (self._at, action.command)
            if place not in self._tried and (-1, action.command) not in self._tried:
                self._tried.add(place)
                return action
        failure_class = failure.match.failure_class if failure.match else "unknown"
        return GiveUp(f"step {step.name} failed ({failure_class}) and no fix is left: {key_line}")

    def _fixes(self) -> Iterator[Run]:
        """What may repair the step: for each of its failures the memory's fixes, then the generic ones."""
        last = self._failures[-1].number
        for failure in reversed(self._failures):
            if failure.match is None or failure.result is None:
                continue
            for lesson in failure.match.lessons:
                yield Run(lesson.fix, lesson=lesson.id, repairs=last)
            for move in repairs_for(failure.match, failure.result.text, seen=self._seen, lab=self._lab):
                yield Run(move.command, repairs=last, looks=move.looks)
