"""How a question is read: rules first, with the reason; a model only for what they leave open.

``route`` is the only way in. It is pure: the same question and earlier turns give the same result.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from labagent.ask.routing import rules
from labagent.ask.routing.aspects import KINDS
from labagent.ask.routing.context import MOST_TURNS
from labagent.ask.routing.doubts import doubts_of
from labagent.ask.routing.reading import IDENTIFIERS, Read, going_on, read
from labagent.ask.routing.steps import plan_of
from labagent.models.asking import Entity, RouteName, Routing

if TYPE_CHECKING:
    from labagent.llm.interface import Model

MORE_KINDS = {"protein_research": "spl", "mutation_assessment": "mpl", "literature_review": "l", "": ""}
"""Kinds of aspects that a plan's further steps have."""


def route(question: str, history: Sequence[str] = (), *, model: Model | None = None) -> Routing:
    """Read a question.

    Args:
        question: any text.
        history: the asker's earlier turns, oldest first; the newest 20 count.
        model: asked only where the rules leave the route open; its answer can only be a label and a choice
            of the entities found, and any failure leaves what the rules say.
    """
    turns: list[tuple[Entity, ...]] = []
    before: Read | None = None
    spoken = ""
    for turn in history[-MOST_TURNS:]:
        before = replace(read(turn, turns), spoken=spoken)
        spoken = before.language
        turns.append(before.all)
    found = replace(going_on(read(question, turns), before), spoken=spoken)
    name, decision = rules.decide(found)
    made = _routing(found, decision.route, f"{name.replace('_', ' ')}: {decision.saw}")
    if model is None or not decision.open or made.ambiguous:
        return made
    from labagent.ask.routing.open import choose

    chosen = choose(found, made, model)
    if chosen.route is None:
        return made.model_copy(update={"reason": f"{made.reason}; {chosen.reason}"})
    return _routing(chosen.read, chosen.route, f"{made.reason}; {chosen.reason}", decided_by="model")


def _routing(found: Read, route: RouteName, reason: str, decided_by: str = "rules") -> Routing:
    """The record of a route: entities in their places, aspects, plan, query, what has to be asked back."""
    asks = doubts_of(found, route)
    plan = _plan(found, route) if not asks else ""
    kinds = "".join(dict.fromkeys(KINDS[route] + MORE_KINDS[plan]))
    with_query = route == "literature" or plan in ("protein_research", "mutation_assessment")
    if found.words.cut:
        reason += "; only the first 4,000 characters of words were read"
    if with_query and found.query.untranslated:
        reason += f"; in no dictionary here: {', '.join(found.query.untranslated[:5])}"
    entities = [*found.all, *found.parameters] if route != "none" else list(found.all)
    return Routing(
        route=route,
        entities=tuple(_in_place(e, found) for e in entities),
        reason=reason,
        ambiguous=bool(asks),
        asks=asks,
        language=found.language,
        decided_by=decided_by,
        query=found.query.text if with_query else "",
        aspects=found.aspects(kinds) if kinds else (),
        plan=plan,
    )


def _plan(found: Read, route: RouteName) -> str:
    """The template of a question."""
    variants = [e.written for e in found.changes if e.written]
    return plan_of(route, found.text, bool(found.all), _only_identifier(found), variants)


def _in_place(entity: Entity, found: Read) -> Entity:
    """An entity with its place in the question, not in its words."""
    if entity.namespace == "sequence" or entity.start < 0:
        return entity
    return entity.model_copy(update={"start": found.words.place(entity.start)})


def _only_identifier(found: Read) -> bool:
    """Whether what papers are asked for is named by an accession, which no paper's words hold."""
    named = found.of(*IDENTIFIERS, "gene", "name", "sequence")
    return bool(named) and all(e.namespace in (*IDENTIFIERS, "sequence") for e in named)
