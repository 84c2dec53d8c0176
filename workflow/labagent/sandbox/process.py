"""Starts one command in a session of its own, waits for it, and leaves no process of it behind."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from labagent.sandbox.observation import observe
from labagent.sandbox.types import CommandResult

if TYPE_CHECKING:
    import psutil

    from labagent.sandbox.watch import Watch

GRACE = 1.0
"""Seconds between TERM and KILL."""


class Started(Protocol):
    """A command that runs."""

    process: subprocess.Popen[bytes]

    def tree(self) -> list[psutil.Process]:
        """All its processes, those that left its group or lost their parent included."""

    def kill(self) -> None:
        """End every process of it now, and wait until they are gone."""


@dataclass(frozen=True)
class End:
    """How a command ended: ``limit`` is the limit that stopped it, ``note`` a sentence for the agent."""

    seconds: float
    limit: str = ""
    note: str = ""


def follow(started: Started, *, seconds: float, watch: Callable[[], Watch]) -> End:
    """Wait until the command ends or a limit stops it; no process of it is left when this returns.

    Args:
        started: the command.
        seconds: its time limit.
        watch: makes the watch; called only for commands that live longer than one look's pause.
    """
    start = time.monotonic()
    try:
        limit, note = _until_end(started, start, seconds, watch)
        if limit:
            terminate(started.tree())
    finally:
        started.kill()
    return End(time.monotonic() - start, limit, note)


def _until_end(started: Started, start: float, seconds: float, watch: Callable[[], Watch]) -> tuple[str, str]:
    """The limit that was exceeded and a sentence, or two empty texts when the command ended by itself."""
    pause = 0.2
    if ended(started.process, min(pause, seconds)):
        return "", ""
    looking = watch()
    while True:
        left = start + seconds - time.monotonic()
        if left <= 0:
            return "seconds", f"it ran {seconds:g} s, the limit of a command"
        if ended(started.process, min(pause, left)):
            return looking.last_look()
        limit, note = looking.excess()
        if limit:
            return limit, note


def ended(process: subprocess.Popen[bytes], seconds: float) -> bool:
    """Wait up to ``seconds`` for the process itself, without polling where the kernel can tell."""
    if process.poll() is not None:
        return True
    try:
        descriptor = os.pidfd_open(process.pid)
    except (AttributeError, OSError):
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(seconds)
        return process.returncode is not None
    try:
        select.select([descriptor], [], [], seconds)
    finally:
        os.close(descriptor)
    return process.poll() is not None


def terminate(processes: Iterable[psutil.Process]) -> None:
    """TERM to all, then give them the grace to end; who takes their exit status stays as it is."""
    import psutil

    alive = list(processes)
    for process in alive:
        with contextlib.suppress(psutil.Error):
            process.send_signal(signal.SIGTERM)
            process.send_signal(signal.SIGCONT)
    deadline = time.monotonic() + GRACE
    while time.monotonic() < deadline and any(map(is_alive, alive)):
        time.sleep(0.02)


def is_alive(process: psutil.Process) -> bool:
    """Whether a process still runs; a zombie uses nothing."""
    import psutil

    try:
        return bool(process.status() != psutil.STATUS_ZOMBIE)
    except psutil.Error:
        return False


def result(end: End, status: int, output: Path, *, limit: int, name: str) -> CommandResult:
    """The outcome with its observation; the reason of a kill is its last line."""
    number = status - 128 if 128 < status < 128 + signal.NSIG else None
    if number == signal.SIGXFSZ and not end.limit:
        end = replace(end, limit="disk", note="a file grew to the limit of all files together")
    seen = observe(output, limit=limit, name=name)
    text = seen.text
    if end.limit:
        text = f"{text.rstrip(chr(10))}\n[stopped by labagent ({end.limit}): {end.note}]".lstrip("\n")
    timed_out = end.limit == "seconds"
    return CommandResult(
        status=None if timed_out else status,
        timed_out=timed_out,
        signal=None if timed_out else number,
        seconds=end.seconds,
        text=text,
        bytes=seen.bytes,
        omitted=seen.omitted,
        output=output,
        limit=end.limit,
    )


def spawn(
    words: Sequence[str],
    *,
    output: Path,
    variables: dict[str, str],
    cwd: Path | None,
    keep: Sequence[int] = (),
) -> subprocess.Popen[bytes]:
    """Start a process: own session, no input, both outputs in a file, no other descriptor but ``keep``."""
    descriptor = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND | os.O_CLOEXEC, 0o644)
    try:
        return subprocess.Popen(
            words,
            stdin=subprocess.DEVNULL,
            stdout=descriptor,
            stderr=descriptor,
            cwd=cwd,
            env=variables,
            start_new_session=True,
            pass_fds=tuple(keep),
        )
    finally:
        os.close(descriptor)
