"""Ways of answering a question, one module each, found by name. Adding one is adding a file.

A module offers ``NEEDS_MODEL``, whether it makes sense without one, and ``answer(asked) -> Composed``. It
makes no files: whoever asked has opened the trace, and makes the record from what comes back.
"""

from __future__ import annotations

import importlib
import pkgutil
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, cast

from labagent.errors import InputError, InputFault
from labagent.models.asking import AnswerOutcome, PlanStep, Routing, Statement

if TYPE_CHECKING:
    from labagent.llm import Model, Trace
    from labagent.tools.calling import Caller


@dataclass(frozen=True)
class Asked:
    """A question with all that answering it may use.

    ``history`` are the user's earlier turns, oldest first; ``caller`` was made for this question alone;
    ``trace`` receives what is asked of the model and what it replies; ``max_steps`` bounds a plan;
    ``fallback``: where the model's service fails, the templates answer.
    """

    question: str
    history: tuple[str, ...]
    caller: Caller
    model: Model | None
    trace: Trace
    max_steps: int = 5
    fallback: bool = False


@dataclass(frozen=True)
class Composed:
    """What came of it; the calls are the caller's."""

    outcome: AnswerOutcome
    routing: Routing
    text: str
    steps: tuple[PlanStep, ...] = ()
    statements: tuple[Statement, ...] = ()
    dropped: tuple[str, ...] = ()


class Condition(Protocol):
    """What a module of this package offers."""

    NEEDS_MODEL: bool

    def answer(self, asked: Asked) -> Composed:
        """Answer; a question that cannot be answered has an outcome that says so."""


def condition_names() -> list[str]:
    """Names of all conditions."""
    return sorted(m.name for m in pkgutil.iter_modules(__path__) if not m.name.startswith("_"))


def load_condition(name: str, *, model: bool) -> Condition:
    """The condition called ``name``.

    Args:
        name: a module of this package.
        model: whether there is a model to answer with.

    Raises:
        InputError: there is no such condition, or it needs a model and there is none.
    """
    names = condition_names()
    if name not in names:
        message = f'there is no condition "{name}"; allowed: {", ".join(names)}'
        raise InputError([InputFault("condition", message)])
    condition = cast(Condition, importlib.import_module(f"{__name__}.{name}"))
    if condition.NEEDS_MODEL and not model:
        message = f'"{name}" is a way of answering with a model and there is none; name one under models'
        raise InputError([InputFault("condition", message)])
    return condition
