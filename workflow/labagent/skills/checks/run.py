"""The quick start: every runnable block of every locus, in order, in the sandbox."""

from __future__ import annotations

import json
import re
import shutil
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from labagent.environment import create_layer
from labagent.models.skill import Block, Locus, QuickStart
from labagent.sandbox import CommandResult, Limits, Mount, Sandbox, open_sandbox
from labagent.skills.blocks import command_for
from labagent.skills.finding import Context, Finding, Skipped

ID, TIER, ORDER = "run", 3, 20
MEM_MB, CORES = 4000, 1
TASK = "Quick start: run the skill on the lab's own data and leave the outputs it declares.\n"
TRACE_LINE = re.compile(r'File "[^"]*step-\d\d-[^"]*", line (\d+)')
BASH_LINE = re.compile(r"step-\d\d-[^:]*: line (\d+)")
NUMBER = re.compile(r"(?<![\w.])[-+]?\d+\.\d+(?:[eE][-+]?\d+)?")
WARNING = re.compile(r"\b([A-Z]\w*Warning): (.*)")
WARNINGS = 10


@dataclass(frozen=True)
class Folders:
    """The host folders of a quick start."""

    run: Path
    data: Path
    task: Path
    layer: Path
    home: Path
    tmp: Path


def check(context: Context) -> Iterator[Finding]:
    """Run the blocks until one fails; warnings they print are kept."""
    start = context.skill.quickstart
    if start is None or context.built is None:
        raise Skipped("there is no quick start or no environment")
    if start.data and context.artifacts is None:
        raise Skipped("the quick start reads data of the lab, whose artifacts are not at hand")
    folders = prepare(context, start)
    layer = create_layer(context.built, folders.layer)
    sandbox = open_sandbox(
        context.sandbox,
        mounts=[*_mounts(context, folders), *layer.mounts],
        variables={**VARIABLES, **layer.variables},
        cwd="/run",
        limits=_limits(context, start),
    )
    context.output = folders.run
    try:
        yield from _run(context, start, sandbox)
    finally:
        sandbox.close()


VARIABLES = {
    "LABAGENT_DATA": "/data",
    "LABAGENT_SKILL": "/skill",
    "LABAGENT_TASK": "/task/task.md",
    "LABAGENT_PROTOCOL": "/task/protocol.json",
}


def prepare(context: Context, start: QuickStart) -> Folders:
    """Lay out the quick start's folders; data files go by their name."""
    names = ("run", "data", "task", "home", "tmp")
    made = {name: context.work / name for name in names}
    for folder in made.values():
        folder.mkdir()
    for item in start.data:
        source = (context.artifacts or context.work) / "repository" / item
        target = made["data"] / Path(item).name
        if source.is_dir():
            shutil.copytree(source, target, symlinks=True)
        else:
            shutil.copyfile(source, target)
    (made["task"] / "task.md").write_text(TASK, encoding="utf-8")
    (made["task"] / "protocol.json").write_text(json.dumps(start.protocol), encoding="utf-8")
    return Folders(layer=context.work / "layer", **made)


def _mounts(context: Context, folders: Folders) -> list[Mount]:
    """What a command sees, at the places the contract names."""
    return [
        Mount(folders.run, "/run", writable=True),
        Mount(folders.data, "/data"),
        Mount(context.folder, "/skill"),
        Mount(folders.task, "/task"),
        Mount(folders.home, "/home/agent", writable=True),
        Mount(folders.tmp, "/tmp", writable=True),
    ]


def _limits(context: Context, start: QuickStart) -> Limits:
    """The quick start's seconds, the sandbox's other limits."""
    return Limits(
        seconds=start.seconds,
        mem_mb=MEM_MB,
        processes=context.sandbox.processes,
        disk_mb=context.sandbox.disk_mb,
        cores=CORES,
    )


def _run(context: Context, start: QuickStart, sandbox: Sandbox) -> Iterator[Finding]:
    """The blocks one after the other, within the quick start's seconds altogether."""
    deadline = time.monotonic() + start.seconds
    seen: set[str] = set()
    context.log.parent.mkdir(parents=True, exist_ok=True)
    context.log.write_text("", encoding="utf-8")
    blocks = [(locus, block) for locus in context.skill.loci for block in locus.blocks]
    for index, (locus, block) in enumerate(blocks, 1):
        left = deadline - time.monotonic()
        if left <= 0:
            yield Finding(f"the quick start's {start.seconds:g} seconds are over", locus.path, block.line)
            return
        output = context.work / f"step-{index:02d}.txt"
        result = sandbox.run(command_for(block, index, locus.name), output=output, seconds=left)
        text = output.read_text(encoding="utf-8", errors="replace")
        _keep(context.log, locus, index, result, text)
        for warning in _warnings(text):
            if warning not in seen and len(seen) < WARNINGS:
                seen.add(warning)
                yield Finding(warning, locus.path, block.line, warning=True)
        if result.status != 0:
            yield _failure(locus, block, result, text)
            return


def _keep(log: Path, locus: Locus, index: int, result: CommandResult, text: str) -> None:
    """Add a command's output to the log."""
    head = f"== step {index}, {locus.name}: status {result.status}, {result.seconds:.1f} s\n"
    with log.open("a", encoding="utf-8") as stream:
        stream.write(head + text + ("" if text.endswith("\n") else "\n"))


def _failure(locus: Locus, block: Block, result: CommandResult, text: str) -> Finding:
    """What failed: the last telling line, at the line of the block that raised."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    reason = f"stopped at its limit of {result.limit}" if result.limit else ""
    if result.timed_out:
        reason = "ran longer than the quick start allows"
    reason = reason or f"exit status {result.status}: {lines[-1] if lines else 'nothing was printed'}"
    found = TRACE_LINE.findall(text) or BASH_LINE.findall(text)
    line = block.line + int(found[-1]) - 1 if found else block.line
    return Finding(_without_values(reason), locus.path, line)


def _warnings(text: str) -> Iterator[str]:
    """Warnings in an output, as class and message."""
    for match in WARNING.finditer(text):
        yield _without_values(f"{match[1]}: {match[2].strip()}")[:200]


def _without_values(text: str) -> str:
    """Text without decimal numbers: a verdict holds no value that was computed."""
    return NUMBER.sub("#", text)[:500]
