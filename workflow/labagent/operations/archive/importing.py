"""Goes on from an archive in another folder or on another machine: what cost money is not planned again."""

from __future__ import annotations

import os
import shutil
import tarfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from labagent.environment.outcome import BuildFailed
from labagent.environment.venv import rebuild_venv
from labagent.errors import InfrastructureError, InputError, InputFault
from labagent.files import sha256_file
from labagent.inputs import load_config
from labagent.models.archive import ArchiveManifest
from labagent.models.config import EnvironmentSettings
from labagent.models.run import EnvironmentRecord
from labagent.operations.archive.checking import members, opened, verify
from labagent.operations.archive.contents import INPUTS

STAGES = (
    "artifacts/*/manifest.json",
    "explore/api/*.json",
    "explore/*/*/draft.json",
    "skills/*/*/verdict.json",
    "data/*/manifest.json",
    "select/*/*.json",
    "environments/*/*.json",
    "runs/*/*/*/run.json",
    "scores/*/*/*.json",
    "report/**/*",
)
"""Declared outputs in the order in which jobs make them."""
SHOWN = 10


@dataclass(frozen=True)
class Imported:
    """What an import did: files written, environments built again, and those that a rule will make anew."""

    manifest: ArchiveManifest
    inputs: int
    files: int
    rebuilt: int
    left: tuple[str, ...]


def import_archive(archive: Path, root: Path, *, keep_inputs: bool = False, build: bool = True) -> Imported:
    """Unpack an archive into a workflow's folder, so that the next start goes on from it.

    Args:
        archive: as ``labagent results archive`` writes it.
        root: a checkout of the workflow without results.
        keep_inputs: leave inputs of this folder that differ as they are; what depends on them is made anew,
            whatever it costs.
        build: build the environments again from their locks; else rules make them when they are needed.

    Raises:
        InputError: the archive has faults, results are here already, or inputs differ.
    """
    checked = verify(archive)
    if checked.faults:
        raise InputError([InputFault(str(archive), fault) for fault in checked.faults[:SHOWN]])
    manifest = checked.manifest
    results = root / manifest.results
    if results.exists() and any(results.iterdir()):
        message = "holds results already; import into a folder without, or move them away"
        raise InputError([InputFault(str(results), message)])
    differing = [name for name in _differing(manifest, root) if not keep_inputs]
    if differing:
        raise InputError([InputFault(name, DIFFERS) for name in differing[:SHOWN]])
    part = results.with_name(f".{results.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    written = _unpack(archive, root, part, set(manifest.files))
    rebuilt, left = _environments(part, load_config(root).environment, root, build)
    touch_in_order(part)
    if results.exists():
        results.rmdir()
    part.rename(results)
    return Imported(manifest, written, sum(n.startswith("results/") for n in manifest.files), rebuilt, left)


DIFFERS = (
    "differs from the archive's; with --keep-inputs it stays, and what depends on it is made anew, whatever "
    "that costs"
)


def _differing(manifest: ArchiveManifest, root: Path) -> Iterator[str]:
    """Inputs that are here with another content. A memory grows: this folder's own is never overwritten."""
    for name, wanted in sorted(manifest.files.items()):
        place = root / name.removeprefix(f"{INPUTS}/")
        if name.startswith(f"{INPUTS}/") and place.is_file() and sha256_file(place) != wanted.sha256:
            yield name.removeprefix(f"{INPUTS}/")


def _unpack(archive: Path, root: Path, results: Path, wanted: set[str]) -> int:
    """Write results to ``results``, and inputs that are not here to ``root``; how many of these."""
    written = 0
    with opened(archive) as tar:
        for member in members(archive, tar):
            if member.name not in wanted:
                continue
            stage, _, inside = member.name.partition("/")
            if stage == "results":
                _copy(tar, member, results / inside)
            elif stage == INPUTS and not (root / inside).exists():
                _copy(tar, member, root / inside)
                written += 1
    return written


def _copy(tar: tarfile.TarFile, member: tarfile.TarInfo, place: Path) -> None:
    """One file."""
    stream = tar.extractfile(member)
    assert stream is not None
    place.parent.mkdir(parents=True, exist_ok=True)
    with place.open("wb") as target:
        shutil.copyfileobj(stream, target)
    place.chmod(0o755 if member.mode & 0o100 else 0o644)


def _environments(
    results: Path, settings: EnvironmentSettings, root: Path, build: bool
) -> tuple[int, tuple[str, ...]]:
    """Build each lock once; a record whose environment is not here is removed, so that a rule makes it.

    Only the free stages below it follow then; attempts do not.
    """
    made: dict[str, EnvironmentRecord | str] = {}
    left = []
    for path in sorted(results.glob("environments/*/*.json")):
        record = EnvironmentRecord.read(path)
        if record.status != "ready":
            continue
        if record.lock_sha256 not in made:
            made[record.lock_sha256] = _again(record, settings, root, path.with_suffix(".log"), build)
        done = made[record.lock_sha256]
        if isinstance(done, str):
            path.unlink()
            left.append(f"{path.relative_to(results)}: {done}")
        else:
            places = {name: getattr(done, name) for name in ("prefix", "python", "lock_sha256", "mapped")}
            record.model_copy(update=places).write(path)
    return sum(isinstance(done, EnvironmentRecord) for done in made.values()), tuple(left)


def _again(
    record: EnvironmentRecord, settings: EnvironmentSettings, root: Path, log: Path, build: bool
) -> EnvironmentRecord | str:
    """An environment from its lock, or why it has to be made by its rule."""
    if not build:
        return "not asked for"
    if record.builder != "venv":
        return f"{record.builder} solves it again from the skill's environment.yaml"
    try:
        return rebuild_venv(record, settings, root=root, log=log)
    except (BuildFailed, InfrastructureError) as error:
        return " ".join(str(error).split())[:300]


def touch_in_order(results: Path) -> None:
    """Give the outputs of each stage a time after those of the stage before, as Snakemake wants them."""
    now = time.time()
    for number, pattern in enumerate(STAGES):
        when = now - 2.0 * (len(STAGES) - number)
        for path in results.glob(pattern):
            os.utime(path, (when, when))
