"""The table of places that no run has a use for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from importlib import resources
from typing import Literal

import yaml
from pydantic import ConfigDict, Field

from labagent.audit.facts import Facts
from labagent.audit.places import foreign
from labagent.audit.story import Sign, Story, excerpt
from labagent.models.base import Record


class Row(Record):
    """One row of ``places.yaml``."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)

    kind: str
    where: Literal["foreign", "command"] = Field(alias="in")
    pattern: str
    taints: bool = True

    @property
    def expression(self) -> re.Pattern[str]:
        """The pattern, compiled (and kept by ``re``)."""
        return re.compile(self.pattern, re.MULTILINE)


@lru_cache(maxsize=1)
def all_rows() -> tuple[Row, ...]:
    """All rows, checked."""
    text = resources.files("labagent.audit").joinpath("places.yaml").read_text("utf-8")
    return tuple(Row.model_validate(row) for row in yaml.safe_load(text))


def signs(kind: str, story: Story, facts: Facts) -> Iterator[Sign]:
    """Rows of one kind that a try's commands, or the code it left, hold."""
    rows = [row for row in all_rows() if row.kind == kind]
    for turn, place, text in every_text(story):
        bare = foreign(text, story, facts)
        for row in rows:
            match = row.expression.search(bare if row.where == "foreign" else text)
            if match:
                yield Sign(turn, place, excerpt(text, *match.span()), row.taints)


def every_text(story: Story) -> Iterator[tuple[int, str, str]]:
    """All that an agent wrote: commands with what their encoded words say, and code files."""
    for step in story.steps:
        yield step.turn, "command", step.text
    for name, turn, text in story.code:
        yield turn, name, text
