"""Exactly one skill, or none, and why; an unknown name is refused, never replaced by a guess."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from labagent.errors import SelectionError
from labagent.llm import Model
from labagent.models.config import Arm
from labagent.models.run import SelectionRecord
from labagent.models.tables import Target
from labagent.select.by_model import ask_model
from labagent.select.by_words import rank


@dataclass(frozen=True)
class Candidate:
    """A skill an arm may choose. ``status`` and ``reason`` are those of its verdict."""

    name: str
    description: str
    origin: str
    status: str = "valid"
    reason: str = ""
    sha256: str = ""


def select_skill(
    target: Target, arm: str, settings: Arm, candidates: Sequence[Candidate], task: str, model: Model | None
) -> SelectionRecord:
    """Choose a skill for a target.

    Args:
        target: its ``skill`` names one, or is empty: then one is chosen from the library.
        arm: the arm's name.
        settings: the arm's settings; its ``skills`` says which origins may be used.
        candidates: skills of the library with their verdicts; of several origins of one name the arm's
            rule takes one (``all``: curated before explored).
        task: the task text.
        model: asked for open targets, so its temperature should be 0; ``None`` ranks by words.

    Returns:
        Status ``selected``, ``none`` (the arm or the chooser wants no skill), or ``refused`` with the
        reason: the skill did not pass its validation, is not there, or the model named something else.

    Raises:
        InfrastructureError: the model service failed.
    """
    if settings.skills == "none":
        return _record(target, arm, "none", "the arm uses no skills")
    allowed = _by_name(candidates, settings)
    if target.skill:
        return _named(target, arm, settings, allowed)
    valid = {name: found for name, found in allowed.items() if found.status == "valid"}
    if not valid:
        return _record(target, arm, "none", "the library holds no valid skill for this arm")
    if model is None:
        name, reason = rank(task, {c.name: c.description for c in valid.values()})
        return _chosen(target, arm, valid, name, reason)
    try:
        answer = ask_model(model, task, {c.name: c.description for c in valid.values()})
    except SelectionError as error:
        return _record(target, arm, "refused", f"{model.name}: {error}", error.cost_usd)
    reason = f"{model.name} chose {answer.name or 'none'}"
    return _chosen(target, arm, valid, answer.name, reason, answer.cost_usd)


def _by_name(candidates: Sequence[Candidate], settings: Arm) -> dict[str, Candidate]:
    """One candidate a name, of the origins the arm allows."""
    chosen: dict[str, Candidate] = {}
    for candidate in sorted(candidates, key=lambda c: (c.name, c.origin != "curated", c.origin)):
        if settings.skills == "curated" and candidate.origin != "curated":
            continue
        if settings.explorer and candidate.origin != settings.explorer:
            continue
        chosen.setdefault(candidate.name, candidate)
    return chosen


def _named(target: Target, arm: str, settings: Arm, allowed: dict[str, Candidate]) -> SelectionRecord:
    """The skill a target names, if it may be used."""
    found = allowed.get(target.skill)
    if found is None:
        return _record(target, arm, "refused", f'no skill "{target.skill}" for arms with {settings.skills}')
    if found.status != "valid":
        reason = (
            f"the {found.origin} skill {found.name} is {found.status}: {found.reason or 'no reason given'}"
        )
        return _record(target, arm, "refused", reason)
    return _chosen(target, arm, allowed, found.name, "named by the target")


def _chosen(
    target: Target,
    arm: str,
    valid: dict[str, Candidate],
    name: str | None,
    reason: str,
    cost_usd: float | None = 0.0,
) -> SelectionRecord:
    """The record of a choice; ``name`` is ``None`` where no skill fits."""
    if name is None:
        return _record(target, arm, "none", reason, cost_usd)
    found = valid[name]
    return SelectionRecord(
        arm=arm,
        target=target.target,
        skill=name,
        origin=found.origin,
        status="selected",
        reason=reason,
        skill_sha256=found.sha256,
        cost_usd=cost_usd,
    )


def _record(
    target: Target, arm: str, status: str, reason: str, cost_usd: float | None = 0.0
) -> SelectionRecord:
    """A record without a skill."""
    return SelectionRecord(
        arm=arm,
        target=target.target,
        skill=None,
        origin=None,
        status="none" if status == "none" else "refused",
        reason=reason,
        cost_usd=cost_usd,
    )
