"""What is withheld from an agent beside the references: labels of a test set, or a rubric."""

from __future__ import annotations

from pathlib import Path

IMPORTED = "imported"
"""Folder of a family for tables that an importer wrote from a user's own copy; not versioned."""

WITHHELD = (("labels", ".csv"), ("rubrics", ".yaml"))
"""Folders beside a targets table, and the ending of the file of each target."""


def withheld_file(folder: Path, target: str) -> Path | None:
    """The file withheld for a target, ``None`` where there is none.

    Args:
        folder: that of the targets table.
        target: the target's name.
    """
    places = (folder / name / f"{target}{ending}" for name, ending in WITHHELD)
    return next((place for place in places if place.exists()), None)


def family_tables(folder: Path, name: str) -> list[Path]:
    """The tables called ``name`` that a family has: its own, and the one that was imported."""
    return [path for path in (folder / name, folder / IMPORTED / name) if path.exists()]
