"""Tools: what one is, what a call gives back. The types of each tool's arguments lie beside the tool."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from labagent.models.base import Record

Safety = Literal["safe", "network", "compute"]
"""``safe``: seconds, no network. ``network``: asks a service. ``compute``: may take minutes of a core."""

ErrorCode = Literal[
    "unknown_tool",
    "arguments",
    "input",
    "mismatch",
    "range",
    "ambiguous",
    "limit",
    "not_found",
    "refused",
    "unavailable",
    "result",
    "not_recorded",
]
"""``arguments``: they do not fit the schema. ``input``: they do, but cannot be read as what they should be.
``mismatch``: the stated residue is not the one there. ``range``: a position outside. ``ambiguous``: more than
one reading. ``limit``: too much for this tool. ``not_found``: the source has no such entry. ``refused``: the
safety level is not allowed here. ``unavailable``: the source cannot be reached. ``result``: the tool itself
is at fault. ``not_recorded``: a replay does not have this call."""


class ToolFault(Record):
    """One argument that is wrong: its name (dotted), what was given, what is allowed."""

    field: str
    value: str = ""
    allowed: str = ""
    message: str


class ToolFailure(Record):
    """Why a call has no result."""

    code: ErrorCode
    message: str
    faults: tuple[ToolFault, ...] = ()
    hints: tuple[str, ...] = ()


class ToolExample(Record):
    """A call and what is expected of it: a test of the tool, and shown beside it.

    ``expect`` maps places in the result (``records.0.length``; a ``#`` at the end counts a list) to values;
    figures agree to six digits. With ``error`` it has no result, but an error of that code.
    """

    arguments: dict[str, Any]
    expect: dict[str, Any] = Field(default_factory=dict)
    error: ErrorCode | Literal[""] = ""


class ToolSpec(Record):
    """A tool as it is shown to users and models; schemas are JSON schemas (draft 2020-12)."""

    name: str = Field(pattern=r"^[a-z]+\.[a-z_]+$")
    version: str = Field(pattern=r"^\d+\.\d+$")
    safety: Safety
    summary: str
    arguments: dict[str, Any]
    result: dict[str, Any]
    examples: tuple[ToolExample, ...] = ()


class ToolReply(Record):
    """What a call gave: ``result`` or ``error``, never both. ``arguments`` are whole, with defaults."""

    tool: str
    version: str
    arguments: dict[str, Any]
    status: Literal["ok", "error"]
    result: dict[str, Any] | None = None
    error: ToolFailure | None = None
