"""Locks of files that several processes, also of several machines, change together; who they are."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from labagent.errors import InfrastructureError

LOCK_SECONDS = 120.0
POLL_SECONDS = 0.01
_PROC = Path("/proc")
_NO_FLOCK = {errno.ENOSYS, errno.ENOLCK, errno.EOPNOTSUPP, errno.EINVAL}


@contextmanager
def locked(path: Path, seconds: float = LOCK_SECONDS) -> Iterator[None]:
    """Hold the lock file ``path``.

    ``flock`` where the file system has it: the kernel gives it up when the holder dies, and on NFS turns it
    into a lock of the server. Elsewhere a marker file, which a process of the same host may take over from
    a dead one.

    Args:
        path: the lock file, made where it is not there.
        seconds: how long to wait for another process.

    Raises:
        InfrastructureError: the lock was not free in time.
        OSError: the lock file cannot be made.
    """
    from filelock import FileLock, SoftFileLock, Timeout

    try:
        lock: FileLock | SoftFileLock = FileLock(path, timeout=seconds, mode=0o666)
        try:
            lock.acquire(poll_interval=POLL_SECONDS)
        except (NotImplementedError, OSError) as error:
            if isinstance(error, OSError) and error.errno not in _NO_FLOCK:
                raise
            lock = SoftFileLock(path.with_name(path.name + ".marker"), timeout=seconds)
            lock.acquire(poll_interval=POLL_SECONDS)
    except Timeout as error:
        raise InfrastructureError(
            f"{path}: held by another process for {seconds:.0f} s; if none is running, remove it"
        ) from error
    try:
        yield
    finally:
        lock.release()


def process_mark(pid: int) -> str:
    """What tells a process from later ones of its number: when it began, and in which start of the machine.

    Taken from the kernel's own count, so that a clock that is set changes nothing.

    Args:
        pid: its number.

    Returns:
        The mark; empty where there is no such process, or only what is left of one (a zombie).
    """
    try:
        stat = (_PROC / str(pid) / "stat").read_text()
        boot = (_PROC / "sys/kernel/random/boot_id").read_text().strip()
    except OSError:
        return "" if (_PROC / "self").exists() else _without_proc(pid)
    fields = stat.rpartition(")")[2].split()
    return "" if fields[0] == "Z" else f"{boot} {fields[19]}"


def _without_proc(pid: int) -> str:
    """The same on systems without /proc."""
    import psutil

    try:
        return f"{psutil.Process(pid).create_time():.0f}"
    except psutil.Error:
        return ""
