"""What a store has that is nearest to a call it does not have."""

from __future__ import annotations

import json
from difflib import SequenceMatcher
from typing import Any

from labagent.models.tools import ToolFailure
from labagent.tools.store.calls import CallStore, Stored

SHOWN = 60
COMPARED = 2000
MOST = 5000


def miss(store: CallStore, tool: str, version: str, arguments: dict[str, Any]) -> ToolFailure:
    """The error of a call that is not recorded: names the nearest one and what differs there."""
    best: tuple[float, Stored] | None = None
    count = 0
    for count, entry in enumerate(store.entries(tool), 1):
        score = _likeness(arguments, entry.arguments) + (entry.version == version) * 1e-6
        if best is None or score > best[0]:
            best = score, entry
        if count >= MOST:
            break
    message = f"not recorded: {tool} {version} with {_shown(arguments)}"
    if best is None:
        return ToolFailure(
            code="not_recorded", message=f"{message}; no call of {tool} is", hints=(_hint(store),)
        )
    near = best[1]
    differs = "; ".join(_differences(version, arguments, near))
    return ToolFailure(
        code="not_recorded",
        message=f"{message}; nearest of {count}: {near.tool} {near.version} with {_shown(near.arguments)}",
        hints=(f"differs in {differs}", _hint(store)),
    )


def _hint(store: CallStore) -> str:
    """What to do."""
    return f"record it (mode record or auto); the store is {store.folder.name}/"


def _differences(version: str, arguments: dict[str, Any], near: Stored) -> list[str]:
    """Field by field, what was asked and what is recorded."""
    found = [] if near.version == version else [f"version: {version}, recorded {near.version}"]
    for name in sorted(arguments.keys() | near.arguments.keys()):
        asked, kept = arguments.get(name), near.arguments.get(name)
        if asked != kept:
            found.append(f"{name}: {_shown(asked)}, recorded {_shown(kept)}")
    return found or ["nothing but its address"]


def _likeness(a: dict[str, Any], b: dict[str, Any]) -> float:
    """How alike two sets of arguments are, 0 to 1: the mean over fields."""
    names = a.keys() | b.keys()
    if not names:
        return 1.0
    return sum(_alike(a.get(n), b.get(n)) for n in names) / len(names)


def _alike(a: Any, b: Any) -> float:
    """How alike two values are, 0 to 1."""
    if a == b:
        return 1.0
    left, right = _text(a)[:COMPARED], _text(b)[:COMPARED]
    return 0.99 * SequenceMatcher(None, left, right, autojunk=False).ratio()


def _text(value: Any) -> str:
    """A value for comparing."""
    return value if isinstance(value, str) else json.dumps(value, sort_keys=True, ensure_ascii=False)


def _shown(value: Any) -> str:
    """A value for reading."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=False)
    return text if len(text) <= SHOWN else text[: SHOWN - 1] + "…"
