"""Generic repairs of a failure class: a table of conditions and command templates, not code."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from string import Formatter

from labagent.models.memory import Match


@dataclass(frozen=True)
class Repair:
    """One row of ``repairs.yaml``."""

    failure_class: str
    template: str
    pattern: re.Pattern[str]
    where: dict[str, re.Pattern[str]] = field(default_factory=dict)

    @property
    def names(self) -> set[str]:
        """The groups that the template needs."""
        return {name for _, name, _, _ in Formatter().parse(self.template) if name}

    def command(self, match: Match, text: str) -> str | None:
        """The command for a failure; ``None`` where the row does not apply."""
        found = self.pattern.search(text)
        if match.failure_class != self.failure_class or not found:
            return None
        groups = match.groups | {name: value for name, value in found.groupdict().items() if value}
        fits = all(name in groups and limit.fullmatch(groups[name]) for name, limit in self.where.items())
        if not fits or not self.names <= groups.keys():
            return None
        return self.template.format(**{name: shlex.quote(groups[name]) for name in self.names})


def repairs_for(match: Match, text: str) -> Iterator[str]:
    """Commands that may repair a failure, in the order of the table.

    Args:
        match: what the memory says of the failure.
        text: the failing output.
    """
    commands = (repair.command(match, text) for repair in _table())
    yield from dict.fromkeys(command for command in commands if command is not None)


@cache
def _table() -> tuple[Repair, ...]:
    """The rows of the table."""
    import yaml

    rows = yaml.safe_load(resources.files("labagent.reproduce").joinpath("repairs.yaml").read_text("utf-8"))
    return tuple(
        Repair(
            failure_class=row["class"],
            template=row["fix"],
            pattern=re.compile(row.get("pattern", "")),
            where={name: re.compile(limit) for name, limit in row.get("where", {}).items()},
        )
        for row in rows
    )
