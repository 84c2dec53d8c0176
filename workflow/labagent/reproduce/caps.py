"""The caps of an attempt, checked before every action."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from labagent.models.config import Budget
from labagent.models.run import EndedBy
from labagent.reproduce.turns import WorstCase
from labagent.trace import Costs

FALLBACK_USD_PER_MILLION_TOKENS = 10.0


@dataclass(frozen=True)
class Cap:
    """A cap that binds: its name in ``run.json``, and the figures."""

    name: EndedBy
    reason: str


@dataclass
class Caps:
    """A budget against what was spent.

    Money and tokens are counted over all tries of an attempt (a killed try has really spent them); turns
    and wall time start anew with each try. Calls whose reply never arrived count with their worst case.
    """

    budget: Budget
    spent: Callable[[], Costs]
    started: float = field(default_factory=time.monotonic)

    @property
    def seconds_left(self) -> float:
        """Seconds until the wall cap."""
        return self.budget.wall_seconds - (time.monotonic() - self.started)

    def command_seconds(self) -> float:
        """Time limit of the next command: its own cap, never beyond the wall."""
        return max(min(self.budget.command_seconds, self.seconds_left), 0.1)

    def binding(self, turns: int, next_action: WorstCase) -> Cap | None:
        """The cap that forbids the next action, if any.

        Args:
            turns: turns taken in this try.
            next_action: the most it may cost; it is reserved before it is allowed.
        """
        if turns >= self.budget.turns:
            return Cap("turns", f"{turns} of {self.budget.turns} turns taken")
        if self.seconds_left <= 0:
            return Cap("wall_seconds", f"the wall time of {self.budget.wall_seconds:g} s is over")
        return self._money(next_action)

    def affords(self, next_action: WorstCase) -> bool:
        """Whether the caps on money and tokens allow one more call."""
        return self._money(next_action) is None

    def exceeded(self, turns: int) -> Cap | None:
        """The cap that an agent of its own, whose calls cannot be forbidden beforehand, has overstepped.

        Args:
            turns: commands and other tools it has called in this try.
        """
        if turns > self.budget.turns:
            return Cap("turns", f"more than {self.budget.turns} tools called")
        if self.seconds_left <= 0:
            return Cap("wall_seconds", f"the wall time of {self.budget.wall_seconds:g} s is over")
        spent = self.spent()
        usd = None if spent.usd is None else spent.usd + spent.possible_usd
        if usd is not None and usd > self.budget.usd:
            return Cap("usd", f"US$ {usd:.4f} spent of {self.budget.usd:g}")
        tokens, cap = spent.tokens + spent.possible_tokens, self._token_cap(spent, WorstCase())
        if cap is not None and tokens > cap:
            return Cap("tokens", f"{tokens} tokens spent of {cap}")
        return None

    def _money(self, next_action: WorstCase) -> Cap | None:
        """The cap on US$, or on tokens where a price is unknown."""
        spent = self.spent()
        tokens = spent.tokens + spent.possible_tokens
        cap = self._token_cap(spent, next_action)
        if next_action.tokens and cap is not None and tokens + next_action.tokens > cap:
            return Cap(
                "tokens", f"{tokens} tokens spent; the next call may take {next_action.tokens} of {cap}"
            )
        if spent.usd is None or next_action.usd is None or not next_action.usd:
            return None
        usd = spent.usd + spent.possible_usd
        if usd + next_action.usd > self.budget.usd:
            figures = f"US$ {usd:.4f} spent; the next call may cost {next_action.usd:.4f}"
            return Cap("usd", f"{figures} of {self.budget.usd:g}")
        return None

    def _token_cap(self, spent: Costs, next_action: WorstCase) -> int | None:
        """The set cap on tokens; else one derived from the US$ where a price is unknown."""
        if self.budget.tokens is not None:
            return self.budget.tokens
        if spent.usd is None or next_action.usd is None:
            return int(self.budget.usd / FALLBACK_USD_PER_MILLION_TOKENS * 1_000_000)
        return None
