"""The requirement that brings a lab's own package, at the version that is its."""

from __future__ import annotations

from pathlib import Path

from labagent.errors import SkillError
from labagent.inputs import load_labs
from labagent.models.config import Config
from labagent.models.snapshot import Snapshot
from labagent.models.tables import Lab


def lab_rows(root: Path, config: Config) -> dict[str, Lab]:
    """The rows of ``labs.tsv`` by name; none where the file is absent.

    Raises:
        InputError: a row is faulty.
    """
    if not (root / config.labs).is_file():
        return {}
    return {row.skill: row for row in load_labs(root, config)}


def lab_requirement(name: str, row: Lab | None, snapshot: Snapshot | None) -> str:
    """A lab's own package with its version: ``NAME==VERSION`` for pip, ``r-name=VERSION`` for R.

    Args:
        name: the lab's name.
        row: its row of ``config/labs.tsv``; a row ``pypi:NAME==VERSION`` says it all.
        snapshot: of its staged sources, which state name and version.

    Raises:
        SkillError: neither says a name and a version; tells what to do.
    """
    if row is not None and row.repository.startswith("pypi:"):
        return row.repository.removeprefix("pypi:")
    if row is None and snapshot is None:
        raise SkillError(
            f'lab "{name}": no row of config/labs.tsv and nothing staged says which package it is; '
            "add its row, or leave out --from"
        )
    if snapshot is None:
        raise SkillError(
            f'lab "{name}": its repository is not staged, so its package and version are not known; '
            f"run snakemake results/artifacts/{name}/manifest.json first, or leave out --from"
        )
    if not snapshot.distribution or not snapshot.version:
        lacks = "version" if snapshot.distribution else "package name and version"
        raise SkillError(
            f'lab "{name}": its sources state no {lacks} to pin; leave out --from, list what it imports in '
            "environment.yaml, and put its files into assets/source"
        )
    if snapshot.language == "r":
        return f"r-{snapshot.distribution.lower()}={snapshot.version}"
    return f"{snapshot.distribution}=={snapshot.version}"
