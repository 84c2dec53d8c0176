"""A control group for one sandbox, where the host lets us make one.

Version 2 gives processes and memory; of version 1 only ``pids`` is used. Without one the watch
(``watch.py``) is what holds.
"""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path

_ROOT = Path("/sys/fs/cgroup")
_PREFIX = "labagent-"


class ControlGroup:
    """Limits on the number of tasks and, in version 2, on memory, for every process put into it."""

    def __init__(self, folder: Path, controllers: tuple[str, ...]) -> None:
        self.folder = folder
        self.controllers = controllers

    def add(self, pid: int) -> bool:
        """Put a process in, and with it all it will start; whether the kernel took it."""
        try:
            (self.folder / "cgroup.procs").write_text(str(pid))
        except OSError:
            return False
        return True

    def refused(self) -> dict[str, int]:
        """How often the kernel refused a new task (``processes``) or killed for memory (``memory``)."""
        return {
            "processes": _event(self.folder / "pids.events", "max"),
            "memory": _event(self.folder / "memory.events", "oom_kill"),
        }

    def close(self) -> None:
        """Remove the group; it is empty once its processes are gone."""
        with contextlib.suppress(OSError):
            self.folder.rmdir()


def open_group(*, processes: int, mem_mb: int) -> ControlGroup | None:
    """A new group with these limits, or ``None`` where none can be made and used."""
    for parent in _parents():
        _sweep(parent)
        folder = parent / f"{_PREFIX}{os.getpid()}-{secrets.token_hex(4)}"
        try:
            folder.mkdir()
        except OSError:
            continue
        if controllers := _set_limits(folder, processes, mem_mb):
            return ControlGroup(folder, controllers)
        folder.rmdir()
    return None


def _parents() -> list[Path]:
    """Folders below which this process may be allowed to make groups, best first."""
    try:
        lines = Path("/proc/self/cgroup").read_text().splitlines()
    except OSError:
        return []
    own = {line.split(":", 2)[1]: line.split(":", 2)[2].lstrip("/") for line in lines}
    found = []
    if "" in own and (_ROOT / "cgroup.controllers").exists():
        found = [(_ROOT / own[""]).parent, _ROOT / own[""]] if own[""] else [_ROOT]
    if "pids" in own:
        found.append(_ROOT / "pids" / own["pids"])
    return [folder for folder in found if os.access(folder, os.W_OK)]


def _set_limits(folder: Path, processes: int, mem_mb: int) -> tuple[str, ...]:
    """Write the limits the group offers; those that were taken."""
    taken = []
    if _write(folder / "pids.max", str(processes)):
        taken.append("processes")
    if _write(folder / "memory.max", str(mem_mb << 20)):
        _write(folder / "memory.swap.max", "0")
        taken.append("memory")
    return tuple(taken)


def _write(path: Path, value: str) -> bool:
    """Set a control file that exists."""
    if not path.exists():
        return False
    try:
        path.write_text(value)
    except OSError:
        return False
    return True


def _event(path: Path, name: str) -> int:
    """A counter of an events file, 0 where it is absent."""
    try:
        counters = dict(line.split() for line in path.read_text().splitlines())
    except (OSError, ValueError):
        return 0
    return int(counters.get(name, 0))


def _sweep(parent: Path) -> None:
    """Remove groups left by workflows that were killed."""
    for folder in parent.glob(f"{_PREFIX}*-*"):
        pid = folder.name.removeprefix(_PREFIX).partition("-")[0]
        if pid.isdigit() and not Path(f"/proc/{pid}").exists():
            with contextlib.suppress(OSError):
                folder.rmdir()
