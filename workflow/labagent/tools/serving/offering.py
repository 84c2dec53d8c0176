"""A tool, and what a call gave, in the words of MCP."""

from __future__ import annotations

import json
from typing import Any

from mcp import types

from labagent.models.asking import CallRecord
from labagent.models.tools import Safety, ToolFailure, ToolReply
from labagent.tools.registry import Tool

Answer = ToolReply | CallRecord
MAY_TAKE: dict[Safety, str] = {
    "safe": "Seconds, no network.",
    "network": "Asks a service or its local copy.",
    "compute": "May take minutes of a core; no network.",
}
PREFIX = "labagent/"


def offered(tool: Tool, *, refused: bool) -> types.Tool:
    """A tool as clients see it: both schemas, hints on safety, examples of arguments.

    Args:
        tool: of the registry.
        refused: whether this server refuses its safety level; it is listed, and says so.
    """
    spec = tool.spec()
    schema = dict(spec.arguments)
    shown = [example.arguments for example in spec.examples if not example.error]
    if shown:
        schema["examples"] = shown
    notes = [spec.summary, MAY_TAKE[spec.safety], *(["Refused by this server."] if refused else [])]
    return types.Tool(
        name=spec.name,
        title=spec.name.replace(".", ": ").replace("_", " "),
        description=" ".join(notes),
        input_schema=schema,
        output_schema=spec.result,
        annotations=types.ToolAnnotations(
            read_only_hint=True,
            destructive_hint=False,
            idempotent_hint=True,
            open_world_hint=spec.safety == "network",
        ),
        meta={f"{PREFIX}version": spec.version, f"{PREFIX}safety": spec.safety, f"{PREFIX}refused": refused},
    )


def answered(answer: Answer) -> types.CallToolResult:
    """What a call gave: the result, or the error record under ``error``; as structure and as text."""
    structure = answer.result if answer.error is None else error_of(answer.error)
    return types.CallToolResult(
        content=[types.TextContent(text=json.dumps(structure, ensure_ascii=False))],
        structured_content=structure,
        is_error=answer.error is not None,
        meta={f"{PREFIX}{key}": value for key, value in _about(answer).items() if value},
    )


def error_of(failure: ToolFailure) -> dict[str, Any]:
    """An error record as JSON values, under ``error``."""
    return {"error": failure.model_dump(mode="json")}


def _about(answer: Answer) -> dict[str, str]:
    """Where a result comes from."""
    about = {"version": answer.version}
    if isinstance(answer, CallRecord):
        about |= {
            "key": answer.key,
            "source": answer.source,
            "retrieved": answer.retrieved,
            "sha256": answer.result_sha256,
        }
    return about
