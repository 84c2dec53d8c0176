"""What a scorer is given, what it gives back, and how it says that an answer cannot be scored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Protocol

from labagent.errors import LabagentError
from labagent.models.family import Family
from labagent.models.score import CriterionScore, PartScore
from labagent.models.tables import Quantity, Reference, Target


class Unscorable(LabagentError):
    """An answer cannot be scored; the reason names file, line or id.

    ``criteria`` are those that failed by it.
    """

    def __init__(self, reason: str, criteria: Sequence[CriterionScore] = ()) -> None:
        super().__init__(reason)
        self.criteria = tuple(criteria)


@dataclass(frozen=True)
class Attempt:
    """The output of one try and what it is measured against.

    ``output`` was written by an agent: open its files only through ``labagent.models.answers``. ``labels``
    is what is withheld from it beside the references (``labels/<target>.csv`` or ``rubrics/<target>.yaml``),
    where the target has one.
    """

    output: Path
    target: Target
    references: Mapping[str, Reference]
    labels: Path | None
    family: Family


@dataclass(frozen=True)
class Measurement:
    """The value of one quantity.

    ``dispersion``: SD over splits, ``None`` for a single value. ``splits``: value by split, empty where the
    answer has no splits. ``criteria``: what the points of a rubric are made of. ``group``: the kind of task.
    ``parts``: the metric by parts of the data.
    """

    value: float
    basis: Literal["computed", "self-reported"]
    dispersion: float | None = None
    splits: Mapping[str, float] = field(default_factory=dict)
    criteria: Sequence[CriterionScore] = ()
    group: str = ""
    parts: Sequence[PartScore] = ()


class Scorer(Protocol):
    """A module of ``labagent/scoring/scorers/``; its name is what ``family.yaml`` calls it by.

    It may also offer ``departures(attempt) -> list[Departure]``: what the answer itself shows.
    """

    def check(
        self, family: Family, target: Target, references: Mapping[str, Reference], labels: Path | None
    ) -> list[str]:
        """Faults in the settings, references, contract or labels of a target, found before anything runs."""

    def measure(self, attempt: Attempt, quantity: Quantity) -> Measurement:
        """The value of one quantity.

        Raises:
            Unscorable, AnswerError: the answer is missing or wrong; the text says why.
        """
