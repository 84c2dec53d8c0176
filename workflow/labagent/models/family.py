"""A benchmark family: targets that share a scorer and its settings."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field, StringConstraints, field_validator

from labagent.models.base import Record
from labagent.models.config import Name

Text = Annotated[str, StringConstraints(min_length=1)]


class SourceTable(Record):
    """One table of a family's source, for each board.

    ``member``: its place in the archive or folder, with ``{board}``. ``name``: what it is called below
    ``data/<board>/``. ``withhold``: columns that no run may see; ``label`` is the one of them that scores are
    computed from. ``id``: the column that names a row; empty where rows are numbered (a column ``id`` is
    added).
    """

    member: Text
    name: Name
    withhold: tuple[str, ...] = ()
    label: str = ""
    id: str = ""

    @field_validator("member")
    @classmethod
    def _stays_inside(cls, member: str) -> str:
        if member.startswith("/") or ".." in member.split("/") or "{board}" not in member:
            raise ValueError("must be a place inside the archive that holds {board}")
        return member


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
