"""One module a table of the report, found by name. Adding one is adding a file.

A module offers ``TITLE``, ``CAPTION``, ``COLUMNS`` (name → meaning), ``ORDER`` and ``SHOWN`` (its place on
the page, and whether it stands there; all are written as TSV) and ``rows(study)``.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Protocol, cast

from labagent.files import write_text
from labagent.report.study import Study

Cell = str | int | float | bool | None
Row = Sequence[Cell]


class TableModule(Protocol):
    """What a module of this package offers."""

    TITLE: str
    CAPTION: str
    COLUMNS: Mapping[str, str]
    ORDER: int
    SHOWN: bool

    def rows(self, study: Study) -> Iterable[Row]:
        """The rows, in a fixed order."""


@dataclass(frozen=True)
class Table:
    """A table with its rows; ``name`` is that of its file."""

    name: str
    title: str
    caption: str
    columns: Mapping[str, str]
    rows: list[Row]
    order: int
    shown: bool

    def write(self, folder: Path) -> None:
        """Write ``<name>.tsv``: UTF-8, one header line, empty for what is not known."""
        lines = ["\t".join(self.columns), *("\t".join(map(tsv_cell, row)) for row in self.rows)]
        write_text(folder / f"{self.name}.tsv", "\n".join(lines) + "\n")

    def is_number(self, column: str) -> bool:
        """Whether a column holds numbers alone."""
        return column in self.numeric

    @cached_property
    def numeric(self) -> frozenset[str]:
        """Columns that hold numbers and nothing else."""
        cells = {
            name: [row[i] for row in self.rows if row[i] is not None] for i, name in enumerate(self.columns)
        }
        return frozenset(
            name
            for name, values in cells.items()
            if values and all(isinstance(v, int | float) and not isinstance(v, bool) for v in values)
        )

    def records(self) -> list[dict[str, Cell]]:
        """The rows by column name."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]


def table_names() -> list[str]:
    """Names of all tables."""
    return sorted(m.name for m in pkgutil.iter_modules(__path__))


def make_tables(study: Study) -> dict[str, Table]:
    """All tables by name, in the order of the page."""
    made = []
    for name in table_names():
        module = cast(TableModule, importlib.import_module(f"{__name__}.{name}"))
        rows = list(module.rows(study))
        made.append(
            Table(name, module.TITLE, module.CAPTION, module.COLUMNS, rows, module.ORDER, module.SHOWN)
        )
    return {table.name: table for table in sorted(made, key=lambda table: (table.order, table.name))}


def tsv_cell(value: Cell) -> str:
    """A value as text: shortest exact floats, ``true``/``false``, no tabs or line breaks."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    return repr(value) if isinstance(value, float) else " ".join(str(value).split())
