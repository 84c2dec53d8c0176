"""A benchmark family: targets that share a scorer and its settings."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field, StringConstraints, field_validator, model_validator

from labagent.models.base import Record
from labagent.models.config import Name

Text = Annotated[str, StringConstraints(min_length=1)]


class SourceTable(Record):
    """One table of a family's source, for each board.

    ``member``: its place in the archive or folder, with ``{board}``. ``name``: what it is called below
    ``data/<board>/``. ``show``: the columns that a run may see, all where empty; ``label``: the one that
    scores are computed from, which must not be shown. ``id``: the column that names a row; empty where rows
    are numbered (a column ``id`` is added).
    """

    member: Text
    name: Name
    show: tuple[str, ...] = ()
    label: str = ""
    id: str = ""

    @field_validator("member")
    @classmethod
    def _stays_inside(cls, member: str) -> str:
        if member.startswith("/") or ".." in member.split("/") or "{board}" not in member:
            raise ValueError("must be a place inside the archive that holds {board}")
        return member

    @model_validator(mode="after")
    def _labels_are_not_shown(self) -> SourceTable:
        if self.label and (not self.show or self.label in self.show):
            raise ValueError("show must list the columns a run may see, without the label")
        return self


class DataSource(Record):
    """Where a family's data is had by who has access to it; nothing is fetched unasked.

    ``sha256`` is of the archive at ``url``; where it is empty, the one who fetches has to give it.
    """

    url: Text
    sha256: Annotated[str, StringConstraints(pattern=r"^([0-9a-f]{64})?$")] = ""
    licence: Text
    tables: Annotated[tuple[SourceTable, ...], Field(min_length=1)]


class Family(Record):
    """``benchmarks/<name>/family.yaml``; ``name`` and ``folder`` come from where it stands.

    ``opt_in``: its targets run only where ``selection`` names the family or the target; for families whose
    data does not come with the project. ``obtain`` says how the data is had, for the message where it is
    missing; ``data`` is what ``labagent benchmarks fetch`` gets it from. ``leaderboard_source``: where the
    values of ``leaderboards-wide.tsv`` were published.
    """

    name: Name
    folder: str
    scorer: Name
    title: Text
    description: str = ""
    opt_in: bool = False
    obtain: str = ""
    data: DataSource | None = None
    leaderboard_source: str = ""
    settings: dict[str, Any] = Field(default_factory=dict)
