"""``labagent mcp``: the tools for clients that speak MCP, over stdio or HTTP."""

from __future__ import annotations

import argparse
import asyncio
import logging
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from labagent.models.ask_settings import Ask
    from labagent.models.asking import StoreMode
    from labagent.models.tools import Safety
    from labagent.tools.serving.server import Call

HELP = "serve the tools to MCP clients (stdio, or HTTP on this machine)"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    parser.add_argument("--http", action="store_true", help="HTTP instead of stdio; prints its address")
    parser.add_argument("--host", default="127.0.0.1", help="127.0.0.1 (default), localhost or ::1")
    parser.add_argument("--port", type=int, default=0, help="of HTTP (default: any free one)")
    allowed = parser.add_mutually_exclusive_group()
    allowed.add_argument("--offline", action="store_true", help="refuse tools marked network")
    allowed.add_argument(
        "--safety", metavar="LEVELS", help="levels that may run, such as safe,compute (default: all)"
    )
    parser.add_argument(
        "--root", type=Path, default=Path(), help="the project's folder (default: the current one)"
    )
    parser.add_argument(
        "--backend",
        action="append",
        default=[],
        dest="backends",
        metavar="NAME",
        help="where proteins and papers are looked up, in this order: facts, live, mirror:FILE; may be given "
        "several times (default: ask.backends of the project's configuration, else facts)",
    )
    parser.add_argument(
        "--store",
        type=Path,
        metavar="DIR",
        help="keep calls here (default: ask.calls in a project, else nowhere)",
    )
    parser.add_argument(
        "--mode",
        choices=("live", "record", "replay", "auto"),
        help="what is done with the store (default: ask.store, else auto: read, and write what is not there)",
    )


def run(args: argparse.Namespace) -> int:
    """Serve until the input ends (stdio) or a signal comes."""
    from labagent.tools.serving.server import tool_server
    from labagent.tools.serving.transports import bound, serve_http, serve_stdio

    safety = _safety(args)
    _log_to_stderr()
    server = tool_server(_call(args, safety), safety)
    try:
        if args.http:
            listener, address = bound(args.host, args.port)
            print(address, flush=True)
            asyncio.run(serve_http(server, listener))
        else:
            asyncio.run(serve_stdio(server))
    except KeyboardInterrupt:
        return 130
    return 0


def _safety(args: argparse.Namespace) -> frozenset[Safety]:
    """The levels that may run here.

    Raises:
        ToolError: there is no such level.
    """
    from labagent.errors import ToolError
    from labagent.tools.registry import EVERY_SAFETY

    if args.offline:
        return EVERY_SAFETY - {"network"}
    if args.safety is None:
        return EVERY_SAFETY
    named = [word.strip() for word in args.safety.split(",")]
    if wrong := next((word for word in named if word not in EVERY_SAFETY), None):
        allowed = ", ".join(sorted(EVERY_SAFETY))
        raise ToolError(
            "arguments", f'no safety level "{wrong}"; there are: {allowed}', field="--safety", value=wrong
        )
    return frozenset(level for level in EVERY_SAFETY if level in named)


def _call(args: argparse.Namespace, safety: frozenset[Safety]) -> Call:
    """How the server calls a tool: through a caller that is made anew for each call.

    Raises:
        ToolError: a backend does not exist or cannot be opened.
    """
    from labagent.models.ask_settings import Ask
    from labagent.tools.backends import connect_all
    from labagent.tools.configured import make_caller, settings_of

    inside = (args.root / "config" / "config.yaml").is_file()
    ask = _configured(args.root) if inside else Ask()
    mode: StoreMode | None = args.mode or (None if inside or args.store else "live")
    if (mode or ask.store) != "replay" and "network" in safety:
        connect_all(args.backends or ask.backends, settings_of(ask, args.root))

    return lambda name, arguments: make_caller(
        ask, args.root, backends=args.backends, mode=mode, folder=args.store, safety=safety
    ).call(name, arguments)


def _configured(root: Path) -> Ask:
    """The section ``ask`` of a project's configuration."""
    from labagent.inputs import load_config

    return load_config(root).ask


def _log_to_stderr() -> None:
    """Warnings go to standard error, without secrets."""
    from labagent.redaction import redact

    class Redacted(logging.Formatter):
        def format(self, record: logging.LogRecord) -> str:
            return redact(super().format(record))

    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Redacted("labagent mcp: %(levelname)s %(message)s"))
    logging.basicConfig(level=logging.WARNING, handlers=[handler])
