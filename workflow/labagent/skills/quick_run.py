"""One run of a quick start: its folders, its environment layer, its sandbox, its blocks in order."""

from __future__ import annotations

import json
import math
import shutil
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path

from labagent.environment import create_layer
from labagent.models.skill import Block, Locus, QuickStart
from labagent.sandbox import CommandResult, Limits, Mount, Sandbox, open_sandbox
from labagent.skills.blocks import command_for
from labagent.skills.finding import Context
from labagent.skills.own_environment import own_package

MEM_MB, CORES = 8000, 1
TASK = "Quick start: run the skill on the lab's own data and leave the outputs it declares.\n"
VARIABLES = {
    "LABAGENT_DATA": "/data",
    "LABAGENT_SKILL": "/skill",
    "LABAGENT_TASK": "/task/task.md",
    "LABAGENT_PROTOCOL": "/task/protocol.json",
}
WATCHED = {
    "LABAGENT_WATCH": "/observe",
    "LABAGENT_WATCH_SOURCE": "/run/source",
}
# Equal runs are to give equal numbers, so that what differs on changed data comes from the data.
SEEDED = {
    "LABAGENT_SEED": "20",
    "PYTHONHASHSEED": "0",
    "PYTHONPATH": "/observe",
    "R_PROFILE": "/observe/profile.R",
}
WATCHERS = ("sitecustomize.py", "_labagent_seeds.py", "profile.R")


@dataclass(frozen=True)
class Folders:
    """The host folders of one run."""

    run: Path
    data: Path
    task: Path
    layer: Path
    home: Path
    tmp: Path
    watch: Path


@dataclass(frozen=True)
class Step:
    """A block that ran, or one that was not reached in time (``result`` is ``None``)."""

    index: int
    locus: Locus
    block: Block
    result: CommandResult | None
    text: str = ""


@dataclass(frozen=True)
class Replaced:
    """Files that take the place of others in one run.

    ``data`` by path below ``$LABAGENT_DATA``, ``skill`` by path below the skill, ``packages`` by path below
    the environment's folder of packages.
    """

    data: Mapping[str, Path] = field(default_factory=dict)
    skill: Mapping[str, Path] = field(default_factory=dict)
    packages: Mapping[str, Path] = field(default_factory=dict)


def prepare(context: Context, start: QuickStart, place: Path, roots: tuple[str, ...] = ()) -> Folders:
    """Lay out a run's folders in the new folder ``place``; data files go by their name.

    Args:
        context: of the validation.
        start: the quick start.
        place: made here.
        roots: top-level names of the lab's packages, which are watched; without any, nothing is.
    """
    names = ("run", "data", "task", "home", "tmp", "watch")
    made = {name: place / name for name in names}
    for folder in made.values():
        folder.mkdir(parents=True)
    for item in start.data:
        source = (context.artifacts or place) / "repository" / item
        target = made["data"] / Path(item).name
        if source.is_dir():
            shutil.copytree(source, target, symlinks=True)
        else:
            shutil.copyfile(source, target)
    (made["task"] / "task.md").write_text(TASK, encoding="utf-8")
    (made["task"] / "protocol.json").write_text(json.dumps(start.protocol), encoding="utf-8")
    if roots:
        (made["watch"] / "roots.txt").write_text("\n".join(roots) + "\n", encoding="utf-8")
    for name in WATCHERS:
        source_text = resources.files("labagent.skills").joinpath("resources", name).read_text("utf-8")
        (made["watch"] / name).write_text(source_text, encoding="utf-8")
    return Folders(layer=place / "layer", **made)


@contextmanager
def opened(
    context: Context, start: QuickStart, folders: Folders, replaced: Replaced | None = None
) -> Iterator[Sandbox]:
    """The sandbox in which a run's commands see what the contract names; closed at the end."""
    assert context.built is not None
    layer = create_layer(context.built, folders.layer)
    skill = context.folder
    if replaced is not None:
        skill = _replace(context, folders, layer.packages, replaced)
    own = [own_package()] if context.skill.is_tool_skill else []
    watched = WATCHED if (folders.watch / "roots.txt").exists() else {}
    sandbox = open_sandbox(
        context.sandbox,
        mounts=[*_mounts(skill, folders), *layer.mounts, *own],
        variables={**VARIABLES, **SEEDED, **watched, **layer.variables},
        cwd="/run",
        limits=limits(context, start.seconds),
    )
    try:
        yield sandbox
    finally:
        sandbox.close()


def steps(context: Context, start: QuickStart, sandbox: Sandbox, place: Path) -> Iterator[Step]:
    """Run the blocks one after the other, within the seconds of a run altogether, up to one that fails.

    Args:
        context: of the validation.
        start: the quick start.
        sandbox: in which they run.
        place: receives what each block prints.
    """
    deadline = time.monotonic() + run_seconds(context, start)
    blocks = [(locus, block) for locus in context.skill.loci for block in locus.blocks]
    for index, (locus, block) in enumerate(blocks, 1):
        left = deadline - time.monotonic()
        if left <= 0:
            yield Step(index, locus, block, None)
            return
        output = place / f"step-{index:02d}.txt"
        result = sandbox.run(command_for(block, index, locus.name), output=output, seconds=left)
        yield Step(index, locus, block, result, output.read_text(encoding="utf-8", errors="replace"))
        if result.status != 0:
            return


def run_seconds(context: Context, start: QuickStart) -> float:
    """What a run that begins now may take: what the quick start asks for, within the context's caps."""
    left = max(0.0, context.until - time.monotonic())
    return min(start.seconds, context.run_seconds, left if left == math.inf else round(left))


def limits(context: Context, seconds: float) -> Limits:
    """What one command may use: the seconds given, the sandbox's other limits."""
    return Limits(
        seconds=seconds,
        mem_mb=MEM_MB,
        processes=context.sandbox.processes,
        disk_mb=context.sandbox.disk_mb,
        cores=CORES,
    )


def _mounts(skill: Path, folders: Folders) -> list[Mount]:
    """What a command sees, at the places the contract names."""
    return [
        Mount(folders.run, "/run", writable=True),
        Mount(folders.data, "/data"),
        Mount(skill, "/skill"),
        Mount(folders.task, "/task"),
        Mount(folders.home, "/home/agent", writable=True),
        Mount(folders.tmp, "/tmp", writable=True),
        Mount(folders.watch, "/observe", writable=True),
    ]


def _replace(context: Context, folders: Folders, packages: Path, replaced: Replaced) -> Path:
    """Put the files of a run in place; packages of the environment are copied into the layer before."""
    assert context.built is not None
    for name, path in replaced.data.items():
        shutil.copyfile(path, folders.data / name)
    base = site_packages(Path(context.built.prefix))
    installed = context.work / "first" / "layer" / "R"
    if installed.is_dir() and not replaced.skill:
        # What the first run installed from the unchanged skill would be built the same way again.
        shutil.copytree(installed, folders.layer / "R", dirs_exist_ok=True, symlinks=True)
    for name in sorted({name.split("/")[0] for name in replaced.packages}):
        shutil.copytree(base / name, packages / name, symlinks=True)
    for name, path in replaced.packages.items():
        shutil.copyfile(path, packages / name)
    if not replaced.skill:
        return context.folder
    copy = folders.layer.with_name("skill")
    shutil.copytree(context.folder, copy, symlinks=True)
    for name, path in replaced.skill.items():
        shutil.copyfile(path, copy / name)
    return copy


def site_packages(prefix: Path) -> Path:
    """The folder of packages of an environment."""
    return next(iter(sorted((prefix / "lib").glob("python3*/site-packages"))), prefix / "lib")
