"""Starts the warm server of a workflow run, from which its jobs are forked (docs/design/start-up.md)."""

from __future__ import annotations

import atexit
import os
import shutil
import socket
import stat
import subprocess
import sys
import tempfile
import time
from pathlib import Path

VARIABLE = "LABAGENT_SERVER"
_PREFIX = "labagent-warm-"
_STALE_SECONDS = 3600.0
_BACKLOG = 1024
_END_SECONDS = 5.0


def start_server() -> None:
    """Start the server, and name it to the jobs of this process; both end together.

    A job that finds no server (on another machine, or where it died) runs by itself, so there is none where
    the temporary folder cannot hold a socket: its path is too long, or nothing may be written there.
    """
    _remove_stale()
    with socket.socket(socket.AF_UNIX) as listener:
        try:
            folder = Path(tempfile.mkdtemp(prefix=_PREFIX))
        except OSError:
            return
        address = str(folder / "socket")
        try:
            listener.bind(address)
        except OSError:
            folder.rmdir()
            return
        listener.listen(_BACKLOG)
        lifeline, held = os.pipe()
        words = [sys.executable, "-m", "labagent.cli._server", str(listener.fileno()), str(lifeline)]
        server = subprocess.Popen(
            words, pass_fds=(listener.fileno(), lifeline), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL
        )
    os.close(lifeline)
    os.environ[VARIABLE] = address
    atexit.register(_end, server, held, folder)


def _remove_stale() -> None:
    """Remove folders that servers of this user left behind when they were killed."""
    try:
        found = list(Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"))
    except OSError:
        return
    for folder in found:
        if _is_stale(folder):
            shutil.rmtree(folder, ignore_errors=True)


def _is_stale(folder: Path) -> bool:
    """Whether a folder is this user's, older than an hour, and nobody answers at its socket."""
    try:
        facts = folder.lstat()
        if not stat.S_ISDIR(facts.st_mode) or facts.st_uid != os.getuid():
            return False
        if time.time() - facts.st_mtime < _STALE_SECONDS:
            return False
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(1.0)
            connection.connect(str(folder / "socket"))
    except (ConnectionRefusedError, FileNotFoundError):
        return True
    except OSError:
        return False
    return False


def _end(server: subprocess.Popen[bytes], held: int, folder: Path) -> None:
    """Close the lifeline, wait for the server, remove its folder."""
    os.close(held)
    os.environ.pop(VARIABLE, None)
    try:
        server.wait(_END_SECONDS)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()
    shutil.rmtree(folder, ignore_errors=True)
