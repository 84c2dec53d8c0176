"""Starts the warm server of a workflow run, from which its jobs are forked (docs/design/start-up.md)."""

from __future__ import annotations

import atexit
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

VARIABLE = "LABAGENT_SERVER"
_BACKLOG = 1024
_END_SECONDS = 5.0


def start_server() -> None:
    """Start the server, and name it to the jobs of this process; both end together.

    A job that finds no server (on another machine, or where it died) runs by itself, so there is none where
    the temporary folder cannot hold a socket: its path is too long, or nothing may be written there.
    """
    with socket.socket(socket.AF_UNIX) as listener:
        try:
            folder = Path(tempfile.mkdtemp(prefix="labagent-warm-"))
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
