"""Opens the best sandbox this machine allows, and says what it achieved."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath

from labagent.errors import InfrastructureError
from labagent.models.config import SandboxSettings
from labagent.models.run import SandboxRecord
from labagent.sandbox.bubblewrap import BubblewrapSandbox, find_bubblewrap
from labagent.sandbox.cgroup import ControlGroup, open_group
from labagent.sandbox.plain import PlainSandbox
from labagent.sandbox.system import SYSTEM_PATH
from labagent.sandbox.types import Limits, Mount, Sandbox
from labagent.sandbox.variables import allowed_variables, named_folders, standard_variables

_HINT = "install the package bubblewrap, or allow unprivileged user namespaces"


def open_sandbox(
    settings: SandboxSettings,
    *,
    mounts: Sequence[Mount],
    variables: Mapping[str, str],
    cwd: str,
    limits: Limits,
    characters: int = 8000,
) -> Sandbox:
    """A sandbox for one run's commands.

    Args:
        settings: kind and network asked for.
        mounts: all of the host a command may see besides the system; a mount at ``/tmp`` or ``/home/agent``
            becomes TMPDIR or HOME.
        variables: added to the standard and the allowed ones. Values speak of inside places; without
            bubblewrap they are translated. ``PATH`` is put in front of the system's.
        cwd: inside place of the current folder.
        limits: of each command.
        characters: of a command's output to show.

    Raises:
        InfrastructureError: ``settings.kind`` is ``bubblewrap`` and it does not work here.
    """
    program, reason = ("", "not asked for") if settings.kind == "none" else find_bubblewrap()
    if settings.kind == "bubblewrap" and not program:
        raise InfrastructureError(
            f'sandbox "bubblewrap" does not work here: {reason}; {_HINT}, or set "auto"'
        )
    allowed = allowed_variables(os.environ)
    ready = {**allowed, **_variables(mounts, variables, limits, inside=bool(program))}
    if program:
        every = [*mounts, *_index_mounts(allowed, mounts)]
        group = open_group(processes=limits.processes, mem_mb=limits.mem_mb)
        return BubblewrapSandbox(
            program,
            mounts=every,
            variables=ready,
            cwd=cwd,
            limits=limits,
            record=_record("bubblewrap", settings, limits, group, ()),
            characters=characters,
            group=group,
        )
    return PlainSandbox(
        mounts=mounts,
        variables=ready,
        cwd=cwd,
        limits=limits,
        record=_record("none", settings, limits, None, _warnings(settings, reason)),
        characters=characters,
    )


def _variables(
    mounts: Sequence[Mount], given: Mapping[str, str], limits: Limits, *, inside: bool
) -> dict[str, str]:
    """Standard variables, HOME and TMPDIR where they are mounted, and the caller's."""
    places = {mount.inside for mount in mounts}
    found = standard_variables(limits.cores)
    if "/home/agent" in places or inside:
        found["HOME"] = "/home/agent"
    if "/tmp" in places or inside:
        found["TMPDIR"] = "/tmp"
    found.update(given)
    system = SYSTEM_PATH if inside else plain_path()
    found["PATH"] = ":".join(part for part in (given.get("PATH", ""), system) if part)
    return found


def plain_path() -> str:
    """The host's PATH without the workflow's own environment: its tools are not the run's."""
    own = {str(Path(sys.executable).parent), str(Path(sys.prefix) / "bin")}
    parts = os.environ.get("PATH", SYSTEM_PATH).split(":")
    return ":".join(dict.fromkeys(part for part in parts if part and part not in own))


def find_command(name: str, settings: SandboxSettings) -> str | None:
    """Where a command will find the system's program ``name``, ``None`` where it will not."""
    inside = settings.kind != "none" and bool(find_bubblewrap()[0])
    return shutil.which(name, path=SYSTEM_PATH if inside else plain_path())


def find_on_host(name: str, folders: Sequence[str] = ()) -> str | None:
    """Where the host has a program: on PATH, or in one of ``folders``; never the workflow's own."""
    return shutil.which(name, path=":".join([plain_path(), *folders]))


def _index_mounts(allowed: Mapping[str, str], mounts: Sequence[Mount]) -> list[Mount]:
    """Local package folders and certificates that index variables name, where nothing else shows them."""
    shown = [PurePosixPath(place) for place in ("/usr", "/opt", "/etc/ssl", *(m.inside for m in mounts))]
    private = [Path.home().resolve(), Path.cwd().resolve()]
    return [
        Mount(path, str(path))
        for path in named_folders(allowed)
        if not any(PurePosixPath(path).is_relative_to(place) for place in shown)
        and not any(folder.is_relative_to(path.resolve()) for folder in private)
    ]


def _record(
    kind: str,
    settings: SandboxSettings,
    limits: Limits,
    group: ControlGroup | None,
    warnings: tuple[str, ...],
) -> SandboxRecord:
    """What was asked and what holds it."""
    by_kernel = group.controllers if group else ()
    root = os.getuid() == 0
    counted = "rlimit" if kind == "bubblewrap" and not root else "watch"
    return SandboxRecord(
        kind="bubblewrap" if kind == "bubblewrap" else "none",
        requested=settings.kind,
        network=settings.network if kind == "bubblewrap" else "open",
        limits={
            "seconds": round(limits.seconds),
            "mem_mb": limits.mem_mb,
            "processes": limits.processes,
            "disk_mb": limits.disk_mb,
            "cores": limits.cores,
        },
        enforced={
            "seconds": "watch",
            "mem_mb": "cgroup and watch" if "memory" in by_kernel else "watch",
            "processes": "cgroup and watch" if "processes" in by_kernel else counted,
            "disk_mb": "rlimit of a file, watch of the sum",
            "cores": "variables",
            "network": _cut_by(kind, settings),
        },
        warnings=warnings,
    )


def _cut_by(kind: str, settings: SandboxSettings) -> str:
    """What keeps commands off the network, and what of the host they reach without."""
    if kind != "bubblewrap":
        return "nothing"
    if settings.network == "open":
        return "nothing: the host's loopback and abstract sockets can be reached"
    return "namespace"


def _warnings(settings: SandboxSettings, reason: str) -> tuple[str, ...]:
    """What a run without bubblewrap lacks."""
    why = reason if settings.kind == "none" else f"bubblewrap does not work here: {reason}; {_HINT}"
    found = [f"no isolation ({why}): commands run as this user and can read and write what it can"]
    if settings.network != "open":
        found.append("the network is not cut: that needs bubblewrap")
    return tuple(found)
