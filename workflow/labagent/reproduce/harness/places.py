"""What of the host a harness brings into the sandbox: folders, and where its program is."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator
from pathlib import Path

from labagent.models.config import Harness
from labagent.sandbox import Mount, Sandbox, find_on_host

RESERVED = frozenset(
    {"run", "data", "skill", "task", "env", "observations", "labagent", "proc", "dev", "sys", "etc"}
)
PROGRAMS = ("bin", "node_modules/.bin", "")
SECONDS = 20.0


def host_mounts(harness: Harness) -> list[Mount]:
    """The folders that a harness names, shown read-only where they are."""
    return [Mount(path, str(path)) for path in map(_expanded, harness.mounts)]


def programs(harness: Harness) -> list[str]:
    """Folders that may hold its programs: in each mounted one, where installers put them."""
    places = [path / part for path in map(_expanded, harness.mounts) for part in PROGRAMS]
    return [str(place) for place in places if place.is_dir()]


def wrong_mounts(harness: Harness) -> Iterator[str]:
    """Why a mount cannot be used, one sentence each."""
    project, home = Path.cwd().resolve(), Path.home().resolve()
    for path in map(_expanded, harness.mounts):
        real = path.resolve()
        if not path.exists():
            yield f"{path} (mounts) is not there"
        elif project.is_relative_to(real) or real.is_relative_to(project):
            yield f"{path} (mounts) would show the project itself, with its published values"
        elif home.is_relative_to(real):
            yield f"{path} (mounts) would show a whole home folder; name the tool's own folder"
        elif len(path.parts) < 2 or path.parts[1] in RESERVED:
            yield f"{path} (mounts) is a place of the sandbox itself"


def unset(harness: Harness) -> list[str]:
    """Variables it is given that are not set here."""
    return [name for name in harness.env if not os.environ.get(name)]


def locate(program: str, sandbox: Sandbox, output: Path) -> tuple[str, str]:
    """The path of a program as commands see it; else an empty text and why.

    Args:
        program: the first word of a command.
        sandbox: where it must be.
        output: a file for what looking prints.
    """
    host = find_on_host(program)
    places = dict.fromkeys(filter(None, (program, host, str(Path(host).resolve()) if host else "")))
    for place in places:
        found = sandbox.run(f"command -v -- {shlex.quote(place)}", output=output, seconds=SECONDS)
        lines = output.read_text("utf-8", "replace").splitlines()
        if found.status == 0 and lines:
            return lines[-1], ""
    if host:
        folder = Path(host).resolve().parent
        return "", f"{program} is at {host}, which the sandbox does not show; add {folder} to mounts"
    return "", f"{program} is neither on PATH nor in mounts"


def _expanded(mount: str) -> Path:
    """A mount with the home folder in place of ``~``."""
    return Path(mount).expanduser()
