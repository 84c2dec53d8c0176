"""How the MCP server is reached: standard input and output, or HTTP on this machine."""

from __future__ import annotations

import logging
import socket
from typing import Any

from mcp.server.lowlevel import Server

from labagent.errors import ToolError

LOOPBACK = ("127.0.0.1", "localhost", "::1")
PATH = "/mcp"
MAX_BODY = 64 << 20
"""Bytes of a request: the longest sequence a tool reads, and what is around it."""
LEAVE_SECONDS = 3
"""Seconds that requests have to end after the server was told to."""
logger = logging.getLogger(__name__)


async def serve_stdio(server: Server[Any]) -> None:
    """Answer on standard output until standard input ends; what else is printed goes to standard error.

    A client that goes away in the middle of a call ends the server, too; what still runs is left.
    """
    from mcp.server.stdio import stdio_server

    try:
        async with stdio_server() as (incoming, outgoing):
            await server.run(incoming, outgoing, server.create_initialization_options())
    except* BrokenPipeError:
        logger.warning("the client is gone")


def bound(host: str, port: int) -> tuple[socket.socket, str]:
    """A socket that listens, and the address under which the server will be.

    Args:
        host: a name of this machine's loopback interface.
        port: 0 takes a free one.

    Raises:
        ToolError: ``refused`` for addresses that others reach; ``unavailable`` where the port is taken.
    """
    if host not in LOOPBACK:
        message = f"{host} may be reached by other machines, and the server asks for no login"
        raise ToolError("refused", message, field="--host", value=host, allowed=", ".join(LOOPBACK))
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio turns Nagle's algorithm off only where the protocol is named; without that a call takes 50 ms
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(128)
    except (OSError, OverflowError) as error:
        listener.close()
        message = f"port {port} of {host} cannot be used: {getattr(error, 'strerror', '') or error}"
        raise ToolError("unavailable", message, field="--port", value=str(port), allowed="0: any") from error
    shown = f"[{host}]" if ":" in host else host
    return listener, f"http://{shown}:{listener.getsockname()[1]}{PATH}"


async def serve_http(server: Server[Any], listener: socket.socket) -> None:
    """Answer HTTP requests until told to end.

    Requests whose ``Host`` or ``Origin`` names something else than this machine are refused, so that no web
    page can reach the server through a name of its own (DNS rebinding). No state is kept between requests.
    """
    import uvicorn

    app = server.streamable_http_app(
        streamable_http_path=PATH,
        json_response=True,
        stateless_http=True,
        max_request_body_size=MAX_BODY,
        host="127.0.0.1",
    )
    config = uvicorn.Config(
        app,
        log_config=None,
        log_level="warning",
        access_log=False,
        timeout_graceful_shutdown=LEAVE_SECONDS,
    )
    await uvicorn.Server(config).serve(sockets=[listener])
