"""Taking in a user's own copy of a benchmark: one module a family, found by the family's name.

A module offers ``read(family, folder, options) -> list[ImportedTarget]``. Nothing is downloaded.
"""

from __future__ import annotations

import importlib
import pkgutil
from pathlib import Path
from typing import Protocol, cast

from labagent.errors import InputError, InputFault
from labagent.models.family import Family
from labagent.scoring.importers._writing import ImportedTarget, ImportOptions, write_imported

__all__ = ["ImportOptions", "ImportedTarget", "import_family", "known_importers"]


class Importer(Protocol):
    """A module of this package."""

    def read(self, family: Family, folder: Path, options: ImportOptions) -> list[ImportedTarget]:
        """The targets of a user's copy.

        Raises:
            InputError: with every fault found in the copy.
        """


def known_importers() -> tuple[str, ...]:
    """Families that have an importer."""
    return tuple(sorted(m.name for m in pkgutil.iter_modules(__path__) if not m.name.startswith("_")))


def import_family(family: Family, folder: Path, options: ImportOptions) -> list[ImportedTarget]:
    """Read a user's copy and write the family's ``imported/`` folder, in place of an earlier import.

    Args:
        family: the family; its folder receives ``imported/`` (targets, references, tasks, rubrics).
        folder: the user's copy; it is read, and stays where it is.
        options: what the user allows.

    Raises:
        InputError: the family has no importer, or the copy has faults; then nothing is written.
    """
    if family.name not in known_importers():
        known = ", ".join(known_importers())
        raise InputError(
            [InputFault(f"benchmarks/{family.name}", f"has no importer; those that have: {known}")]
        )
    if not folder.is_dir():
        raise InputError([InputFault(str(folder), "there is no such folder")])
    importer = cast(Importer, importlib.import_module(f"{__name__}.{family.name}"))
    targets = importer.read(family, folder.resolve(), options)
    write_imported(Path(family.folder), targets)
    return targets
