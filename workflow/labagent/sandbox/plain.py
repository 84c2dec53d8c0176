"""Commands without isolation: the same variables, limits and process handling, with real paths."""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import secrets
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from labagent.models.run import SandboxRecord
from labagent.sandbox.process import follow, is_alive, result, spawn
from labagent.sandbox.types import CommandResult, Guest, Limits, Mount

if TYPE_CHECKING:
    import psutil

_TAG = "LABAGENT_COMMAND"
_PR_SET_CHILD_SUBREAPER = 36


class PlainSandbox:
    """Runs commands as the workflow's own user, on the host's own files."""

    def __init__(
        self,
        *,
        mounts: Sequence[Mount],
        variables: Mapping[str, str],
        cwd: str,
        limits: Limits,
        record: SandboxRecord,
        characters: int,
    ) -> None:
        self._mounts = sorted(mounts, key=lambda mount: len(mount.inside), reverse=True)
        self._limits = limits
        self._characters = characters
        self._variables = {name: self.translate(value) for name, value in variables.items()}
        self._cwd = Path(self.path(cwd))
        self.record = record

    def path(self, name: str) -> str:
        """The real path of what would be at ``name`` inside a sandbox."""
        for mount in self._mounts:
            if name == mount.inside:
                return str(mount.host)
            if name.startswith(mount.inside + "/"):
                return str(mount.host) + name[len(mount.inside) :]
        return name

    def translate(self, value: str) -> str:
        """A variable's value with inside places, alone or in a list with colons, as real paths."""
        return ":".join(self.path(part) for part in value.split(":"))

    def run(self, command: str, *, output: Path, seconds: float, guest: Guest | None = None) -> CommandResult:
        """See :class:`labagent.sandbox.types.Sandbox`."""
        from labagent.sandbox.watch import Watch

        tag = secrets.token_hex(8)
        with _subreaper():
            process = spawn(
                ["bash", "-c", command],
                output=output,
                variables={**self._variables, **(guest.variables if guest else {}), _TAG: tag},
                cwd=self._cwd,
            )
            limit_files(process.pid, self._limits)
            started = _Plain(process, tag)
            writable = [mount.host for mount in self._mounts if mount.writable]
            end = follow(
                started,
                seconds=min(seconds, self._limits.seconds),
                watch=lambda: Watch(self._limits, writable, output, started.tree, lambda: 0, guest),
            )
        return result(end, started.status(), output, limit=self._characters, name=str(output))

    def close(self) -> None:
        """Nothing is kept."""


class _Plain:
    """A command of :class:`PlainSandbox`: its group, and whatever else carries its tag."""

    def __init__(self, process: subprocess.Popen[bytes], tag: str) -> None:
        self.process = process
        self._tag = f"{_TAG}={tag}".encode()

    def status(self) -> int:
        code = self.process.returncode
        return 128 - code if code < 0 else code

    def tree(self) -> list[psutil.Process]:
        import psutil

        found: dict[int, psutil.Process] = {}
        roots = [self.process.pid, *self._adopted()]
        for pid in roots:
            with contextlib.suppress(psutil.Error):
                process = psutil.Process(pid)
                found.update({p.pid: p for p in (process, *process.children(recursive=True))})
        return [p for p in found.values() if is_alive(p)]

    def kill(self) -> None:
        """KILL to the group, then to strays (adopted when their parent ended) until none is left."""
        deadline = time.monotonic() + 5
        while time.monotonic() < deadline:
            if self._kill_group():
                continue
            strays = self._adopted()
            if not strays:
                return
            for pid in strays:
                _kill_tree(pid)

    def _kill_group(self) -> bool:
        """KILL the group and take the exit status of its members; whether some may still be there."""
        if not self._group_lives():
            self.process.wait()
            return False
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-self.process.pid, os.WNOHANG)[0]:
                pass
        if alive := self._group_lives():
            time.sleep(0.002)
        return alive

    def _group_lives(self) -> bool:
        try:
            os.killpg(self.process.pid, 0)
        except (ProcessLookupError, PermissionError):
            return False
        return True

    def _adopted(self) -> list[int]:
        """Processes of this command whose parent ended: they are this process's children now."""
        return [pid for pid in _own_children() if pid != self.process.pid and self._is_ours(pid)]

    def _is_ours(self, pid: int) -> bool:
        try:
            return self._tag in Path(f"/proc/{pid}/environ").read_bytes().split(b"\0") or (
                os.getpgid(pid) == self.process.pid
            )
        except OSError:
            return False


def limit_files(pid: int, limits: Limits, *, processes: int | None = None) -> None:
    """No core files and a largest file, for ``pid`` and all it will start; ``processes`` where it binds."""
    if not sys.platform.startswith("linux"):
        return
    values = {resource.RLIMIT_CORE: 0, resource.RLIMIT_FSIZE: limits.disk_mb << 20}
    if processes is not None:
        values[resource.RLIMIT_NPROC] = processes
    for kind, value in values.items():
        hard = resource.getrlimit(kind)[1]
        value = value if hard == resource.RLIM_INFINITY else min(value, hard)
        with contextlib.suppress(ProcessLookupError):
            resource.prlimit(pid, kind, (value, value))


@contextlib.contextmanager
def _subreaper() -> Iterator[None]:
    """Adopt what commands leave behind, so that it can be found and killed."""
    _set_subreaper(1)
    try:
        yield
    finally:
        _set_subreaper(0)


def _set_subreaper(value: int) -> None:
    if sys.platform.startswith("linux"):
        _prctl()(_PR_SET_CHILD_SUBREAPER, value, 0, 0, 0)


@cache
def _prctl() -> Any:
    """The C function."""
    return ctypes.CDLL(None).prctl


def _own_children() -> list[int]:
    """Children of this process, from the kernel's own list where it has one."""
    lists = list(Path("/proc/self/task").glob("*/children"))
    if not lists:
        import psutil

        return [process.pid for process in psutil.Process().children()]
    return [int(pid) for file in lists for pid in file.read_text().split()]


def _kill_tree(pid: int) -> None:
    """KILL to a stray process and its descendants, and take its exit status."""
    import psutil

    with contextlib.suppress(psutil.Error):
        process = psutil.Process(pid)
        for member in (*process.children(recursive=True), process):
            with contextlib.suppress(psutil.Error):
                member.kill()
    with contextlib.suppress(ChildProcessError):
        os.waitpid(pid, 0)
