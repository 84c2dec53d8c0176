"""Ways to answer a question, one module each, found by name. Adding one is adding a file.

A module offers ``ORDER``, ``fits(slots) -> bool`` and ``steps(slots) -> list[Step]``. ``TEMPLATE`` is the
name of a plan that :class:`labagent.models.asking.Routing` asks for, or empty for a way to answer a question
of one route in a single step; of those that fit, the one of the lowest order is taken.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Sequence
from functools import cache
from typing import Protocol, cast

from labagent.ask.slots import Slots
from labagent.ask.work import Step


class Plan(Protocol):
    """What a module of this package offers."""

    TEMPLATE: str
    ORDER: int

    def fits(self, slots: Slots) -> bool:
        """Whether the slots it needs are filled."""

    def steps(self, slots: Slots) -> Sequence[Step]:
        """Its steps, made anew for each question."""


@cache
def all_plans() -> dict[str, Plan]:
    """All plans by the name of their module, in their order."""
    names = [m.name for m in pkgutil.iter_modules(__path__) if not m.name.startswith("_")]
    found = {name: cast(Plan, importlib.import_module(f"{__name__}.{name}")) for name in names}
    return dict(sorted(found.items(), key=lambda item: (item[1].ORDER, item[0])))


def choose(slots: Slots, *, templates: bool = True) -> tuple[str, Plan] | None:
    """The plan for a question and its name; ``None`` where nothing fits.

    Args:
        slots: what the question speaks of.
        templates: whether a plan of several steps may be taken.
    """
    wanted = slots.routing.plan if templates else ""
    fitting = [(name, plan) for name, plan in all_plans().items() if plan.fits(slots)]
    asked_for = [(name, plan) for name, plan in fitting if wanted and wanted == plan.TEMPLATE]
    single = [(name, plan) for name, plan in fitting if not plan.TEMPLATE]
    return next(iter([*asked_for, *single]), None)
