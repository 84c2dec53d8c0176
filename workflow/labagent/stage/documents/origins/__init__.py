"""Where documents come from that are no plain path or URL: one module an origin; adding one is adding a file.

A module offers ``PREFIX`` (items begin with it), ``KINDS`` (the columns it may stand in), ``FORM`` (how an
item reads) and ``bring(wanted) -> list[Path]``, which leaves files that the converter of the column can read.
"""

from __future__ import annotations

import importlib
import pkgutil
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from labagent.errors import SourceError


@dataclass(frozen=True)
class Wanted:
    """An item without its prefix, what relative paths are relative to, a scratch folder and the cache."""

    text: str
    base: Path
    scratch: Path
    cache: Path


def origin_of(kind: str, place: str) -> ModuleType | None:
    """The origin that an item of a column names; ``None`` for paths and URLs.

    Raises:
        SourceError: the origin has no documents for this column.
    """
    for info in pkgutil.iter_modules(__path__):
        if not info.name.startswith("_"):
            module = importlib.import_module(f"{__name__}.{info.name}")
            if place.startswith(module.PREFIX):
                if kind not in module.KINDS:
                    allowed = ", ".join(module.KINDS)
                    raise SourceError(f'"{place}": {module.PREFIX} stands in {allowed}, not in {kind}')
                return module
    return None
