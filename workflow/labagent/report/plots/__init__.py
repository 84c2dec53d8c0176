"""One module a figure of the whole study, found by name. Adding one is adding a file.

A module offers ``ORDER`` (its place among the figures of a section), ``files(inputs)`` (the files it will
make, from the inputs alone) and ``draw(study, tables)``, which gives a figure for each of them. What a figure
draws is bounded, however many entries there are.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping, Sequence
from typing import Protocol, cast

from labagent.inputs import Inputs
from labagent.report.figure import Figure
from labagent.report.study import Study
from labagent.report.tables import Table


class PlotModule(Protocol):
    """What a module of this package offers."""

    ORDER: int

    def files(self, inputs: Inputs) -> Sequence[str]:
        """The files it will make."""

    def draw(self, study: Study, tables: Mapping[str, Table]) -> Sequence[Figure]:
        """A figure for each of its files."""


def file_names(inputs: Inputs) -> list[str]:
    """The files of all figures of the whole study."""
    return [name for module in _modules() for name in module.files(inputs)]


def draw_all(study: Study, tables: Mapping[str, Table]) -> list[Figure]:
    """All figures of the whole study, in the order of the page."""
    return [figure for module in _modules() for figure in module.draw(study, tables)]


def _modules() -> list[PlotModule]:
    """The modules of this package in their order."""
    names = sorted(module.name for module in pkgutil.iter_modules(__path__))
    found = [cast(PlotModule, importlib.import_module(f"{__name__}.{name}")) for name in names]
    return sorted(found, key=lambda module: module.ORDER)
