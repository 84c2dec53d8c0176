"""Fenced blocks of a locus: which of them run, and as which command."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from labagent.files import sha256_text
from labagent.models.skill import Block
from labagent.skills.faults import SkillFault

Language = Literal["bash", "python", "r"]
RUNNERS: dict[Language, tuple[str, str]] = {
    "bash": ("sh", "bash -euo pipefail"),
    "python": ("py", "python"),
    "r": ("R", "Rscript"),
}
FENCE = re.compile(r"^(?P<indent> {0,3})(?P<fence>`{3,}|~{3,})[ \t]*(?P<info>[^`]*)$")


@dataclass(frozen=True)
class Fence:
    """A fenced block of any tag; ``line`` is the line of its first line of code."""

    tag: str
    code: str
    line: int


def fences(text: str, file: str, first_line: int = 1) -> Iterator[Fence]:
    """All fenced blocks of a Markdown text.

    Raises:
        SkillFault: a block is opened and never closed.
    """
    opened: re.Match[str] | None = None
    start, code = 0, list[str]()
    for number, line in enumerate(text.split("\n"), first_line):
        if opened is None:
            opened = FENCE.match(line)
            start, code = number, []
        elif _closes(line, opened["fence"]):
            tag = opened["info"].split()[0] if opened["info"].split() else ""
            yield Fence(tag, "".join(f"{item}\n" for item in code), start + 1)
            opened = None
        else:
            code.append(_dedent(line, len(opened["indent"])))
    if opened is not None:
        raise SkillFault("the fenced block that opens here is never closed", file, start)


def runnable(text: str, file: str, first_line: int = 1) -> tuple[Block, ...]:
    """The blocks that run: those tagged ``bash``, ``python`` or ``r``.

    Raises:
        SkillFault: a block is opened and never closed.
    """
    return tuple(
        Block(language=fence.tag, code=fence.code, line=fence.line)
        for fence in fences(text, file, first_line)
        if fence.tag in RUNNERS
    )


def prose(text: str, first_line: int = 1) -> list[tuple[int, str]]:
    """The lines outside fenced blocks, with their numbers."""
    kept, fence = list[tuple[int, str]](), ""
    for number, line in enumerate(text.split("\n"), first_line):
        match = FENCE.match(line)
        if fence:
            fence = "" if _closes(line, fence) else fence
        elif match:
            fence = match["fence"]
        else:
            kept.append((number, line))
    return kept


def command_for(block: Block, index: int, locus: str) -> str:
    """One shell command that writes a block to ``step-NN-<locus>.<ext>`` and runs it.

    Args:
        block: the block.
        index: its place among all blocks of the skill, from 1.
        locus: the name of its locus, part of the file's name.
    """
    extension, runner = RUNNERS[block.language]
    name = f"step-{index:02d}-{locus}.{extension}"
    code = block.code if block.code.endswith("\n") else f"{block.code}\n"
    mark = _mark(code)
    return f"cat > {name} <<'{mark}' && {runner} {name}\n{code}{mark}\n"


def _mark(code: str) -> str:
    """A heredoc terminator that is no line of ``code``."""
    lines, mark = set(code.split("\n")), f"END-{sha256_text(code)[:12]}"
    while mark in lines:
        mark = f"END-{sha256_text(mark)[:12]}"
    return mark


def _closes(line: str, fence: str) -> bool:
    """Whether a line closes a block: the same character, at least as often, nothing else."""
    stripped = line.strip()
    return len(stripped) >= len(fence) and set(stripped) == {fence[0]} and line[:4].strip() != ""


def _dedent(line: str, width: int) -> str:
    """A line of code without the indent of its fence."""
    return line[width:] if line[:width].isspace() else line.lstrip(" ") if width else line
