"""The place an attempt works in: its folders, its environment layer, its sandbox."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from importlib import resources
from pathlib import Path
from typing import Any

from labagent.environment import Layer, create_layer
from labagent.environment.sealing import sealed_mounts
from labagent.errors import InputError, InputFault
from labagent.reproduce.attempt import Attempt
from labagent.reproduce.harness.places import host_mounts, programs
from labagent.reproduce.scratch import bring_back, work_folder
from labagent.reproduce.secrets import redact_folder
from labagent.reproduce.tries import PRIVATE
from labagent.sandbox import Limits, Mount, Sandbox, open_sandbox

READ_ONLY = {
    "LABAGENT_DATA": "/data",
    "LABAGENT_TASK": "/task/task.md",
    "LABAGENT_PROTOCOL": "/task/protocol.json",
    "LABAGENT_OBSERVATIONS": "/observations",
}
TOOLS = "/labagent"
NEUTRAL = {
    "/run": ".",
    "/skill": "$LABAGENT_SKILL",
    "/task": "$LABAGENT_TASK/..",
    "/labagent": "(tools)",
    "/home/agent": "$HOME",
    "/env/run": "$VIRTUAL_ENV",
    "/env/base": "(base environment)",
}


@dataclass(frozen=True)
class Workspace:
    """An open workspace of a try; what commands write lies in ``work``: the try's ``folder``, or scratch."""

    folder: Path
    work: Path
    sandbox: Sandbox
    layer: Layer
    protocol: dict[str, Any]

    @property
    def output(self) -> Path:
        """The run's own folder: what stays there is scored."""
        return self.work / "output"

    @property
    def private(self) -> Path:
        """What ends with the run: its environment layer, home and temporary folder."""
        return self.work / PRIVATE

    @property
    def observations(self) -> Path:
        """Whole outputs of the commands."""
        return self.folder / "observations"

    def neutral(self, text: str) -> str:
        """``text`` without this machine's folders, where commands see them (no sandbox)."""
        if self.sandbox.record.kind != "none":
            return text
        names = {place: f"${name}" for name, place in READ_ONLY.items()} | NEUTRAL
        places = {self.sandbox.path(place): (place, name) for place, name in names.items()}
        for path in sorted(places, key=len, reverse=True):
            place, name = places[path]
            text = text if path == place else text.replace(path, name)
        return text

    def close(self) -> None:
        """Remove what is no result: the layer, the private home and temporary folder.

        Raises:
            OSError: the output cannot be brought back from scratch; it stays there.
        """
        self.sandbox.close()
        self.layer.delete()
        redact_folder(self.output)
        shutil.rmtree(self.private, ignore_errors=True)
        if self.work != self.folder:
            bring_back(self.output, self.folder / "output")
            shutil.rmtree(self.work, ignore_errors=True)


def open_workspace(attempt: Attempt, folder: Path) -> Workspace:
    """Lay out a try's folders and open its sandbox.

    Args:
        attempt: what is attempted.
        folder: the try's folder.

    Raises:
        InfrastructureError: the environment is gone, or the sandbox asked for does not work here.
        InputError: the protocol is no YAML mapping.
    """
    work = work_folder(attempt.scratch, folder)
    for name in ("observations", "task", "tools"):
        (folder / name).mkdir(parents=True)
    for name in ("output", f"{PRIVATE}/home", f"{PRIVATE}/tmp"):
        (work / name).mkdir(parents=True)
    protocol = read_protocol(attempt.protocol)
    (folder / "task" / "protocol.json").write_text(json.dumps(protocol, indent=2, sort_keys=True))
    shutil.copyfile(attempt.task, folder / "task" / "task.md")
    _write_tools(folder / "tools")
    layer = create_layer(attempt.environment, work / PRIVATE / "layer")
    places = READ_ONLY | ({"LABAGENT_SKILL": "/skill"} if attempt.skill else {})
    variables = {**places, **layer.variables}
    harness = attempt.harness
    brought = host_mounts(harness) if harness else []
    paths = [TOOLS, layer.variables["PATH"], *(programs(harness) if harness else [])]
    variables["PATH"] = ":".join(paths)
    sandbox = open_sandbox(
        attempt.sandbox.model_copy(update={"network": harness.network}) if harness else attempt.sandbox,
        mounts=[*_mounts(attempt, folder, work), *layer.mounts, *_sealed(attempt, work), *brought],
        variables=variables,
        cwd="/run",
        limits=_limits(attempt),
    )
    return Workspace(folder, work, sandbox, layer, protocol)


def read_protocol(path: Path | None) -> dict[str, Any]:
    """The published protocol; empty where none is given.

    Raises:
        InputError: the file is no YAML, or no mapping.
    """
    if path is None:
        return {}
    import yaml

    try:
        value = yaml.safe_load(path.read_text("utf-8-sig"))
        value = json.loads(json.dumps(value, allow_nan=False, default=_iso))
    except (yaml.YAMLError, TypeError, ValueError) as error:
        raise InputError([InputFault(str(path), f"cannot be used as a protocol: {error}")]) from error
    if not isinstance(value, dict):
        raise InputError([InputFault(str(path), "must be a mapping of names to values")])
    return value


def _iso(value: object) -> str:
    """A date of a YAML file as JSON has it: text."""
    if isinstance(value, date):
        return value.isoformat()
    raise TypeError(f"{type(value).__name__} is no JSON value")


def _mounts(attempt: Attempt, folder: Path, work: Path) -> Iterator[Mount]:
    """All that commands see besides the system and the environment."""
    yield Mount(work / "output", "/run", writable=True)
    yield Mount(work / PRIVATE / "tmp", "/tmp", writable=True)
    yield Mount(work / PRIVATE / "home", "/home/agent", writable=True)
    yield Mount(folder / "observations", "/observations")
    yield Mount(folder / "task", "/task")
    yield Mount(folder / "tools", TOOLS)
    yield Mount(attempt.data_folder, "/data")
    if attempt.skill is not None:
        yield Mount(attempt.skill, "/skill")


def _sealed(attempt: Attempt, work: Path) -> Iterator[Mount]:
    """Emptiness over what was sealed, where the installed package of a lab carries it, too."""
    if attempt.sealed:
        yield from sealed_mounts(Path(attempt.environment.prefix), attempt.sealed, work / PRIVATE / "empty")


def _write_tools(folder: Path) -> None:
    """The commands that labagent offers to an agent."""
    text = resources.files("labagent.reproduce").joinpath("locus.sh").read_text("utf-8")
    path = folder / "locus"
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)


def _limits(attempt: Attempt) -> Limits:
    """Limits of each command, from the budget; an agent of its own is one command."""
    budget = attempt.budget
    return Limits(
        seconds=budget.wall_seconds if attempt.harness else budget.command_seconds,
        mem_mb=attempt.budget.mem_mb,
        processes=attempt.sandbox.processes,
        disk_mb=attempt.sandbox.disk_mb,
        cores=attempt.budget.cores,
    )
