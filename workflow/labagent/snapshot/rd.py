"""R documentation files: sections of ``man/*.Rd`` with the lines they stand on."""

from __future__ import annotations

import re
from dataclasses import dataclass

ESCAPE = re.compile(r"\\([%{}\\])")
WRAPPER = re.compile(r"\\(dontrun|donttest|dontshow|testonly|dontdiff)\s*\{")


@dataclass(frozen=True)
class Section:
    """A section's text without its braces; lines count from 1."""

    name: str
    text: str
    first_line: int
    last_line: int


def sections(text: str) -> list[Section]:
    """The top-level sections ``\\name{…}``, in order; a section that is never closed ends the list."""
    found = []
    at = 0
    opening = re.compile(r"^\\(\w+)\s*\{", re.MULTILINE)
    while match := opening.search(text, at):
        end = _closing(text, match.end())
        if end < 0:
            break
        first = text.count("\n", 0, match.end()) + 1
        last = text.count("\n", 0, end) + 1
        found.append(Section(match[1], text[match.end() : end], first, last))
        at = end + 1
    return found


def _closing(text: str, at: int) -> int:
    """The offset of the brace that closes the one before ``at``; -1 where none does."""
    depth = 1
    while at < len(text):
        char = text[at]
        if char == "\\":
            at += 2
            continue
        if char == "%":
            at = text.find("\n", at)
            if at < 0:
                return -1
            continue
        depth += (char == "{") - (char == "}")
        if depth == 0:
            return at
        at += 1
    return -1


def code(text: str) -> str:
    """The R code of an examples section: wrappers opened, comments of Rd dropped, escapes undone."""
    text = re.sub(r"(?m)(?<!\\)%.*$", "", text)
    while match := WRAPPER.search(text):
        end = _closing(text, match.end())
        if end < 0:
            break
        inner = "" if match[1] in ("dontshow", "testonly") else text[match.end() : end]
        text = text[: match.start()] + inner + text[end + 1 :]
    return ESCAPE.sub(r"\1", text)


def plain(text: str) -> str:
    """Text of a title in one line, without markup."""
    return " ".join(re.sub(r"\\\w+\s*\{([^{}]*)\}", r"\1", ESCAPE.sub(r"\1", text)).split())
