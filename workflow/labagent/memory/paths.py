"""Names of files and folders hidden from the patterns of the failure table, without moving a character.

Whoever names a folder ``timeout`` or ``oom_kill`` says nothing about a failure. A path keeps its slashes, its
suffix, and, where it is a program in a ``bin`` folder or a shared library, its last name: tools begin
their messages with those (``/usr/bin/ld: cannot find -lz``).
"""

from __future__ import annotations

import re

_PART = r"(?:[^\s'\"()\[\]{}<>|;,:=/\\]|(?<=\w) (?=[\w-]+(?: [\w-]+)*/))+"
_PATH = re.compile(
    r"(?P<frame>(?<=File \")[^\"\n]+(?=\", line))"
    r"|[A-Za-z][A-Za-z0-9+.-]*://[^\s'\"<>()/]*(?P<address>/[^\s'\"<>()]*)"
    r"|(?<=['\"])(?P<quoted>(?:[A-Za-z]:\\|~?/|\.{1,2}/)[^'\":\n]+|[\w.@%+~-]+(?:/[\w.@%+~-]+)+/?)(?=['\"])"
    rf"|(?<![\w<>/])(?P<absolute>~?/{_PART}(?:/{_PART})*/?)"
    r"|(?<![\w/.-])(?P<relative>(?:[\w.-]+/)+[\w-]+\.\w{1,4}(?=:\d))"
)
_HIDDEN = re.compile(r"[^/\\\n]")
_LAST = re.compile(r"(?:^|[/\\])(?P<name>[^/\\]*)\Z")
_PROGRAM = re.compile(r"(?:^|/)s?bin/[^/]+\Z")
_LIBRARY = re.compile(r"\.(?:so|dylib)(?:\.\d+)*\Z")
_SUFFIX = re.compile(r"\.[A-Za-z0-9]{1,8}\Z")


def hide_paths(text: str) -> str:
    """``text`` with the names in its paths replaced by ``x``; every other character stays at its place."""
    return _PATH.sub(_hidden, text) if "/" in text or "\\" in text else text


def _hidden(found: re.Match[str]) -> str:
    """A match with the part that is a path made neutral."""
    kind = found.lastgroup or ""
    path = found[kind]
    before = found[0][: found.start(kind) - found.start()]
    return before + _neutral(path, whole=kind in {"frame", "address"})


def _neutral(path: str, *, whole: bool) -> str:
    """``path`` without its names; ``whole`` where its last one tells nothing either."""
    keep = 0
    if not whole:
        last = _LAST.search(path)
        if _PROGRAM.search(path) or _LIBRARY.search(path):
            keep = len(last["name"]) if last else 0
        elif suffix := _SUFFIX.search(path):
            keep = len(suffix[0])
    cut = len(path) - keep
    return _HIDDEN.sub("x", path[:cut]) + path[cut:]
