"""Steps of a skill that failed in a run by its own instruction, and what cleared them, by the trace."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from labagent.memory import classify
from labagent.models.skill import Block, Skill
from labagent.skills.blocks import command_for

HEREDOC = re.compile(
    r"<<-?\s*['\"]?(?P<mark>[\w-]+)['\"]?[^\n]*\n(?P<code>.*?)^(?P=mark)[ \t]*$", re.S | re.M
)
ALIKE = 0.6  # of the words of a block: below it, a command is another step


@dataclass(frozen=True)
class Step:
    """A runnable block of a skill as a run knows it."""

    name: str
    path: str
    block: Block
    command: str


@dataclass(frozen=True)
class Turn:
    """A command of a trace and what came of it."""

    number: int
    command: str
    step: str
    status: int
    output: str


@dataclass(frozen=True)
class Cleared:
    """A failing step: the failure's class, commands that helped, the block as it then ran where it changed.

    ``cleared`` is false where nothing helped.
    """

    step: Step
    turn: int
    failure_class: str
    key_line: str
    fixes: tuple[str, ...] = ()
    code: str = ""
    cleared: bool = False


@dataclass
class Case:
    """A failure under way."""

    step: Step
    turn: Turn
    signature: str
    tried: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)


def steps_of(skill: Skill) -> tuple[Step, ...]:
    """The blocks of a skill in order, named as the offline agent names them."""
    blocks = [(locus, block) for locus in skill.loci for block in locus.blocks]
    return tuple(
        Step(f"{n:02d}-{locus.name}", locus.path, block, command_for(block, n, locus.name))
        for n, (locus, block) in enumerate(blocks, 1)
    )


def turns_of(events: Sequence[dict[str, Any]]) -> Iterator[Turn]:
    """The commands of a trace with their results; one without a result (the run was killed) is left out."""
    results = {event["turn"]: event for event in events if event["event"] == "observation"}
    for event in events:
        if event["event"] == "command" and (result := results.get(event["turn"])) is not None:
            yield Turn(
                number=event["turn"],
                command=event["command"],
                step=event.get("step") or "",
                status=int(result["status"]),
                output=str(result.get("text", "")),
            )


def failed_steps(skill: Skill, events: Sequence[dict[str, Any]]) -> list[Cleared]:
    """Failing steps of a skill, in the order of their first failure.

    A command counts as a step where it carries out a block as it stands; an agent that wrote its own code has
    not followed the skill, and its failures say nothing of it.
    """
    steps = steps_of(skill)
    cases: dict[str, Case] = {}
    done: list[Cleared] = []
    for turn in turns_of(events):
        step = _step(turn, steps)
        case = cases.get(step.name) if step else _revised(turn, cases)
        if case is not None and turn.status == 0:
            done.append(_cleared(case, turn, verbatim=step is not None))
            del cases[case.step.name]
        elif case is not None and step is not None:
            _again(case, turn)
        elif step is not None and turn.status != 0:
            cases[step.name] = Case(step, turn, _signature(turn))
        elif step is None and turn.status == 0:
            for other in cases.values():
                other.tried.append(turn.command)
    open_cases = [Cleared(c.step, c.turn.number, *_class(c.turn)) for c in cases.values()]
    return sorted([*done, *open_cases], key=lambda item: item.turn)


def _step(turn: Turn, steps: Sequence[Step]) -> Step | None:
    """The step a command carries out: named by the agent, or its block's code as it stands."""
    named = next((step for step in steps if step.name == turn.step), None)
    if named is not None:
        return named
    words = " ".join(turn.command.split())
    return next(
        (s for s in steps if len(s.block.code) > 20 and " ".join(s.block.code.split()) in words), None
    )


def _revised(turn: Turn, cases: dict[str, Case]) -> Case | None:
    """The failing step of which a successful command is a changed form, the likest first."""
    if turn.status != 0:
        return None
    code = code_in(turn.command)
    alike = [(_likeness(code, case.step.block.code), case) for case in cases.values()]
    best = max(alike, key=lambda item: item[0], default=(0.0, None))
    return best[1] if best[0] >= ALIKE else None


def code_in(command: str) -> str:
    """The code a command brings in a heredoc; the command itself where it has none."""
    match = HEREDOC.search(command)
    return match["code"] if match else command


def _likeness(first: str, second: str) -> float:
    """How much of two codes' words are the same, in order."""
    return difflib.SequenceMatcher(None, first.split(), second.split(), autojunk=False).ratio()


def _again(case: Case, turn: Turn) -> None:
    """The step failed once more: what was tried helped only where it now fails in another way."""
    if _signature(turn) != case.signature:
        case.kept += case.tried
        case.signature = _signature(turn)
    case.tried = []


def _cleared(case: Case, turn: Turn, *, verbatim: bool) -> Cleared:
    """A step that ran at last."""
    before = turn.command.partition(case.step.block.code.strip())[0] if verbatim else ""
    prefix = _prefix(before)
    code = "" if verbatim else code_in(turn.command)
    return Cleared(
        case.step,
        case.turn.number,
        *_class(case.turn),
        fixes=(*case.kept, *case.tried, *((prefix,) if prefix else ())),
        code=code,
        cleared=True,
    )


def _prefix(before: str) -> str:
    """What a command does before it comes to the block, less the writing of the block's file."""
    text = re.sub(r"cat > \S+ <<[^\n]*\n?$", "", before).strip()
    text = re.sub(r"(?:python3?|Rscript|bash|sh)\s+-?\s*<<[^\n]*\n?$", "", text).strip()
    return text.removesuffix("&&").rstrip().rstrip(";").strip()


def _class(turn: Turn) -> tuple[str, str]:
    """Failure class and key line of a failing turn."""
    match = classify(turn.output, command=turn.command, status=turn.status)
    return match.failure_class, match.key_line


def _signature(turn: Turn) -> str:
    """What tells one failure from another."""
    return classify(turn.output, command=turn.command, status=turn.status).signature
