"""Which files an archive holds: results less what is made again or is of this machine, and their inputs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from labagent.files import list_files
from labagent.inputs import Inputs
from labagent.models.tables import data_place

LEFT_OUT = frozenset({"logs", "replays"})
"""Folders of results that are left out: job logs speak of the machine, replays are made for nothing."""
PRIVATE = frozenset({"private", "__pycache__", ".snakemake"})
CONFIG = "config.json"
INPUTS = "inputs"


def result_files(results: Path) -> Iterator[tuple[str, Path]]:
    """Name in the archive and place of each file of results; links and locks are left out."""
    for path in list_files(results, ignore=PRIVATE):
        inside = path.relative_to(results)
        if inside.parts[0] not in LEFT_OUT and not _is_lock(path.name):
            yield f"results/{inside.as_posix()}", path


def input_files(inputs: Inputs) -> tuple[dict[str, Path], tuple[str, ...]]:
    """The files that a run is made from, below the workflow's folder; and places outside it.

    Args:
        inputs: what the run was made from.

    Returns:
        Name in the archive → place; and what lies outside, which has to be there where a run goes on.
    """
    root = inputs.root.resolve()
    found: dict[str, Path] = {}
    outside = set()
    for place in _places(inputs):
        if not place.exists():
            continue
        if not place.resolve().is_relative_to(root):
            outside.add(_shown(place))
            continue
        for path in [place] if place.is_file() else list_files(place, ignore=PRIVATE):
            name = path.resolve().relative_to(root).as_posix()
            if not _is_lock(path.name):
                found[f"{INPUTS}/{name}"] = path
    return found, tuple(sorted(outside))


def _places(inputs: Inputs) -> Iterator[Path]:
    """Files and folders that the inputs name."""
    root, config = inputs.root, inputs.config
    yield from (root / name for name in ("config", "skills", "memory"))
    yield from (root / name for name in (config.labs, config.targets, config.references))
    yield from (root / config.memory.folder, root / config.memory.library)
    for name in sorted({target.family for target in inputs.selected_targets}):
        yield Path(inputs.families[name].folder)
    for lab in inputs.labs.values():
        local = (lab.repository, *lab.papers, *lab.tutorials, *lab.issues)
        yield from (root / Path(i.removeprefix("corpus:")).expanduser() for i in local if _is_local(i))
    for target in inputs.selected_targets:
        yield from (Path(name) for name in (target.task, target.protocol) if name)
        yield from (Path(data_place(item)) for item in target.data if _is_local(item))
        if label := inputs.labels.get(target.target):
            yield label


def _is_local(item: str) -> bool:
    """Whether a source may be a path."""
    return bool(item) and "://" not in item and not item.startswith(("pypi:", "lab:", "repo:", "pubmed:"))


def _is_lock(name: str) -> bool:
    """Whether a file only says who is at work."""
    return name.endswith((".lock", ".lock.holder", ".lock.marker")) or name.startswith(".snakemake")


def _shown(place: Path) -> str:
    """A place outside, by its last name: where it lay is this machine's affair."""
    return place.name
