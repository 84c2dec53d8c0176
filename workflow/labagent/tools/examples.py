"""Facts expected of a result, held against it: for the examples of tools and of skills."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

from labagent.errors import ToolError

SIX_DIGITS = 5e-7
MISSING = object()


def differences(result: Any, expect: Mapping[str, Any]) -> list[str]:
    """What a result has otherwise than expected, a line each.

    Args:
        result: a JSON value.
        expect: places in it to values: names and positions (from 0) joined by dots; ``#`` at the end is how
            many items (of a list), keys or letters there are. Figures agree to six digits.
    """
    found = []
    for place, wanted in expect.items():
        value = at(result, place)
        if value is MISSING:
            found.append(f"{place} is not there, expected {_short(wanted)}")
        elif not _agree(value, wanted):
            found.append(f"{place} is {_short(value)}, expected {_short(wanted)}")
    return found


def at(result: Any, place: str) -> Any:
    """The value at a place, ``MISSING`` where there is none."""
    value = result
    for part in place.split("."):
        if isinstance(value, dict) and part in value:
            value = value[part]
        elif isinstance(value, list | tuple) and part.isdecimal() and int(part) < len(value):
            value = value[int(part)]
        elif part == "#" and isinstance(value, dict | list | tuple | str):
            value = len(value)
        else:
            return MISSING
    return value


def failed_example(name: str, index: int) -> list[str]:
    """Run an example of a tool here, without a store: what came otherwise than expected.

    Args:
        name: the tool.
        index: which of its examples, from 0.

    Raises:
        ToolError: there is no such tool or example.
    """
    from labagent.tools.registry import call, find_tool

    examples = find_tool(name).examples
    if not 0 <= index < len(examples):
        raise ToolError("range", f"{name} has {len(examples)} examples", field="index", value=str(index))
    example = examples[index]
    reply = call(name, example.arguments)
    code = reply.error.code if reply.error else ""
    if code != example.error:
        return [f"error is {code or 'none'}, expected {example.error or 'none'}"]
    return differences(reply.result, example.expect)


def _agree(value: Any, wanted: Any) -> bool:
    """Whether two JSON values are the same; figures to six digits."""
    if isinstance(value, bool) or isinstance(wanted, bool):
        return value is wanted
    if isinstance(value, int | float) and isinstance(wanted, int | float):
        return math.isclose(value, wanted, rel_tol=SIX_DIGITS)
    if isinstance(value, list | tuple) and isinstance(wanted, list | tuple):
        return len(value) == len(wanted) and all(map(_agree, value, wanted))
    if isinstance(value, dict) and isinstance(wanted, dict):
        return value.keys() == wanted.keys() and all(_agree(value[k], wanted[k]) for k in value)
    return bool(value == wanted)


def _short(value: Any) -> str:
    """A value in at most 80 characters."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 80 else text[:79] + "…"
