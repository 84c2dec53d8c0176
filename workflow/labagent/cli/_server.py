"""The warm server: has the package loaded, and forks one process for each command it is asked for.

Started by ``labagent.workflow.warm`` as ``python -m labagent.cli._server LISTENER LIFELINE`` (two inherited
descriptors). It ends when the lifeline closes, that is with the workflow, however that ends.
"""

from __future__ import annotations

import argparse
import atexit
import contextlib
import gc
import importlib
import os
import select
import shutil
import signal
import socket
import sys
import threading
import time
import traceback
from collections.abc import Callable
from pathlib import Path

from labagent.cli import build_parser, run_command
from labagent.cli._client import HEADER_BYTES, PACKAGE, TAKEN

PRELOADED = (
    "labagent.workflow.jobs",
    "labagent.stage",
    "labagent.select",
    "labagent.skills.frontmatter",
    "labagent.environment",
    "labagent.reproduce",
    "labagent.sandbox.watch",
    "labagent.memory.store",
    "labagent.scoring.score",
)
_GRACE = 30.0
"""Seconds a command has to end after the process that asked for it is gone."""
_TAKE_OVER_SECONDS = 10.0
"""Seconds a request may take to arrive."""
_REQUEST_BYTES = 64 << 20
"""More than the kernel lets a command line and its variables be."""


def serve(listener: socket.socket, lifeline: int, parser: argparse.ArgumentParser) -> None:
    """Fork for each connection until the lifeline closes, then remove the socket; only the server returns."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGCHLD, lambda *_: _reap())
    while True:
        ready, _, _ = select.select([listener.fileno(), lifeline], [], [])
        if lifeline in ready:
            shutil.rmtree(Path(listener.getsockname()).parent, ignore_errors=True)
            return
        connection, _ = listener.accept()
        with connection:
            if os.fork() == 0:
                listener.close()
                os.close(lifeline)
                _in_child(connection, parser)


def preload() -> argparse.ArgumentParser:
    """Import what the jobs of targets import, build the records' validators, look at the machine once.

    Returns:
        The parser of the command line.
    """
    from labagent.environment.pythons import interpreters
    from labagent.models.base import Record
    from labagent.sandbox.bubblewrap import find_bubblewrap

    for name in PRELOADED:
        importlib.import_module(name)
    find_bubblewrap()
    interpreters()
    queue: list[type[Record]] = [Record]
    while queue:
        record = queue.pop()
        queue += record.__subclasses__()
        record.model_rebuild()
    parser = build_parser()
    gc.collect()
    gc.freeze()
    return parser


def _reap() -> None:
    """Take the exit status of commands that ended, and with it what they used."""
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def _in_child(connection: socket.socket, parser: argparse.ArgumentParser) -> None:
    """Run the command of a connection in this process, which ends with it."""
    status = 1
    try:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.signal(signal.SIGINT, _interrupt)
        words = _take_over(connection)
        if words is not None:
            connection.settimeout(None)
            connection.sendall(TAKEN)
            threading.Thread(target=_watch, args=(connection,), daemon=True).start()
            status = exit_status(lambda: run_command(words, parser))
            atexit._run_exitfuncs()
            sys.stdout.flush()
            sys.stderr.flush()
            connection.sendall(bytes([status]))
    finally:
        os._exit(status)


def exit_status(call: Callable[[], int]) -> int:
    """What the interpreter would make of a call: its value, its ``SystemExit``, or 1 and a traceback."""
    try:
        return call() & 0xFF
    except SystemExit as stop:
        if stop.code is None or isinstance(stop.code, int):
            return (stop.code or 0) & 0xFF
        print(stop.code, file=sys.stderr)
    except BaseException:
        traceback.print_exc()
    return 1


def _take_over(connection: socket.socket) -> list[str] | None:
    """Become the process that asked: its folder, variables and streams; its command.

    ``None`` where it would run another installation of the package, or where no whole request came in time.
    """
    received = _receive(connection)
    if received is None:
        return None
    request, descriptors = received
    package, folder, count, *rest = request.decode("utf-8", "surrogateescape").split("\0")
    if package != PACKAGE:
        return None
    for number, descriptor in enumerate(descriptors):
        os.dup2(descriptor, number)
        os.close(descriptor)
    os.chdir(folder)
    os.environ.clear()
    pairs = (item.partition("=") for item in rest[int(count) :])
    os.environ.update({name: value for name, _, value in pairs})
    sys.stdin = open(0, closefd=False)  # noqa: SIM115 (the process' own streams)
    sys.stdout = open(1, "w", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", closefd=False, errors="backslashreplace", buffering=1)  # noqa: SIM115
    return rest[: int(count)]


def _receive(connection: socket.socket) -> tuple[bytes, list[int]] | None:
    """A whole request and the streams sent with it; ``None`` where the other side is gone or too slow."""
    end = time.monotonic() + _TAKE_OVER_SECONDS
    connection.settimeout(_TAKE_OVER_SECONDS)
    try:
        header, descriptors, _, _ = socket.recv_fds(connection, HEADER_BYTES, 3)
        size = int.from_bytes(header, "big")
        if len(header) != HEADER_BYTES or len(descriptors) != 3 or size > _REQUEST_BYTES:
            return None
        request = bytearray()
        while len(request) < size:
            connection.settimeout(max(end - time.monotonic(), 0.001))
            piece = connection.recv(min(1 << 16, size - len(request)))
            if not piece:
                return None
            request += piece
    except OSError:
        return None
    return bytes(request), descriptors


def _interrupt(*_: object) -> None:
    """Interrupt the command once: a terminal's Ctrl-C comes here, too, beside the one of the watch."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    raise KeyboardInterrupt


def _watch(connection: socket.socket) -> None:
    """End the command when the process that asked for it is gone or wants it to end."""
    with contextlib.suppress(OSError):
        connection.recv(1)
    os.kill(os.getpid(), signal.SIGINT)
    threading.Event().wait(_GRACE)
    os._exit(1)


if __name__ == "__main__":
    LISTENER, LIFELINE = (int(word) for word in sys.argv[1:3])
    for number in (LISTENER, LIFELINE):
        os.set_inheritable(number, False)
    serve(socket.socket(fileno=LISTENER), LIFELINE, preload())
