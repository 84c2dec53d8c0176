"""What a run teaches: which commands cleared which failure, and whether applied lessons helped.

A failing turn opens a case. Commands that exit with 0 before the same step is run again are what may have
fixed it. The case closes when the same step succeeds, or fails in another way: then they did. A step that
fails the same way again acquits nothing, and what was tried so far did not help.

* Several commands between failure and success are one fix, in their order. One that a later one undoes
  (another release of the same distribution) is no part of it.
* A known lesson that did not suffice and the commands that then did are one fix: the lesson helped once.
* A fix that led to another failure, and was undone by what cleared that one, was a wrong turn: its lesson
  becomes the later fix, and the failure it caused teaches nothing.
* Where nothing was done but to run the step in another way (another argument, an edited file), that is it.
* A file written anew counts by what changed in it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from labagent.models.memory import Lesson
from labagent.reproduce import foresight
from labagent.reproduce.commands import (
    as_edit,
    before_step,
    effective,
    even,
    is_fix,
    is_operational,
    program_of,
    script_of,
    undoes,
    without_display,
    written,
)
from labagent.reproduce.turns import Run, Turn

MAX_FIX = 1500
"""Characters; what is longer is a program, not a fix."""

CALLED_WRONGLY = frozenset({"wrong_argument", "api_removed"})


@dataclass(frozen=True)
class Learned:
    """A fix that cleared a failure at ``turn``."""

    turn: int
    failure_class: str
    signature: str
    fix: str
    scope: Literal["operational", "recipe"]


@dataclass(frozen=True)
class Applied:
    """A known lesson that was applied for the failure at ``turn``, and whether it cleared it."""

    turn: int
    lesson: str
    success: bool


@dataclass
class Case:
    """A failure not yet cleared.

    ``tried`` is what was done since, ``held`` known lessons applied to it before that did not suffice,
    ``follows`` what was learnt from the failure that gave way to this one, ``files`` what the run wrote.
    """

    turn: Turn
    held: list[Turn] = field(default_factory=list)
    follows: Learned | None = None
    tried: list[Turn] = field(default_factory=list)
    files: dict[str, str] = field(default_factory=dict)


def learn(turns: Sequence[Turn]) -> tuple[list[Learned], list[Applied]]:
    """What the turns of a run teach.

    Args:
        turns: all turns, in order.

    Returns:
        New lessons, and outcomes of lessons that were applied.
    """
    ledger = _Ledger()
    for turn in turns:
        if turn.result is not None and isinstance(turn.action, Run):
            ledger.take(turn)
    return ledger.learned, ledger.applied


@dataclass
class _Ledger:
    """Open cases, and what closed ones taught."""

    learned: list[Learned] = field(default_factory=list)
    applied: list[Applied] = field(default_factory=list)
    cases: list[Case] = field(default_factory=list)
    files: dict[str, str] = field(default_factory=dict)

    def take(self, turn: Turn) -> None:
        """What one turn closes, adds to and opens."""
        action = _action(turn)
        if action.step == foresight.STEP:
            self.applied += _foreseen(turn)
            return
        opened = Case(turn)
        again = [case for case in self.cases if _same_step(case.turn, turn)]
        for case in again:
            self._close(case, turn, opened)
        self.files |= written(action.command)
        opened.files = dict(self.files)
        if not turn.failed:
            for case in self.cases:
                case.tried += _beside_step(turn, again)
        elif action.repairs:
            self.applied += [Applied(action.repairs, action.lesson, False)] if action.lesson else []
        else:
            self.cases.append(opened)

    def _close(self, case: Case, turn: Turn, opened: Case) -> None:
        """A step was run again: whether its failure is cleared, and by what."""
        cleared = _cleared(case, turn)
        self.applied += _outcomes(case, turn, cleared)
        self.cases.remove(case)
        if not cleared:
            known = case.turn.match.lessons if case.turn.match else ()
            opened.held += [*case.held, *(t for t in case.tried if _lesson(t) or _shown(t, known))]
            opened.follows = case.follows
            return
        lesson = _lesson_of(case, turn)
        if lesson is None:
            return
        wrong_turn = case.follows
        if wrong_turn in self.learned and undoes(lesson.fix, wrong_turn.fix):
            lesson = replace(wrong_turn, fix=lesson.fix, scope=lesson.scope)
            self.learned.remove(wrong_turn)
        self.learned.append(lesson)
        opened.follows = lesson


def _beside_step(turn: Turn, again: Sequence[Case]) -> Iterator[Turn]:
    """What a turn did besides running a failed step again: for other failures that step is no fix."""
    if not again:
        yield turn
    elif before := before_step(_command(turn), _command(again[0].turn)):
        yield replace(turn, action=replace(_action(turn), command=before))


def _cleared(case: Case, at: Turn) -> bool:
    """Whether a step's failure is gone; a status that a pipe hid counts for nothing."""
    if at.failed:
        return _signature(at) != _signature(case.turn)
    key_line = case.turn.match.key_line if case.turn.match else ""
    return not (key_line and at.result is not None and key_line in at.result.text)


def _lesson_of(case: Case, at: Turn) -> Learned | None:
    """The lesson of a closed case; none where a known lesson did it, or nothing was done."""
    known = case.turn.match.lessons if case.turn.match else ()
    if case.turn.match is None or any(_lesson(t) or _shown(t, known) for t in [*case.tried, at]):
        return None
    fixes = [_command(turn) for turn in [*case.held, *case.tried] if is_fix(_command(turn))]
    before = before_step(_command(at), _command(case.turn))
    fixes += [before] if before and is_fix(before) else []
    edited = effective(list(filter(None, (as_edit(fix, case.files) for fix in fixes))))
    if not fixes and not at.failed:
        edited = _other_way(case, at)
    fix = (" && " if all("\n" not in part for part in edited) else "\n").join(edited)
    if not fix or len(fix) > MAX_FIX:
        return None
    return Learned(
        turn=case.turn.number,
        failure_class=case.turn.match.failure_class,
        signature=case.turn.match.signature,
        fix=fix,
        scope="operational" if all(map(is_operational, edited)) else "recipe",
    )


def _other_way(case: Case, at: Turn) -> list[str]:
    """The step as it succeeded, where it was run in another way than when it failed."""
    if _action(at).step or without_display(_command(at)) == without_display(_command(case.turn)):
        return []
    edit = as_edit(_command(at), case.files)
    return [edit] if edit else []


def _outcomes(case: Case, at: Turn, cleared: bool) -> Iterator[Applied]:
    """Outcomes of the known lessons among what was tried; only the last one can have helped."""
    known = case.turn.match.lessons if case.turn.match else ()
    tried = [*case.tried, *([at] if before_step(_command(at), _command(case.turn)) else [])]
    used = [lesson for turn in tried if (lesson := _lesson(turn) or _shown(turn, known))]
    for lesson in dict.fromkeys(used):
        yield Applied(case.turn.number, lesson, cleared and lesson == used[-1])


def _foreseen(turn: Turn) -> Iterator[Applied]:
    """The outcome of a lesson applied before its failure: the check behind it must no longer find it."""
    assert turn.result is not None
    if lesson := _lesson(turn):
        found = {match["lesson"] for match in foresight.FINDING.finditer(turn.result.text)}
        yield Applied(_action(turn).repairs, lesson, not turn.failed and lesson not in found)


def _same_step(failed: Turn, later: Turn) -> bool:
    """Whether a later turn runs the failed command again: alone, after a fix, as the script, or otherwise."""
    one, two = _action(failed), _action(later)
    if two.repairs:
        return False
    if one.step or two.step:
        return one.step == two.step
    first, second = even(one.command), even(two.command)
    if first == second or second.endswith(first):
        return True
    if (script := script_of(one.command)) or script_of(two.command):
        return script == script_of(two.command)
    called_wrongly = failed.match is not None and failed.match.failure_class in CALLED_WRONGLY
    program = program_of(one.command)
    return called_wrongly and bool(program) and program == program_of(two.command) and is_fix(two.command)


def _shown(turn: Turn, known: Sequence[Lesson]) -> str:
    """The id of a shown lesson whose fix a command contains."""
    command = even(_command(turn))
    return next((lesson.id for lesson in known if even(lesson.fix) in command), "")


def _signature(turn: Turn) -> str:
    """The signature of a failure."""
    return turn.match.signature if turn.match else ""


def _action(turn: Turn) -> Run:
    """The command of a turn that ran one."""
    assert isinstance(turn.action, Run)
    return turn.action


def _command(turn: Turn) -> str:
    """The text of a turn's command."""
    return _action(turn).command


def _lesson(turn: Turn) -> str:
    """The lesson an agent says it applied."""
    return _action(turn).lesson
