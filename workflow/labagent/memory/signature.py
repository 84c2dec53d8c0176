"""Signatures: what stays of an error line when everything that differs between machines is taken out."""

from __future__ import annotations

import re
from collections.abc import Mapping

LENGTH = 240

NEUTRAL_GROUPS = frozenset({"path", "python", "version", "host", "folder", "file"})
"""Captured groups that differ from machine to machine or target to target."""

_FILE = r"(?:[^\s'\"()\[\]{}<>|;,:=/]|(?<=\w) (?=[\w-]+(?: [\w-]+)*/))+"
_RELEASE = r"(?:[._-]?(?:a|b|rc|alpha|beta|post|dev)\d*)*"
_UNIT = r"(?:\s?(?:ms|s|sec|seconds?|minutes?|[KMGT]i?B|bytes)\b)?"
_RULES: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        (r"\s*Did you mean:?.*$", ""),
        (r"\(from versions:.*", ""),
        (r"^\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d[\d.,]*(?:Z|[+-]\d\d:?\d\d)?\]?[\s:-]*", ""),
        (r"\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d[\d.,]*)?)?Z?", "<time>"),
        (r"\b\d\d:\d\d:\d\d(?:[.,]\d+)?\b", "<time>"),
        (r"\b[A-Za-z][A-Za-z0-9+.-]*://[^\s'\"()<>]+", "<url>"),
        (r"\b[\w.+-]+@[\w.-]+(?:\.\w+|(?=:))", "<user>"),
        (r"(?<=['\"(])(?:[A-Za-z]:\\|~?/)[^'\"()\n]*(?=['\")])", "<path>"),
        (r"(?<=['\"])\.{0,2}(?:[^'\"()\n/:=]+/)+[^'\"()\n/]*(?=['\"])", "<path>"),
        (r"\b[A-Za-z]:\\[^\s'\"()]+", "<path>"),
        (r"~?(?<![\w<>])/" + _FILE + r"(?:/" + _FILE + r")*/?", "<path>"),
        (r"(?<![\w<>])\.{0,2}(?:[\w.+@%~-]+/)+[\w.+@%~-]*", "<path>"),
        (r"\bline \d+(?: column \d+)?(?: \(char \d+\))?", "line <n>"),
        (r"\b0x[0-9a-fA-F]+\b", "<hex>"),
        (r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b", "<hex>"),
        (r"\b(?=[a-f]*\d)[0-9a-f]{12,}\b", "<hex>"),
        (r"\b(lib[A-Za-z][\w+-]*?)(?:-[\d.]+)?\.so(?:\.\d+)*", r"\1.so"),
        (r"\b(?:tmp|temp)[A-Za-z0-9_]{6,}\b|\bpip-[a-z-]+-\w{6,}\b|\bRtmp\w{6}\b", "<tmp>"),
        (r"(?:user|User|USER)(?:name)?[ =:]+'?[\w.-]+'?", "user <user>"),
        (rf"(?<![\w.])v?\d+(?:\.(?:\d+|[xX*]))+{_RELEASE}(?:\+[\w.]+)?(?!\w)", "<version>"),
        (r"(?<=[=<>~!])\s?v?\d[\w.*+!-]*", "<version>"),
        (r"\b(Errno|errno|code|sm_)\s?(\d+)", r"\1_\2"),
        (rf"(?<![\w.<])[-+]?\d+(?:[.,]\d+)*(?:[eE][-+]?\d+)?{_UNIT}(?![\w.]*\w)", "<n>"),
        (r"\(\s*(?:<path>|unknown location)\s*\)", ""),
        (r"(?:\w+\.)+(\w+\(\))", r"\1"),
        (r"['\"]", "'"),
        (r"\s+", " "),
    )
)  # fmt: skip


def normalize(line: str, groups: Mapping[str, str] | None = None) -> str:
    """``line`` without paths, versions, numbers, names of users and temporary files, addresses and times.

    Names of modules, attributes and distributions stay. ``groups`` are what the class's row captured; those
    that name a place or a version are taken out whole, whatever they look like.
    """
    text = line[: 8 * LENGTH]
    for name, value in (groups or {}).items():
        if name in NEUTRAL_GROUPS and len(value) > 1:
            text = text.replace(value, "<path>" if name in {"path", "folder", "file"} else "<version>")
    for pattern, replacement in _RULES:
        text = pattern.sub(replacement, text)
    return text.strip(" .:")[:LENGTH].rstrip()
