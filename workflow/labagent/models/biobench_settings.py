"""``biobench`` of the config: which task sets are answered how, and what that may cost."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, FiniteFloat, StringConstraints, field_validator

from labagent.models.asking import StoreMode
from labagent.models.base import Record
from labagent.models.biobench import Category, Split

Folder = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$", max_length=64)]
Backend = Annotated[str, StringConstraints(pattern=r"^[a-z]+(:.+)?$")]


class BiobenchSet(Record):
    """A task set. ``backends`` are asked in order for proteins and papers; ``store`` is a folder of recorded
    calls and ``mode`` what is done with it (empty: calls are neither kept nor read).
    """

    tasks: str = "benchmarks/biobench/tasks.jsonl"
    backends: Annotated[tuple[Backend, ...], Field(min_length=1)] = ("facts",)
    store: str = ""
    mode: StoreMode = "auto"


class BiobenchSettings(Record):
    """Every condition × model × seed of every set is one run; a condition that needs a model has none
    ``offline``, and without a model there is one seed.

    ``run``: whether the workflow makes them. ``splits`` and ``categories``: which tasks; empty means all.
    ``usd``, ``tokens`` and ``wall_seconds`` are caps of one run, as in a budget.
    """

    run: bool = False
    sets: Annotated[dict[Folder, BiobenchSet], Field(min_length=1)] = {"own": BiobenchSet()}
    conditions: Annotated[tuple[Folder, ...], Field(min_length=1)] = ("full",)
    models: Annotated[tuple[Folder, ...], Field(min_length=1)] = ("offline",)
    seeds: Annotated[tuple[Annotated[int, Field(ge=0, lt=2**31)], ...], Field(min_length=1)] = (1,)
    splits: tuple[Split, ...] = ()
    categories: tuple[Category, ...] = ()
    usd: Annotated[FiniteFloat, Field(ge=0)] = 5.0
    tokens: Annotated[int, Field(ge=0)] | None = None
    wall_seconds: Annotated[FiniteFloat, Field(gt=0)] = 7200.0

    @field_validator("conditions", "models", "seeds")
    @classmethod
    def _once(cls, values: tuple[object, ...]) -> tuple[object, ...]:
        if len(set(values)) < len(values):
            raise ValueError("names something twice")
        return values

    @field_validator("sets")
    @classmethod
    def _apart(cls, sets: dict[str, BiobenchSet]) -> dict[str, BiobenchSet]:
        if taken := {"tasks", "store"} & sets.keys():
            raise ValueError(f'"{min(taken)}" is taken below results/biobench; call the set otherwise')
        return sets
