"""The normal path from a question to an answer: routing, a plan, calls, sentences, their check.

One module a tool puts its results into words, found by its name (``sequence.stats`` → ``sequence_stats``): it
offers ``say(voice) -> Iterator[Statement]`` and may offer ``block(voice) -> str``, a text to be printed as it
is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from labagent.ask.composing._rendering import render
from labagent.ask.composing._speaking import Spoken, speak
from labagent.ask.composing._unanswered import unanswered
from labagent.ask.conditions import Asked, Composed
from labagent.ask.plans import choose
from labagent.ask.slots import slots_of
from labagent.ask.work import Work

if TYPE_CHECKING:
    from labagent.models.asking import Routing

__all__ = ["compose"]


def compose(asked: Asked, *, plans: bool = True, cite: bool = True) -> Composed:
    """Answer a question.

    Args:
        asked: the question and what may be used.
        plans: whether plans of several steps may be taken.
        cite: whether sentences have to cite, and are checked; those that no call supports are dropped then.

    Raises:
        InfrastructureError: the machinery failed.
    """
    from labagent.ask.routing import route

    routing = route(asked.question, asked.history, model=asked.model)
    asked.trace.event("routing", **routing.model_dump(mode="json"))
    slots = slots_of(asked.question, routing)
    stopped = routing.ambiguous or routing.route == "none"
    chosen = None if stopped else choose(slots, templates=plans)
    if chosen is None:
        asked.trace.event("plan", name="", steps=[])
        return unanswered(routing)
    name, plan = chosen
    steps = list(plan.steps(slots))
    asked.trace.event("plan", name=name, steps=[step.name for step in steps], most=asked.max_steps)
    work = Work(slots, asked.caller)
    work.run(steps, asked.max_steps)
    work.settle()
    return _answered(asked, routing, work, cite=cite)


def _answered(asked: Asked, routing: Routing, work: Work, *, cite: bool) -> Composed:
    """The results in words: a model's, where there is one and it says enough, else those of the templates."""
    from labagent.ask.checking import checked

    spoken = speak(work)
    dropped: tuple[str, ...] = ()
    if asked.model is not None and work.outcome == "answer":
        from labagent.ask.model_answering import say_with

        spoken, dropped = say_with(asked, work, spoken, cite=cite)
    elif cite:
        kept, dropped = checked(spoken.statements, asked.caller.calls, asked.trace)
        spoken = Spoken(kept, spoken.blocks)
    statements = spoken.statements
    if not cite:
        statements = tuple(s.model_copy(update={"cites": ()}) for s in statements)
    return Composed(
        outcome=work.outcome,
        routing=routing,
        text=render(statements, spoken.blocks, asked.caller.calls, work.steps, routing.language),
        steps=tuple(work.steps),
        statements=statements,
        dropped=dropped,
    )
