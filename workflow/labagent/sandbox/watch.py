"""Looks at what a running command uses, and says when it is too much.

Neither ``prlimit`` (address space is no measure of memory for numeric libraries; process counts do not
bind root) nor a file-size limit (many files) is enough, so the tree and the writable folders are watched.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import psutil

from labagent.sandbox.types import Guest, Limits

MB = 1 << 20
TICK = 0.2
"""Seconds between two looks at the process tree."""

_DISK_PAUSE = 3.0
# A look at the folders costs a walk; it comes sooner when the file system lost this share of the quota.
_DISK_TRIGGER = 0.2


class Watch:
    """What one command uses, against its limits.

    Args:
        limits: the sandbox's.
        folders: writable folders of the host that count for the disk limit.
        output: the command's output file.
        tree: the processes of the command, newest state.
        shared: bytes of memory held in private in-memory file systems.
        guest: looks, too, after the limits.
    """

    def __init__(
        self,
        limits: Limits,
        folders: Sequence[Path],
        output: Path,
        tree: Callable[[], list[psutil.Process]],
        shared: Callable[[], int],
        guest: Guest | None = None,
    ) -> None:
        self._limits = limits
        self._folders = tuple(folders)
        self._output = output
        self._tree = tree
        self._shared = shared
        self._guest = guest or Guest()
        self._earliest = self._latest = 0.0
        self._free = self._free_bytes()

    def excess(self) -> tuple[str, str]:
        """The limit that is exceeded and a sentence about it; two empty texts when none is."""
        processes = self._tree()
        if len(processes) > self._limits.processes:
            return "processes", f"{len(processes)} processes, {self._limits.processes} are allowed"
        used = memory_bytes(processes, self._limits.mem_mb * MB) + self._shared()
        if used > self._limits.mem_mb * MB:
            return "memory", f"{used // MB} MB of memory, {self._limits.mem_mb} MB are allowed"
        limit, note = self._disk_excess()
        return (limit, note) if limit else self._guest.look()

    def last_look(self) -> tuple[str, str]:
        """As :meth:`excess`, for a command that has ended: only what it left on disk counts."""
        return self._disk_excess(ended=True)

    def _disk_excess(self, *, ended: bool = False) -> tuple[str, str]:
        """Disk use, looked at now and then, and sooner when the file system fills quickly."""
        quota = self._limits.disk_mb * MB
        free, now = self._free_bytes(), time.monotonic()
        quick = self._free - free > quota * _DISK_TRIGGER
        if not (quick and (ended or now > self._earliest)) and (ended or now < self._latest):
            return "", ""
        used = disk_bytes(self._folders, self._output)
        took = time.monotonic() - now
        self._free = free
        self._earliest, self._latest = now + 5 * took, now + max(_DISK_PAUSE, 20 * took)
        if used > quota:
            return "disk", f"{used // MB} MB on disk, {self._limits.disk_mb} MB are allowed"
        return "", ""

    def _free_bytes(self) -> int:
        """Free bytes of the file systems involved."""
        return sum(free_by_device([*self._folders, self._output.parent]).values())


def free_by_device(paths: Iterable[Path]) -> dict[int, int]:
    """Free bytes by file system of ``paths``."""
    found = {}
    for path in paths:
        device = path.stat().st_dev
        if device not in found:
            state = os.statvfs(path)
            found[device] = state.f_bavail * state.f_frsize
    return found


def disk_bytes(folders: Iterable[Path], *files: Path) -> int:
    """Blocks used below ``folders`` and by ``files``; a file with several names counts once."""
    seen: set[tuple[int, int]] = set()
    total = 0
    stack = [str(folder) for folder in folders]
    for file in files:
        total += _blocks(file.stat(), seen)
    while stack:
        try:
            entries = list(os.scandir(stack.pop()))
        except OSError:
            continue
        for entry in entries:
            try:
                total += _blocks(entry.stat(follow_symlinks=False), seen)
                if entry.is_dir(follow_symlinks=False):
                    stack.append(entry.path)
            except OSError:
                continue
    return total


def _blocks(state: os.stat_result, seen: set[tuple[int, int]]) -> int:
    """Bytes of a file that are not counted yet."""
    if state.st_nlink > 1:
        if (state.st_dev, state.st_ino) in seen:
            return 0
        seen.add((state.st_dev, state.st_ino))
    return state.st_blocks * 512


def memory_bytes(processes: Sequence[psutil.Process], allowed: int) -> int:
    """Memory of a tree: resident sizes, and shared pages once only when their sum is above ``allowed``."""
    resident = 0
    for process in processes:
        try:
            resident += process.memory_info().rss
        except psutil.Error:
            continue
    if resident <= allowed:
        return resident
    return sum(_proportional(process) for process in processes)


def _proportional(process: psutil.Process) -> int:
    """Proportional set size, else resident size, else 0 for a process that is gone."""
    try:
        return int(process.memory_full_info().pss)
    except (psutil.Error, OSError, AttributeError):
        pass
    try:
        return int(process.memory_info().rss)
    except psutil.Error:
        return 0
