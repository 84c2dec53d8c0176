"""The registry: finds tools, checks arguments and results against their types, turns errors into records."""

from __future__ import annotations

import importlib
import inspect
import json
import pkgutil
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from typing import Any, Literal, TypeVar, cast, get_args, get_type_hints

from pydantic import ValidationError

from labagent.errors import ToolError
from labagent.models.base import Record
from labagent.models.tools import (
    ErrorCode,
    Safety,
    ToolExample,
    ToolFailure,
    ToolFault,
    ToolReply,
    ToolSpec,
)

MARK = "labagent_tool"
SHOWN = 80
EVERY_SAFETY: frozenset[Safety] = frozenset(get_args(Safety))
Function = TypeVar("Function", bound=Callable[..., Record])


@dataclass(frozen=True)
class Tool:
    """A registered tool; ``function`` takes one record of ``arguments`` and returns one of ``result``."""

    name: str
    version: str
    safety: Safety
    summary: str
    function: Callable[[Any], Record]
    arguments: type[Record]
    result: type[Record]
    examples: tuple[ToolExample, ...] = ()

    def spec(self) -> ToolSpec:
        """The tool as shown to users and models, with its JSON schemas."""
        return ToolSpec(
            name=self.name,
            version=self.version,
            safety=self.safety,
            summary=self.summary,
            arguments=self.arguments.model_json_schema(),
            result=self.result.model_json_schema(mode="serialization"),
            examples=self.examples,
        )


def tool(
    *, version: str, safety: Safety = "safe", examples: Sequence[ToolExample] = ()
) -> Callable[[Function], Function]:
    """Mark a function of a namespace module as a tool.

    Args:
        version: ``major.minor``; raised whenever the same arguments may give another result.
        safety: what running it may take.
        examples: calls with facts expected of their results; tests, and shown to users and models.

    The function has one parameter and a return value, both annotated with a ``Record``; the first line of its
    docstring is its summary.
    """

    def mark(function: Function) -> Function:
        setattr(function, MARK, (version, safety, tuple(examples)))
        return function

    return mark


def example(
    arguments: Mapping[str, Any], expect: Mapping[str, Any] | None = None, error: ErrorCode | Literal[""] = ""
) -> ToolExample:
    """An example of a tool: arguments, and places of the result with the values expected there."""
    return ToolExample(arguments=dict(arguments), expect=dict(expect or {}), error=error)


@cache
def registry() -> Mapping[str, Tool]:
    """All tools by name, in the order of names. A module that cannot be imported is an error, not skipped."""
    from labagent.tools import namespaces

    found: dict[str, Tool] = {}
    for info in pkgutil.iter_modules(namespaces.__path__):
        if not info.name.startswith("_"):
            module = importlib.import_module(f"{namespaces.__name__}.{info.name}")
            found.update(
                (made.name, made)
                for member in vars(module).values()
                if hasattr(member, MARK) and member.__module__ == module.__name__
                for made in [_tool_of(info.name, member)]
            )
    return dict(sorted(found.items()))


def find_tool(name: str) -> Tool:
    """The tool called ``name``.

    Raises:
        ToolError: ``unknown_tool``; the message names those there are.
    """
    tools = registry()
    if name not in tools:
        near = get_close_matches(name, tools, n=3)
        hints = [f"did you mean {', '.join(near)}?"] if near else []
        raise ToolError(
            "unknown_tool",
            f"no tool is called {_short(name)!r}",
            field="name",
            value=_short(name),
            allowed=", ".join(tools),
            hints=hints,
        )
    return tools[name]


def call(name: str, arguments: Any, *, safety: Collection[Safety] = EVERY_SAFETY) -> ToolReply:
    """Run a tool on JSON values.

    Args:
        name: ``namespace.function``.
        arguments: an object of JSON values; they are checked strictly (``"1"`` is no number).
        safety: the safety levels that may run here.

    Returns:
        The result, or an error record; errors of a tool are never raised.
    """
    ready = prepare(name, arguments, safety=safety)
    return ready if isinstance(ready, ToolReply) else ready.run()


def prepare(
    name: str, arguments: Any, *, safety: Collection[Safety] = EVERY_SAFETY
) -> PreparedCall | ToolReply:
    """Everything of :func:`call` that comes before running: a call with checked arguments, or an error."""
    try:
        made = find_tool(name)
    except ToolError as error:
        return ToolReply(tool=name, version="", arguments={}, status="error", error=failure_of(error))
    reply = _Replies(made)
    if made.safety not in safety:
        message = f"{name} is marked {made.safety}; allowed here: {', '.join(sorted(safety)) or 'nothing'}"
        return reply.error(ToolFailure(code="refused", message=message))
    try:
        given = checked(made.arguments, arguments)
    except ToolError as error:
        return reply.error(failure_of(error))
    except ValidationError as error:
        return reply.error(_argument_failure(made, error))
    return PreparedCall(made, given, given.model_dump(mode="json"))


@dataclass(frozen=True)
class PreparedCall:
    """A call that may run: ``given`` are its arguments, ``arguments`` the same as JSON, with defaults."""

    tool: Tool
    given: Record
    arguments: dict[str, Any]

    def run(self) -> ToolReply:
        """Run the tool and check what it gives."""
        reply = _Replies(self.tool, self.arguments)
        try:
            result = self.tool.function(self.given)
        except ToolError as error:
            return reply.error(failure_of(error))
        return reply.result(result)


def checked(model: type[Record], values: Any) -> Record:
    """JSON values as a record, strictly; raises ``ValidationError``, for what is no JSON ``ToolError``."""
    try:
        text = json.dumps(values, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise ToolError("arguments", f"the arguments are no JSON values: {error}", allowed="JSON") from error
    return model.model_validate_json(text, strict=True)


def failure_of(error: ToolError) -> ToolFailure:
    """An error as a record."""
    faults: tuple[ToolFault, ...] = ()
    if error.field:
        fault = ToolFault(field=error.field, value=error.value, allowed=error.allowed, message=error.message)
        faults = (fault,)
    code = cast(ErrorCode, error.code)
    return ToolFailure(code=code, message=error.message, faults=faults, hints=error.hints)


@dataclass
class _Replies:
    """Makes the reply of one call."""

    tool: Tool
    arguments: dict[str, Any] | None = None

    def error(self, failure: ToolFailure) -> ToolReply:
        """No result."""
        return self._reply("error", error=failure)

    def result(self, result: Record) -> ToolReply:
        """The result, checked; one that does not fit its type is the tool's fault."""
        try:
            if type(result) is not self.tool.result:
                raise TypeError(f"it is a {type(result).__name__}, not a {self.tool.result.__name__}")
            values = result.model_dump(mode="json")
            checked(self.tool.result, values)
        except (ToolError, ValueError, TypeError) as error:
            message = f"{self.tool.name} gave a result that does not fit its type: {error}"
            return self.error(ToolFailure(code="result", message=message))
        return self._reply("ok", result=values)

    def _reply(self, status: Literal["ok", "error"], **parts: Any) -> ToolReply:
        """A reply about this tool."""
        name, version = self.tool.name, self.tool.version
        return ToolReply(tool=name, version=version, arguments=self.arguments or {}, status=status, **parts)


def _tool_of(namespace: str, function: Callable[..., Record]) -> Tool:
    """A marked function as a tool."""
    version, safety, examples = getattr(function, MARK)
    hints = get_type_hints(function)
    (parameter,) = inspect.signature(function).parameters
    name = f"{namespace}.{function.__name__}"
    summary = (inspect.getdoc(function) or "").partition("\n")[0]
    return Tool(name, version, safety, summary, function, hints[parameter], hints["return"], examples)


def _argument_failure(made: Tool, error: ValidationError) -> ToolFailure:
    """What pydantic found, field by field, with what is allowed there."""
    faults = tuple(_fault(made, dict(entry)) for entry in error.errors(include_url=False))
    fields = ", ".join(dict.fromkeys(f.field for f in faults))
    return ToolFailure(code="arguments", message=f"wrong arguments of {made.name}: {fields}", faults=faults)


def _fault(made: Tool, entry: dict[str, Any]) -> ToolFault:
    """One finding of pydantic."""
    place = [str(part) for part in entry["loc"]]
    field = ".".join(place) or "(all)"
    names = made.arguments.model_fields
    allowed = _allowed(made.arguments.model_json_schema(), place)
    if entry["type"] == "extra_forbidden" or not place:
        allowed = "an object with the fields " + ", ".join(names)
    value = "" if entry["type"] == "missing" else _short(json.dumps(entry["input"], ensure_ascii=False))
    return ToolFault(field=field, value=value, allowed=allowed, message=entry["msg"])


def _allowed(schema: dict[str, Any], place: list[str]) -> str:
    """What a field may hold, in a few words from its JSON schema."""
    found = schema.get("properties", {}).get(place[0] if place else "", {})
    parts = [found.get("description", "")]
    words = {
        k: found[k] for k in ("type", "enum", "minimum", "maximum", "minLength", "maxLength") if k in found
    }
    parts += [json.dumps(words)] if words else []
    return "; ".join(part for part in parts if part)


def _short(text: str) -> str:
    """At most ``SHOWN`` printable characters."""
    clean = "".join(c if c.isprintable() else " " for c in text)
    return clean if len(clean) <= SHOWN else clean[: SHOWN - 1] + "…"
