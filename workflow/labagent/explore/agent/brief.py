"""Step 1: the research brief, and the manifest of what the method can do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from labagent.explore.agent.asking import Asker
from labagent.explore.agent.material import Material
from labagent.explore.writing import render
from labagent.llm import Message
from labagent.models.exploration import Brief, Capability, Dropped
from labagent.models.snapshot import Snapshot
from labagent.snapshot.query import may_exist

STEP = "brief"


@dataclass(frozen=True)
class Subject:
    """What is explored: a lab's method, or, where ``open``, the tasks alone.

    ``known`` is what is told of the sources at the start; ``tasks`` are the texts of targets by name.
    """

    skill: str
    snapshot: Snapshot
    known: str
    tasks: dict[str, str] = field(default_factory=dict)
    open: bool = False


def ask_brief(
    asker: Asker, subject: Subject, material: Material, perspectives: Sequence[str]
) -> tuple[Brief, list[Dropped]]:
    """The brief, less the identifiers that the lab does not have; those are returned, too.

    Raises:
        StepFailed: no usable reply, also when asked again.
        CapReached: the allowance is used up.
    """
    values = {"subject": subject, "material": material, "perspectives": list(perspectives)}
    messages: list[Message] = [
        {"role": "system", "content": render("agent.j2", {"mark": material.mark}, "prompts")},
        {"role": "user", "content": render("brief.j2", values, "prompts")},
    ]
    brief = asker.ask_record(messages, Brief, STEP, lambda b: _fault(b, subject, perspectives))
    kept, dropped = list[Capability](), list[Dropped]()
    for capability in brief.capabilities:
        there, gone = _split(capability, subject.snapshot)
        kept.append(capability.model_copy(update={"identifiers": there}))
        dropped += [
            Dropped(step=STEP, text=name, why=f"capability {capability.id}: not in the lab's API")
            for name in gone
        ]
    return brief.model_copy(update={"capabilities": tuple(kept)}), dropped


def brief_text(brief: Brief) -> str:
    """A brief as lines, for other steps to read; to be quoted, since it may repeat what others wrote."""
    return render("brief_text.j2", {"brief": brief}, "prompts")


def _fault(brief: Brief, subject: Subject, perspectives: Sequence[str]) -> str:
    """What a brief says of things that are not there."""
    for kind, items in (("criteria", brief.criteria), ("capabilities", brief.capabilities)):
        ids = [item.id for item in items]
        if len(set(ids)) != len(ids):
            return f"{kind}: an id stands twice"
    known = {capability.id for capability in brief.capabilities}
    for target, needed in brief.targets.items():
        if target not in subject.tasks:
            return f'targets: "{target}" is no target; allowed: {", ".join(subject.tasks) or "none"}'
        if missing := [name for name in needed if name not in known]:
            return f'targets: {target} needs "{missing[0]}", which is no capability; allowed: {sorted(known)}'
    if unnamed := [name for name in subject.tasks if name not in brief.targets]:
        return f'targets: "{unnamed[0]}" is missing; say which capabilities it needs'
    if strange := [name for name in brief.questions if name not in perspectives]:
        return f'questions: "{strange[0]}" is no perspective; allowed: {", ".join(perspectives)}'
    if fault := _open_fault(brief, subject):
        return fault
    if subject.open and (left := [name for name in perspectives if name not in brief.questions]):
        return f'questions: the perspective "{left[0]}" has none'
    return ""


def _open_fault(brief: Brief, subject: Subject) -> str:
    """What is wrong with the division of open tasks into analyses: each task in one of them."""
    if not subject.open:
        return "analyses, shared: only open tasks have them" if brief.analyses or brief.shared else ""
    asked = sorted(target for analysis in brief.analyses for target in analysis.targets)
    if asked != sorted(subject.tasks):
        return f"analyses: each task must be in exactly one; the tasks are {', '.join(sorted(subject.tasks))}"
    names = [analysis.name for analysis in brief.analyses]
    return "analyses: a name stands twice" if len(set(names)) != len(names) else ""


def _split(capability: Capability, snapshot: Snapshot) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The identifiers of a capability that the lab has, and the others."""
    names = set(snapshot.modules) | set(snapshot.objects) | set(snapshot.constants)
    scripts = {entry.name for entry in snapshot.entry_points}
    there = tuple(
        name for name in capability.identifiers if name in names | scripts or may_exist(snapshot, name)
    )
    return there, tuple(name for name in capability.identifiers if name not in there)
