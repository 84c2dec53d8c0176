"""No published value of any target stands in a skill, or in what it cites."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from labagent.files import list_files
from labagent.skills.finding import Context, Finding, Scan, Skipped
from labagent.skills.passages import Unresolved, passage
from labagent.skills.read import EVIDENCE, VERDICT, evidence_lines

ID, TIER, ORDER = "published-values", 1, 75
SOURCES = "assets/source/"  # the lab's own released code, sealed when it was staged
MAX_BYTES = 1 << 20


def check(context: Context) -> Iterator[Finding]:
    """Every text of the skill, then the places that evidence points to; values are never told."""
    if context.scan is None:
        raise Skipped("the references of the targets are not at hand")
    for path in _texts(context.folder):
        name = path.relative_to(context.folder).as_posix()
        for leak in context.scan(path.read_text(encoding="utf-8", errors="replace")):
            message = f'holds the published value of "{leak.quantity}" of the target "{leak.target}"'
            yield Finding(message, name, leak.line)
    yield from _cited(context, context.scan)


def _texts(folder: Path) -> Iterator[Path]:
    """Files of a skill that can be read, without verdicts and the copy of the lab's source."""
    for path in list_files(folder, ignore=frozenset({"__pycache__", VERDICT})):
        inside = path.relative_to(folder).as_posix().startswith(SOURCES)
        if not inside and path.stat().st_size <= MAX_BYTES and b"\0" not in path.read_bytes():
            yield path


def _cited(context: Context, scan: Scan) -> Iterator[Finding]:
    """Published values in cited places."""
    if context.artifacts is None:
        return
    for item, (line, _) in zip(context.skill.evidence, evidence_lines(context.folder), strict=True):
        try:
            text = passage(item.source, context.artifacts) if item.source.kind != "url" else ""
        except Unresolved:
            continue  # the check of evidence says so
        for leak in scan(text):
            said = f'"{leak.quantity}" of the target "{leak.target}"'
            yield Finding(f"{item.id} cites a place with the published value of {said}", EVIDENCE, line)
