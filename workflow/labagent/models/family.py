"""A benchmark family: targets that share a scorer and its settings."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field, StringConstraints

from labagent.models.base import Record
from labagent.models.config import Name


class Family(Record):
    """``benchmarks/<name>/family.yaml``; ``name`` and ``folder`` come from where it stands.

    ``opt_in``: its targets run only where ``selection`` names the family or the target; for families whose
    data does not come with the project. ``obtain`` says how the data is had, for the message where it is
    missing. ``leaderboard_source``: where the values of ``leaderboards-wide.tsv`` were published.
    """

    name: Name
    folder: str
    scorer: Name
    title: Annotated[str, StringConstraints(min_length=1)]
    description: str = ""
    opt_in: bool = False
    obtain: str = ""
    leaderboard_source: str = ""
    settings: dict[str, Any] = Field(default_factory=dict)
