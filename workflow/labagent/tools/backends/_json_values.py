"""Parts of JSON values whose shape is not to be trusted: what is absent or of another type is empty."""

from __future__ import annotations

from typing import Any


def json_dict(value: dict[str, Any], name: str) -> dict[str, Any]:
    """An object of an object."""
    found = value.get(name)
    return found if isinstance(found, dict) else {}


def json_list(value: dict[str, Any], name: str) -> list[dict[str, Any]]:
    """The objects of a list."""
    return [item for item in json_list_any(value, name) if isinstance(item, dict)]


def json_list_any(value: dict[str, Any], name: str) -> list[Any]:
    """A list."""
    found = value.get(name)
    return found if isinstance(found, list) else []


def json_text(value: dict[str, Any], name: str) -> str:
    """A string, on one line."""
    found = value.get(name)
    return " ".join(found.split()) if isinstance(found, str) else ""


def json_value(value: dict[str, Any], name: str) -> str:
    """The ``value`` of an object of an object."""
    return json_text(json_dict(value, name), "value")


def json_int(value: dict[str, Any], name: str) -> int | None:
    """A number."""
    found = value.get(name)
    return found if isinstance(found, int) and not isinstance(found, bool) else None
