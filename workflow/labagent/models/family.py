"""A benchmark family: targets that share a scorer and its settings."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field, StringConstraints

from labagent.models.base import Record
from labagent.models.config import Name


class Family(Record):
    """``benchmarks/<name>/family.yaml``; ``name`` and ``folder`` come from where it stands."""

    name: Name
    folder: str
    scorer: Name
    title: Annotated[str, StringConstraints(min_length=1)]
    description: str = ""
    settings: dict[str, Any] = Field(default_factory=dict)
