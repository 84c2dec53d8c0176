"""Has a command run by the warm server of the workflow that started it, where there is one.

Imports next to nothing: this is what every job of the workflow pays (docs/design/start-up.md).
"""

from __future__ import annotations

import os

VARIABLE = "LABAGENT_SERVER"
PACKAGE = os.path.dirname(os.path.dirname(__file__))  # noqa: PTH120 (pathlib is not imported here)
TAKEN = b"+"
HEADER_BYTES = 8
_DIED = 137
_INTERRUPTED = 130


def ask_server(words: list[str]) -> int | None:
    """Have the server run a command with this process' folder, variables and streams.

    Args:
        words: the command line without the program.

    Returns:
        The exit status; ``None`` where no server took the command, so that it has to run here.
    """
    address = os.environ.get(VARIABLE)
    if not address:
        return None
    import socket

    with socket.socket(socket.AF_UNIX) as connection:
        try:
            connection.connect(address)
            request = _request(words)
            socket.send_fds(connection, [len(request).to_bytes(HEADER_BYTES, "big")], [0, 1, 2])
            connection.sendall(request)
            if connection.recv(1) != TAKEN:
                return None
        except OSError:
            return None
        try:
            status = connection.recv(1)
        except KeyboardInterrupt:
            connection.shutdown(socket.SHUT_WR)
            connection.recv(1)
            return _INTERRUPTED
    return status[0] if status else _DIED


def _request(words: list[str]) -> bytes:
    """The package this process would run, its folder, its command and its variables."""
    variables = [f"{name}={value}" for name, value in os.environ.items()]
    parts = [PACKAGE, os.getcwd(), str(len(words)), *words, *variables]  # noqa: PTH109
    return "\0".join(parts).encode("utf-8", "surrogateescape")
