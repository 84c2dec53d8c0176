"""What a run teaches: which commands cleared which failure, and whether applied lessons helped.

A failing turn opens a case. Commands that exit with 0 before the same step is run again are what may have
fixed it. The case closes when the same step succeeds, or fails in another way: then they did. A step that
fails the same way again acquits nothing, and what was tried so far did not help.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from labagent.models.memory import Lesson
from labagent.reproduce.turns import Run, Turn

LOOKING = re.compile(
    r"^\s*(?:awk|cat|cmp|cut|date|df|diff|du|echo|env|file|find|free|grep|head|id|less|locus|ls|more|nl|nproc|"
    r"printenv|printf|ps|pwd|rg|sed|sleep|sort|stat|tail|tree|true|type|uname|uniq|wc|which|whoami)\b"
)
LOOKING_MORE = re.compile(
    r"^(?:\S*/)?(?:python3?|pip3?|conda|mamba|R|Rscript|uv|git)\s+"
    r"(?:-m\s+pip\s+)?(?:pip\s+)?(?:list|show|freeze|index|--version|-V|search|info|check|status|log)\b"
)
OPERATIONAL = re.compile(
    r"^(?:\S*/)?(?:(?:python[\d.]*\s+-m\s+)?pip[\d.]*|uv|conda|mamba|micromamba|apt-get|mkdir|R\s+CMD\s+INSTALL|"
    r"Rscript\s+-e\s+['\"](?:install|utils::install|BiocManager::install|remotes::))"
)
WRITES = re.compile(r"(?<![0-9&])>{1,2}(?!\s*/dev/null|&)|\btee\b|\bsed\s+(?:\S+\s+)*-i")
SCRIPT = re.compile(
    r"(?:^|[;&|]\s*|\s)(?:python[\d.]*|Rscript|bash|sh)\s+(?:-[^\s]+\s+)*(?P<script>[\w./-]+)"
)


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
    """A failure not yet cleared, and what was done since."""

    turn: Turn
    tried: list[Turn] = field(default_factory=list)


def learn(turns: Sequence[Turn]) -> tuple[list[Learned], list[Applied]]:
    """What the turns of a run teach.

    Args:
        turns: all turns, in order.

    Returns:
        New lessons, and outcomes of lessons that were applied.
    """
    learned: list[Learned] = []
    applied: list[Applied] = []
    cases: list[Case] = []
    for turn in turns:
        if turn.result is None or not isinstance(turn.action, Run):
            continue
        for case in [case for case in cases if _same_step(case.turn, turn)]:
            cleared = not turn.failed or _signature(turn) != _signature(case.turn)
            applied += _outcomes(case, turn, cleared)
            learned += _lessons(case, turn) if cleared else []
            cases.remove(case)
        if not turn.failed:
            for case in cases:
                case.tried.append(turn)
        elif turn.action.repairs:
            applied += [Applied(turn.action.repairs, turn.action.lesson, False)] if turn.action.lesson else []
        else:
            cases.append(Case(turn))
    return learned, applied


def is_fix(command: str) -> bool:
    """Whether a command may change anything; one that only looks around fixes nothing."""
    if WRITES.search(command):
        return True
    return not LOOKING.match(command) and not LOOKING_MORE.match(command.strip())


def _lessons(case: Case, cleared_by: Turn) -> Iterator[Learned]:
    """The lesson of a closed case; none where a known lesson did it, or nothing was done."""
    fixes = [_command(turn) for turn in case.tried if is_fix(_command(turn))]
    known = case.turn.match.lessons if case.turn.match else ()
    if any(_lesson(turn) or _shown(turn, known) for turn in [*case.tried, cleared_by]):
        return
    before = _prefix(_command(cleared_by), _command(case.turn))
    fixes += [before] if before and is_fix(before) else []
    if not fixes or case.turn.match is None:
        return
    operational = all(OPERATIONAL.match(fix.strip()) for fix in fixes)
    yield Learned(
        turn=case.turn.number,
        failure_class=case.turn.match.failure_class,
        signature=case.turn.match.signature,
        fix=(" && " if all("\n" not in fix for fix in fixes) else "\n").join(fixes),
        scope="operational" if operational else "recipe",
    )


def _outcomes(case: Case, at: Turn, cleared: bool) -> Iterator[Applied]:
    """Outcomes of the known lessons among what was tried; only the last one can have helped."""
    known = case.turn.match.lessons if case.turn.match else ()
    tried = [*case.tried, *([at] if _prefix(_command(at), _command(case.turn)) else [])]
    used = [lesson for turn in tried if (lesson := _lesson(turn) or _shown(turn, known))]
    for lesson in dict.fromkeys(used):
        yield Applied(case.turn.number, lesson, cleared and lesson == used[-1])


def _same_step(failed: Turn, later: Turn) -> bool:
    """Whether a later turn runs the failed command again, alone, after a fix, or as the same script."""
    one, two = _action(failed), _action(later)
    if two.repairs:
        return False
    if one.step or two.step:
        return one.step == two.step
    first, second = _words(one.command), _words(two.command)
    if first == second or second.endswith(first):
        return True
    scripts = [match["script"] for match in map(SCRIPT.search, (one.command, two.command)) if match]
    return len(scripts) == 2 and scripts[0] == scripts[1] and "." in scripts[0]


def _prefix(command: str, step: str) -> str:
    """What a command does before it runs a step."""
    text, end = command.strip(), step.strip()
    if not text.endswith(end) or len(text) == len(end):
        return ""
    return text[: -len(end)].rstrip().removesuffix("&&").rstrip().rstrip(";").strip()


def _shown(turn: Turn, known: Sequence[Lesson]) -> str:
    """The id of a shown lesson whose fix a command contains."""
    command = _words(_command(turn))
    return next((lesson.id for lesson in known if _words(lesson.fix) in command), "")


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


def _words(text: str) -> str:
    """A command with its blanks made even."""
    return " ".join(text.split())
