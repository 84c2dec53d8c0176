"""Step 6: the draft against the acceptance rubric; what is found goes into the rewrite."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from pydantic import Field, StringConstraints

from labagent.explore.agent.asking import Asker
from labagent.explore.agent.material import Material
from labagent.explore.writing import render
from labagent.llm import Message
from labagent.models.base import Record
from labagent.models.skill import Check, Verdict
from labagent.skills.rubric import rubric

SHOWN = 40


class Fault(Record):
    """Something a reviewer would send back: the file, the rule of the rubric, what is wrong."""

    file: Annotated[str, StringConstraints(max_length=200)] = ""
    rule: Annotated[str, StringConstraints(min_length=1, max_length=200)]
    what: Annotated[str, StringConstraints(min_length=1, max_length=1000)]


class CritiqueReply(Record):
    """All faults; none where the draft may stand as it is."""

    faults: Annotated[tuple[Fault, ...], Field(max_length=40)] = ()


def criticise(
    asker: Asker, messages: list[Message], verdict: Verdict | None, material: Material
) -> tuple[str, ...]:
    """What the model finds wrong with its draft, told what the program's checks found.

    Args:
        asker: the main line of work.
        messages: the conversation up to the draft.
        verdict: of the draft's file and API checks; ``None`` where it has none.
        material: marks of quoted text.

    Raises:
        StepFailed: no usable reply.
        CapReached: the allowance is used up.
    """
    found = [said(check) for check in findings(verdict)][:SHOWN] if verdict else []
    values = {"quoted": material.quoted("\n".join(found) or "(nothing)"), "rubric": rubric()}
    question: Message = {"role": "user", "content": render("critique.j2", values, "prompts")}
    reply = asker.ask_record([*messages, question], CritiqueReply, "critique")
    return tuple(f"{f.file or 'the skill'}: {f.what} (rubric: {f.rule})" for f in reply.faults)


def findings(verdict: Verdict) -> list[Check]:
    """Failed checks and warnings, in the order of the tiers."""
    every: Sequence[Check] = [check for tier in verdict.tiers for check in tier.checks]
    return [check for check in every if check.status in {"failed", "warning"}]


def said(check: Check) -> str:
    """A check as a reason for the model."""
    place = f"{check.file}{f', line {check.line}' if check.line else ''}: " if check.file else ""
    return f"{place}{check.message}"
