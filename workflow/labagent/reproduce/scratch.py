"""Working on a node's own disk: where an attempt writes while it lasts, and how its files come back."""

from __future__ import annotations

import hashlib
import os
import shutil
import socket
from pathlib import Path

from labagent.errors import InfrastructureError


def scratch_of(setting: str) -> Path | None:
    """The folder that ``cluster.scratch`` names on this machine; ``None`` where it is empty.

    Raises:
        InfrastructureError: a variable in it is not set here, or there is no such folder.
    """
    if not setting:
        return None
    path = Path(os.path.expandvars(setting))
    if "$" in str(path) or not path.is_dir():
        found = "a variable in it is not set" if "$" in str(path) else f"{path} is no folder"
        message = f"cluster.scratch is {setting}: on {socket.gethostname()} {found}"
        raise InfrastructureError(f"{message}. Name a folder that every node has, or leave it empty")
    return path


def work_folder(scratch: Path | None, folder: Path) -> Path:
    """Where the try of ``folder`` writes: there, or in an empty folder of scratch that is its own."""
    if scratch is None:
        return folder
    name = hashlib.sha256(str(folder.resolve()).encode()).hexdigest()[:16]
    work = scratch / f"labagent-{os.geteuid()}-{name}"
    shutil.rmtree(work, ignore_errors=True)  # of a job that was killed here
    work.mkdir(mode=0o700)
    return work


def bring_back(output: Path, destination: Path) -> None:
    """Copy what a run left; links stay links, and what is neither file nor folder stays behind.

    Raises:
        OSError: something cannot be copied, or the disk is full.
    """

    def special(place: str, names: list[str]) -> list[str]:
        paths = {name: Path(place) / name for name in names}
        return [n for n, p in paths.items() if not (p.is_symlink() or p.is_file() or p.is_dir())]

    try:
        shutil.copytree(output, destination, symlinks=True, ignore=special, dirs_exist_ok=True)
    except shutil.Error as error:
        first = error.args[0][0]
        raise OSError(f"{first[0]}: {first[2]}") from error
