"""One process at a time makes an attempt: one of a killed workflow may still be at it."""

from __future__ import annotations

import contextlib
import os
import socket
from collections.abc import Iterator
from pathlib import Path

from labagent.errors import InfrastructureError

LOCK = ".lock"
HOLDER = ".lock.holder"
WAIT_SECONDS = 20.0


@contextlib.contextmanager
def guarded(folder: Path, *, seconds: float = WAIT_SECONDS) -> Iterator[None]:
    """Hold the lock of an attempt's folder; the kernel frees it when its holder dies.

    Args:
        folder: the attempt's folder, made where it is not there.
        seconds: how long to wait for another process.

    Raises:
        InfrastructureError: another process still makes the attempt, or no lock can be made there.
    """
    from filelock import FileLock, Timeout

    lock = FileLock(folder / LOCK, timeout=seconds)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock.acquire()
        (folder / HOLDER).write_text(f"{os.getpid()} {socket.gethostname()}\n", encoding="utf-8")
    except Timeout as error:
        raise InfrastructureError(_busy(folder, seconds)) from error
    except OSError as error:
        raise InfrastructureError(f"{folder}: {error}") from error
    try:
        yield
    finally:
        (folder / HOLDER).unlink(missing_ok=True)
        lock.release()


def _busy(folder: Path, seconds: float) -> str:
    """What is the matter, and what to do."""
    try:
        pid, host = (folder / HOLDER).read_text(encoding="utf-8").split()
    except (OSError, ValueError):
        who, end = "another process", "end it"
    else:
        who, end = f"another process ({pid} on {host})", f"end it there with `kill {pid}`"
    return (
        f"{folder}: {who} is still attempting this entry, most likely one of a workflow that was killed; "
        f"waited {seconds:g} s. Wait until it is done, or {end}; then start the workflow again"
    )
