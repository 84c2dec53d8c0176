"""The agent without a model: it carries out a skill's steps and mends what fails with known fixes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from labagent.models.skill import Skill
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

    def __init__(self, skill: Skill | None, mark: str) -> None:
        """Prepare the steps of a skill.

        Args:
            skill: what to carry out; ``None`` where none was selected.
            mark: the sentinel to print at the end.
        """
        self._steps = steps_of(skill) if skill is not None else ()
        self._finish = f"printf '%s\\n' {mark} 'STATUS: SUCCESS'"
        self._at = 0
        self._tries: Counter[int] = Counter()
        self._tried: set[tuple[int, str]] = set()
        self._failure: Turn | None = None

    def worst_case(self, view: View) -> WorstCase:
        """Nothing: no model is asked."""
        return WorstCase()

    def act(self, view: View) -> Action:
        """The next step, a fix for the failed one, or the end."""
        if not self._steps:
            return GiveUp("no skill was selected, and without a model there are no other steps to follow")
        last = view.turns[-1] if view.turns else None
        if last is None or not isinstance(last.action, Run):
            return self._step()
        if last.action.repairs:
            return self._mend() if last.failed else self._step()
        if last.failed:
            self._failure = last
            return self._mend()
        self._failure = None
        self._at = min(self._at + 1, len(self._steps))
        return self._step()

    def _step(self) -> Action:
        """The step that is due; after the last one, the final status."""
        if self._at == len(self._steps):
            return Run(self._finish)
        self._tries[self._at] += 1
        step = self._steps[self._at]
        return Run(step.command, step=step.name)

    def _mend(self) -> Action:
        """The best fix not yet tried for the failure at hand."""
        assert self._failure is not None
        step = self._steps[self._at]
        key_line = self._failure.match.key_line if self._failure.match else ""
        if self._tries[self._at] >= MAX_TRIES:
            return GiveUp(f"step {step.name} failed {MAX_TRIES} times; the last time: {key_line}")
        for fix, lesson in _fixes(self._failure):
            if (self._at, fix) not in self._tried:
                self._tried.add((self._at, fix))
                return Run(fix, lesson=lesson, repairs=self._failure.number)
        failure_class = self._failure.match.failure_class if self._failure.match else "unknown"
        return GiveUp(f"step {step.name} failed ({failure_class}) and no fix is left: {key_line}")


def _fixes(failure: Turn) -> Iterator[tuple[str, str]]:
    """Fixes of a failure with the lesson each comes from: the memory's, then the generic ones."""
    if failure.match is None or failure.result is None:
        return
    for lesson in failure.match.lessons:
        yield lesson.fix, lesson.id
    for fix in repairs_for(failure.match, failure.result.text):
        yield fix, ""
