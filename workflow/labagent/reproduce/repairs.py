"""Generic repairs of a failure class: a table of conditions and command templates, not code.

A row with ``look`` is a search: what the look prints gives several candidates, most of which may not help.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from string import Formatter

from labagent.models.memory import Match
from labagent.reproduce.release_lines import older_bounds

BELOW = "below"
"""The place of a candidate in the template of a search."""


@dataclass(frozen=True)
class Repair:
    """One row of ``repairs.yaml``."""

    failure_class: str
    template: str
    pattern: re.Pattern[str]
    where: dict[str, re.Pattern[str]] = field(default_factory=dict)
    look: str = ""

    @property
    def names(self) -> set[str]:
        """The groups that the templates need."""
        parts = Formatter().parse(self.template + self.look)
        return {name for _, name, _, _ in parts if name} - {BELOW}

    def groups(self, match: Match, text: str) -> dict[str, str] | None:
        """What goes into the templates, quoted; ``None`` where the row does not apply."""
        found = self.pattern.search(text)
        if match.failure_class != self.failure_class or not found:
            return None
        groups = match.groups | {name: value for name, value in found.groupdict().items() if value}
        fits = all(name in groups and limit.fullmatch(groups[name]) for name, limit in self.where.items())
        if not fits or not self.names <= groups.keys():
            return None
        return {name: shlex.quote(groups[name]) for name in self.names}


@dataclass(frozen=True)
class Move:
    """A command that may repair a failure, or (``looks``) that says which ones there are."""

    command: str
    looks: bool = False


def repairs_for(
    match: Match, text: str, *, seen: Mapping[str, str] | None = None, lab: str = ""
) -> Iterator[Move]:
    """Commands that may repair a failure: in the order of the table, searches last.

    Args:
        match: what the memory says of a failure.
        text: the failing output.
        seen: what looks of this run printed, by command. A search whose look is not among them gives the
            look; afterwards its candidates.
        lab: name of the skill. Its own package is what is reproduced: no other release of it is looked for.
    """
    own = _is_own(match.groups.get("distribution", ""), lab)
    rows = (repair for repair in _table() if not (repair.look and own))
    yield from dict.fromkeys(move for repair in rows for move in _moves(repair, match, text, seen or {}))


def _moves(repair: Repair, match: Match, text: str, seen: Mapping[str, str]) -> Iterator[Move]:
    """What one row offers for a failure."""
    groups = repair.groups(match, text)
    if groups is None:
        return
    look = repair.look.format(**groups)
    if not look:
        yield Move(repair.template.format(**groups))
    elif look not in seen:
        yield Move(look, looks=True)
    else:
        for bound in older_bounds(seen[look]):
            yield Move(repair.template.format(**groups, **{BELOW: bound}))


def _is_own(distribution: str, lab: str) -> bool:
    """Whether a distribution is the lab's: skills are named by it, some with more behind."""
    name = re.sub(r"[-_.]+", "-", distribution).lower()
    return bool(name) and (lab == name or lab.startswith(f"{name}-"))


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
            look=row.get("look", ""),
        )
        for row in sorted(rows, key=lambda row: "look" in row)
    )
