"""Debian control format, as R packages use it."""

from __future__ import annotations

import re

FIELD = re.compile(r"^(?P<name>[A-Za-z][\w@/.-]*):\s*(?P<value>.*)$")


def read_dcf(text: str) -> dict[str, list[tuple[str, int]]]:
    """The fields of the first record: for each, its lines of text with their numbers (from 1)."""
    fields: dict[str, list[tuple[str, int]]] = {}
    current: list[tuple[str, int]] = []
    for number, line in enumerate(text.split("\n"), start=1):
        match = FIELD.match(line)
        if match:
            current = fields.setdefault(match["name"], [])
            current.append((match["value"].strip(), number))
        elif line.strip():
            current.append((line.strip(), number))
        elif fields:
            break
    return fields


def value(fields: dict[str, list[tuple[str, int]]], name: str) -> str:
    """A field's text in one line; empty where it is not there."""
    return " ".join(text for text, _ in fields.get(name, []) if text)
