"""Fixes as commands that hold on another machine and for another name."""

from __future__ import annotations

import platform as host
import re
import sys
from collections.abc import Mapping

from labagent.errors import MemoryStoreError
from labagent.redaction import redact

GENERAL_GROUPS = (
    "distribution", "module", "requirement", "package", "path", "folder", "library", "header", "command",
    "attribute", "argument", "function", "name",
)  # fmt: skip
"""Groups a fix may have a place for; none of them is ever a path of the machine."""

RENDERED_GROUPS = (*GENERAL_GROUPS, "version")

_PLACEHOLDER = re.compile(r"(?<![$\\{])\{([a-z_]+)\}(?!\})")
_SAFE = re.compile(r"[A-Za-z0-9._+/][A-Za-z0-9._+/@%,:~=-]*")
_REQUIREMENT = re.compile(
    r"[A-Za-z0-9][\w.-]*(?:\[[\w,.-]+\])?(?:\s*[<>=!~]=?=?\s*[\w.*+!-]+(?:\s*,\s*[<>=!~]=?=?\s*[\w.*+!-]+)*)?",
    re.ASCII,
)
_NAME = r"[A-Za-z0-9_.+-]"
_SHORTEST = 3


def normalize_fix(command: str, *, paths: Mapping[str, str], groups: Mapping[str, str] | None = None) -> str:
    """``command`` with this machine's paths replaced by ``{name}``, secrets redacted.

    Args:
        command: one shell command that cleared a failure.
        paths: name → absolute path (``env``, ``run``, ``data``, ``skill``, …). The longest path wins.
        groups: what the failing output captured; with it the names in the command become ``{module}`` and
            the like, so that the fix holds for other names. Leave it out where the fix is particular to the
            name.
    """
    text = command.strip()
    places = sorted((p.rstrip("/"), n) for n, p in paths.items() if len(p.rstrip("/")) > 1)
    for path, name in sorted(places, key=lambda place: -len(place[0])):
        text = re.sub(rf"(?<![\w./-]){re.escape(path)}(?![\w.-])", f"{{{name}}}", text)
    for name in GENERAL_GROUPS:
        value = (groups or {}).get(name, "")
        if len(value) >= _SHORTEST:
            text = re.sub(rf"(?<!{_NAME}){re.escape(value)}(?!{_NAME})", f"{{{name}}}", text)
    return redact(text)


def placeholders(fix: str) -> frozenset[str]:
    """Names of the places in a fix: ``{env}``, ``{module}`` … (``${VAR}`` of the shell is none)."""
    return frozenset(_PLACEHOLDER.findall(fix))


def can_render(fix: str, groups: Mapping[str, str]) -> bool:
    """Whether the places for captured names can be filled safely from ``groups``."""
    places = (m for m in _PLACEHOLDER.finditer(fix) if m[1] in RENDERED_GROUPS)
    return all(_is_safe(fix, place, groups.get(place[1], "")) for place in places)


def render_fix(fix: str, groups: Mapping[str, str], paths: Mapping[str, str]) -> str:
    """The command to run here.

    Args:
        fix: of a lesson.
        groups: of the match at hand. They come from a program's output: only plain names and paths are put
            in, and requirements with their versions between single quotes; never what the shell would read.
        paths: name → path on this machine.

    Raises:
        MemoryStoreError: a place cannot be filled; the text names it.
    """

    def value(place: re.Match[str]) -> str:
        name = place[1]
        if name in paths:
            return paths[name]
        if name not in RENDERED_GROUPS:
            return place[0]
        found = groups.get(name, "")
        if not _is_safe(fix, place, found):
            raise MemoryStoreError(f"fix {fix!r}: no safe value for {{{name}}} in this output ({found!r})")
        return found

    return _PLACEHOLDER.sub(value, fix)


def _is_safe(fix: str, place: re.Match[str], value: str) -> bool:
    """Whether a value can stand at a place of a command and mean nothing but itself."""
    if _SAFE.fullmatch(value):
        return True
    before = fix[: place.start()]
    quoted = before.count("'") % 2 == 1 and '"' not in before and "\\" not in before
    return place[1] == "requirement" and quoted and _REQUIREMENT.fullmatch(value) is not None


def environment_fingerprint(
    *, python: str = "", platform: str = "", machine: str = "", **extra: str
) -> dict[str, str]:
    """What a lesson's validity may depend on.

    Args:
        python: version of the run's Python; this process' if not given. Only major.minor is kept.
        platform: ``linux``, ``darwin``, …; this machine's if not given.
        machine: ``x86_64``, ``arm64``, …; this machine's if not given.
        extra: further facts, such as ``builder="conda"`` or ``r="4.4"``.
    """
    version = python or f"{sys.version_info.major}.{sys.version_info.minor}"
    return {
        "python": ".".join(version.split(".")[:2]),
        "platform": platform or sys.platform,
        "machine": machine or host.machine(),
        **{k: v for k, v in sorted(extra.items()) if v},
    }


def compatible(lesson: Mapping[str, str], here: Mapping[str, str] | None) -> bool:
    """Whether a lesson of one environment may hold in another: no stated platform or machine differs."""
    return all(
        not lesson.get(key) or not (here or {}).get(key) or lesson[key] == (here or {})[key]
        for key in ("platform", "machine")
    )
