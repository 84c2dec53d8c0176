"""A limit of requests a second that holds for all threads and processes of a user on this machine.

A file holds the time of the next free slot on the machine's monotonic clock; whoever wants to ask takes the
slot under the file's lock and sleeps until then outside of it. A killed process leaves no lock behind.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from labagent.errors import InfrastructureError, ToolError
from labagent.locking import locked

WIDTH = 32
STALE = 600.0
"""Seconds: a slot further ahead than this was written before the machine was started anew."""


def shared_folder() -> Path:
    """Where the limits of this user are kept: ``$XDG_CACHE_HOME/labagent/limits``, else ``~/.cache``; a
    folder of the temporary directory where that cannot be written.
    """
    cache = os.environ.get("XDG_CACHE_HOME", "")
    home = Path(cache) if cache.startswith("/") else Path("~/.cache").expanduser()
    for folder in (home / "labagent" / "limits", Path(tempfile.gettempdir()) / f"labagent-{os.getuid()}"):
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError:
            continue
        if os.access(folder, os.W_OK) and folder.stat().st_uid == os.getuid():
            return folder
    return Path(tempfile.mkdtemp(prefix="labagent-limits-"))


class RateLimit:
    """At most one request an interval.

    Args:
        path: file that holds the next free slot; its lock lies beside it.
        interval: seconds between two requests.
        clock: a clock that all processes of the machine share.
        sleep: how to wait.
    """

    def __init__(
        self,
        path: Path,
        interval: float,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.path, self.interval = path, interval
        self._clock, self._sleep = clock, sleep

    def wait(self) -> float:
        """Take the next slot and wait for it; gives its time on the clock."""
        slot = self.take()
        if (ahead := slot - self._clock()) > 0:
            self._sleep(ahead)
        return slot

    def take(self) -> float:
        """Take the next slot without waiting for it."""
        with self._held():
            now = self._clock()
            slot = max(now, self._next(now))
            self._write(slot + self.interval)
        return slot

    def postpone(self, seconds: float) -> None:
        """Nobody asks for so many seconds: the service wishes it."""
        with self._held():
            now = self._clock()
            later = max(self._next(now), now + min(seconds, STALE / 2))
            self._write(later)

    @contextmanager
    def _held(self) -> Iterator[None]:
        """Hold the file's lock; ``unavailable`` where it cannot be had."""
        try:
            with locked(self.path.with_suffix(".lock")):
                yield
        except (InfrastructureError, OSError) as error:
            raise ToolError("unavailable", f"the limit of requests cannot be kept: {error}") from error

    def _write(self, free: float) -> None:
        """Note the next free slot, in one write of one length: a kill leaves the old one or the new one."""
        descriptor = os.open(self.path, os.O_WRONLY | os.O_CREAT, 0o600)
        try:
            os.pwrite(descriptor, f"{free!r:<{WIDTH}}".encode("ascii"), 0)
        finally:
            os.close(descriptor)

    def _next(self, now: float) -> float:
        """The next free slot; what cannot be read, or is left from before a restart, is none."""
        try:
            free = float(self.path.read_text(encoding="ascii"))
        except (OSError, ValueError):
            return now
        return free if now - STALE < free < now + STALE else now
