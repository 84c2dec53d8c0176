"""The rules that decide a question's route, in their order. Adding one is adding a file.

A module offers ``ORDER`` and ``decide(read) -> Decision | None``; the first that decides wins, and its name
and what it saw are the
reason.
"""

from __future__ import annotations

import importlib
import pkgutil
from dataclasses import dataclass
from functools import cache
from typing import Protocol, cast

from labagent.ask.routing.reading import Read
from labagent.models.asking import RouteName


@dataclass(frozen=True)
class Decision:
    """A route and what the rule saw. ``open``: another reading is possible, which a model may tell."""

    route: RouteName
    saw: str
    open: bool = False
    asks: str = ""


class Rule(Protocol):
    """What a module of this package offers."""

    ORDER: int

    def decide(self, read: Read) -> Decision | None:
        """The route, where the rule applies."""


@cache
def all_rules() -> tuple[tuple[str, Rule], ...]:
    """All rules by name, in their order."""
    names = [m.name for m in pkgutil.iter_modules(__path__) if not m.name.startswith("_")]
    found = [(name, cast(Rule, importlib.import_module(f"{__name__}.{name}"))) for name in names]
    return tuple(sorted(found, key=lambda item: (item[1].ORDER, item[0])))


def decide(read: Read) -> tuple[str, Decision]:
    """The first rule that applies, and its decision; the last rule always does."""
    for name, rule in all_rules():
        if (decision := rule.decide(read)) is not None:
            return name, decision
    raise LookupError("no rule applies")
