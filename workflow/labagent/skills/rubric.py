"""The acceptance rubric as a table: what each rule asks, and why. The rules are checks of tier 1."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

from labagent.skills.checks import all_checks

PREFIX = "rubric-"


@dataclass(frozen=True)
class Rule:
    """A rule: its id, what it asks, the reason, and whether breaking it only warns."""

    id: str
    asks: str
    reason: str
    advice: bool


def rubric() -> tuple[Rule, ...]:
    """All rules, in the order in which they are looked at."""
    modules = [cast(Any, module) for module in all_checks() if module.ID.startswith(PREFIX)]
    return tuple(Rule(m.ID, str(m.__doc__).split("\n", 1)[0], m.REASON, m.ADVICE) for m in modules)
