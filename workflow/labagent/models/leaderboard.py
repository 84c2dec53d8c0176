"""Published leaderboards: what others reported on a board (a data set or assay), row by row."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, FiniteFloat, StringConstraints, model_validator

from labagent.models.base import Record
from labagent.models.config import Name


class Board(Record):
    """One row of ``boards.tsv``: a data set with the one metric it is judged by.

    ``size`` counts molecules, variants, …; ``remark`` is for the reader.
    """

    board: Name
    metric: Annotated[str, StringConstraints(min_length=1)]
    direction: Literal["higher", "lower"]
    unit: str = ""
    category: str = ""
    size: Annotated[int, Field(ge=1)] | None = None
    remark: str = ""


class PublishedRow(Record):
    """One row of ``leaderboards.tsv``: a value somebody published for a method on a board.

    (board, method) is no key: the same name can come from two submitters, told apart by ``repository``, and
    stand in several snapshots of different dates. ``ranked`` rows form the pool a value of ours is ranked
    in: one snapshot a board. ``disputed`` says what is known against the value; such a row is never ranked.
    """

    board: Name
    method: Annotated[str, StringConstraints(min_length=1)]
    value: FiniteFloat
    sd: Annotated[FiniteFloat, Field(ge=0)] | None = None
    published_rank: Annotated[int, Field(ge=1)] | None = None
    repository: str = ""
    snapshot: str = ""
    date: str = ""
    ranked: bool = True
    source: str = ""
    disputed: str = ""
    decimals: Annotated[int, Field(ge=0)] = 3

    @model_validator(mode="before")
    @classmethod
    def _count_decimals(cls, row: object) -> object:
        """Remember how many decimals were published."""
        if isinstance(row, dict) and isinstance(row.get("value"), str) and "decimals" not in row:
            return {**row, "decimals": len(row["value"].partition(".")[2])}
        return row

    @model_validator(mode="after")
    def _disputed_is_not_ranked(self) -> PublishedRow:
        if self.ranked and self.disputed:
            raise ValueError("ranked must be no where disputed says what is wrong with the value")
        return self
