"""A rubric: criteria with a wording and points for each level. Withheld from every run."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Annotated

from pydantic import Field, FiniteFloat, field_validator

from labagent.errors import InfrastructureError
from labagent.models.base import Record
from labagent.scoring.sheets import read_sheet

LEVELS = ("A", "B", "C")


class Level(Record):
    """A level of a criterion: its points (negative for a penalty) and its wording."""

    points: FiniteFloat
    text: str = ""


class Criterion(Record):
    """A criterion; level A is the fully correct one."""

    id: Annotated[str, Field(min_length=1, max_length=40)]
    title: str = ""
    levels: dict[str, Level]

    @field_validator("levels")
    @classmethod
    def _is_ordered(cls, levels: dict[str, Level]) -> dict[str, Level]:
        """A is there with a wording, and no lower level earns more."""
        if tuple(levels) != LEVELS[: len(levels)] or len(levels) < 2:
            raise ValueError(f"levels must be A, B and, where there is one, C, not {', '.join(levels)}")
        points = [level.points for level in levels.values()]
        if points != sorted(points, reverse=True):
            raise ValueError(f"a lower level earns more points: {points}")
        if not levels["A"].text.strip():
            raise ValueError("level A must have a wording")
        return levels

    @property
    def most(self) -> float:
        """Points of level A."""
        return self.levels["A"].points

    @property
    def is_penalty(self) -> bool:
        """Whether it only takes points: what is asked for is the absence of a fault."""
        return self.most <= 0

    def lower(self, level: str) -> Level:
        """The level, or the last one there is."""
        return self.levels.get(level) or self.levels[list(self.levels)[-1]]


class Rubric(Record):
    """``rubrics/<target>.yaml``: the kind of task and its criteria."""

    type: str = ""
    criteria: Annotated[tuple[Criterion, ...], Field(min_length=1)]

    @property
    def most(self) -> float:
        """Points of an answer that meets all criteria."""
        return math.fsum(c.most for c in self.criteria if not c.is_penalty)


def read_rubric(path: Path) -> Rubric:
    """A rubric.

    Raises:
        InfrastructureError: the file cannot be used; the text names the fault, not the wording.
    """
    rubric = read_sheet(path, Rubric, "rubric")
    names = [c.id for c in rubric.criteria]
    if len(set(names)) < len(names):
        raise InfrastructureError(f"{path}: a criterion's id stands twice")
    if rubric.most <= 0:
        raise InfrastructureError(f"{path}: no criterion earns points")
    return rubric
