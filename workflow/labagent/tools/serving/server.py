"""The MCP server: lists the tools of the registry and calls them, each call in a thread of its own."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection
from functools import partial
from typing import Any

from mcp import types
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError

from labagent import __version__
from labagent.errors import ToolError
from labagent.models.tools import Safety, ToolFailure, ToolReply
from labagent.tools.registry import Tool, failure_of, find_tool, registry
from labagent.tools.serving.offering import Answer, answered, error_of, offered
from labagent.tools.serving.workers import Workers

Call = Callable[[str, dict[str, Any]], Answer]
QUICK, LONG = 4, 2
"""Threads for tools marked ``safe`` and ``network``, and those for ``compute``: what runs long never keeps
quick ones waiting."""
INSTRUCTIONS = (
    "Tools on biological sequences, variants, identifiers, proteins and literature. Errors are records with "
    "code, field, value and what is allowed: mend the arguments by them. Positions count from 1; units are "
    "in the schemas. Figures on the effect of a variant are heuristics, not a verdict on disease."
)
logger = logging.getLogger(__name__)


def tool_server(call: Call, safety: Collection[Safety]) -> Server[Any]:
    """A server of all tools.

    Args:
        call: calls a tool by name with JSON values; gives errors back as records. Called in threads.
        safety: the levels that ``call`` lets run; others are listed and said to be refused.
    """
    pools = {"compute": Workers(LONG), "safe": Workers(QUICK)}
    shown = {name: offered(tool, refused=tool.safety not in safety) for name, tool in registry().items()}

    async def list_tools(context: Any, asked: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        """All tools, in one page."""
        return types.ListToolsResult(tools=list(shown.values()))

    def schema_of(name: str) -> dict[str, Any] | None:
        """What the SDK holds headers of requests against; it would ask for the whole list otherwise."""
        return shown[name].input_schema if name in shown else None

    async def call_tool(context: Any, asked: types.CallToolRequestParams) -> types.CallToolResult:
        """One call."""
        tool = _known(asked.name)
        pool = pools["compute" if tool.safety == "compute" else "safe"]
        return answered(await pool.run(partial(_answer, call, tool, asked.arguments or {})))

    return Server(
        "labagent",
        version=__version__,
        instructions=INSTRUCTIONS,
        get_tool_input_schema=schema_of,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


def _known(name: str) -> Tool:
    """The tool of a name; raises the protocol's error, with the error record as its data."""
    try:
        return find_tool(name)
    except ToolError as error:
        raise MCPError(types.INVALID_PARAMS, error.message, error_of(failure_of(error))) from error


def _answer(call: Call, tool: Tool, arguments: dict[str, Any]) -> Answer:
    """What a call gave; an exception of a tool is its fault, logged here and said without its text."""
    try:
        return call(tool.name, arguments)
    except Exception as error:
        logger.exception("%s failed", tool.name)
        failure = ToolFailure(code="result", message=f"{tool.name} failed: {type(error).__name__}")
        return ToolReply(
            tool=tool.name, version=tool.version, arguments=arguments, status="error", error=failure
        )
