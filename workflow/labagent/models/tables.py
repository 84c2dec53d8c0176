"""Rows of the tables a user edits: labs, targets, references."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from pydantic import Field, FiniteFloat, StringConstraints, field_validator, model_validator

from labagent.models.base import Record
from labagent.models.config import Name

SkillName = Annotated[
    str, StringConstraints(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", min_length=1, max_length=64)
]
Listed = tuple[str, ...]
LAB_DATA = re.compile(r"^lab:(?P<skill>[a-z0-9-]+)/(?P<path>.+)$")
DATA_OPTIONS = re.compile(r"(?:#drop=(?P<drop>[^#]*))?(?:#sha256=(?P<sha256>[^#]*))?$")
DIRECTIONS = ("higher", "lower", "match")


def data_place(item: str) -> str:
    """A data item without its options ``#drop=…`` and ``#sha256=…``."""
    options = DATA_OPTIONS.search(item)
    return item[: options.start()] if options else item


def split_list(value: object) -> object:
    """``a;b;c`` → ``("a", "b", "c")``; blanks around items and empty items are dropped."""
    if isinstance(value, str):
        return tuple(part.strip() for part in value.split(";") if part.strip())
    return value


class Lab(Record):
    """One row of ``labs.tsv``: the released artifacts a skill is made from."""

    skill: SkillName
    source: Literal["explore", "curated"]
    repository: Annotated[str, StringConstraints(min_length=1)]
    commit: str = ""
    papers: Listed = ()
    tutorials: Listed = ()
    issues: Listed = ()
    sealed: Listed = ()

    _split = field_validator("papers", "tutorials", "issues", "sealed", mode="before")(split_list)

    @model_validator(mode="after")
    def _pypi_is_pinned(self) -> Lab:
        if self.repository.startswith("pypi:"):
            if not re.fullmatch(r"pypi:[A-Za-z0-9][A-Za-z0-9._-]*==[A-Za-z0-9.!+_-]+", self.repository):
                raise ValueError("repository: must read pypi:NAME==VERSION, with an exact version")
            if self.commit:
                raise ValueError("commit: must be empty for a pypi: repository; the version pins it")
        return self


class Quantity(Record):
    """One item of an answer contract: where a run leaves the value of one quantity.

    ``key`` is a path of keys separated by dots into a JSON file; empty where a scorer computes the
    value from the file itself (predictions). ``exact``: a text, an integer, true or false is asked for, which
    a scorer compares as it is; written ``quantity=file:key!``.
    """

    name: Name
    file: str
    key: str = ""
    exact: bool = False

    @classmethod
    def parse(cls, text: str) -> Quantity:
        """``spearman=answer.json:spearman``, ``group=answer.json:group!`` or ``spearman=predictions.csv``."""
        name, equals, place = text.partition("=")
        if not equals or not name.strip() or not place.strip():
            raise ValueError(f'"{text}" must read quantity=file:key or quantity=file')
        file, _, key = place.strip().partition(":")
        if file.startswith("/") or ".." in file.split("/"):
            raise ValueError(f'"{text}": the file must lie in the run folder')
        return cls(name=name.strip(), file=file, key=key.removesuffix("!"), exact=key.endswith("!"))


class Target(Record):
    """One row of ``targets.tsv``: a published result to reproduce. Paths are absolute once loaded.

    ``data`` items: a local path, ``lab:SKILL/PATH`` (a file or folder of that lab's staged repository)
    or an ``https://`` URL, each with an optional ``#sha256=HEX`` (of the file where it lies).
    ``#drop=COLUMN,…`` before it leaves columns of a CSV or TSV out of what is staged.
    """

    target: Name
    family: Name
    skill: SkillName | Literal[""] = ""
    task: Annotated[str, StringConstraints(min_length=1)]
    data: Listed = ()
    answer: Annotated[tuple[Quantity, ...], Field(min_length=1)]
    protocol: str = ""
    budget: Name = "default"

    _split = field_validator("data", mode="before")(split_list)

    @field_validator("answer", mode="before")
    @classmethod
    def _parse_answer(cls, value: object) -> object:
        if isinstance(value, str):
            items = [Quantity.parse(item) for item in split_list(value)]  # type: ignore[attr-defined]
            names = [q.name for q in items]
            if len(set(names)) != len(names):
                raise ValueError(f"a quantity is named twice: {', '.join(names)}")
            return tuple(items)
        return value


class Reference(Record):
    """One row of ``references.tsv``: a published value. Never visible to an agent.

    ``sd`` as published, of kind ``sd_kind``; only ``seeds`` (and ``bootstrap`` of the value itself, and
    ``se``) say how far a rerun may land, and the report states the kind. ``tolerance`` is absolute in
    the unit of the value, or relative to it. ``unit`` is shown at axes (``1/h``, ``log2``; empty for none).
    ``board`` and ``method`` name the row of the family's leaderboard that is reproduced, where it has one.
    """

    target: Name
    quantity: Name
    metric: Annotated[str, StringConstraints(min_length=1)]
    direction: Literal["higher", "lower", "match"]
    value: FiniteFloat
    sd: Annotated[FiniteFloat, Field(ge=0)] | None = None
    sd_kind: Literal["seeds", "bootstrap", "se", ""] = ""
    n: Annotated[int, Field(ge=1)] | None = None
    tolerance: Annotated[FiniteFloat, Field(ge=0)] | None = None
    tolerance_kind: Literal["abs", "rel", ""] = ""
    source: Annotated[str, StringConstraints(min_length=1)]
    disputed: str = ""
    unit: str = ""
    board: str = ""
    method: str = ""
    decimals: Annotated[int, Field(ge=0)] | None = None

    @model_validator(mode="before")
    @classmethod
    def _count_decimals(cls, row: object) -> object:
        """Remember how many decimals were published: they bound what "equal" can mean."""
        if isinstance(row, dict) and isinstance(row.get("value"), str) and "decimals" not in row:
            mantissa, _, exponent = row["value"].lower().partition("e")
            places = len(mantissa.partition(".")[2]) - int(exponent or 0)
            return {**row, "decimals": max(places, 0)}
        return row

    @property
    def rounding(self) -> float:
        """Half a unit of the last published decimal: the floor of "within SD" (0 when not known)."""
        return 0.5 * 10.0**-self.decimals if self.decimals is not None else 0.0

    @model_validator(mode="after")
    def _kinds_go_with_values(self) -> Reference:
        if (self.sd is None) != (self.sd_kind == ""):
            raise ValueError("sd and sd_kind go together: give both or neither")
        if (self.tolerance is None) != (self.tolerance_kind == ""):
            raise ValueError("tolerance and tolerance_kind go together: give both or neither")
        return self
