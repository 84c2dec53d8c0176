"""What rules of the acceptance rubric look at: prose line by line, and what Python blocks print and name.

A rule is a check of tier 1 whose module is called ``rubric_<name>``. Beside what each check offers it has
``REASON`` (why the rule is there) and ``ADVICE`` (whether it warns only). It raises :class:`Skipped` where
it does not apply to a skill, and says why.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from labagent.models.skill import Block, Locus
from labagent.skills.blocks import prose
from labagent.skills.checks.citations import cited_in
from labagent.skills.finding import Context, Skipped
from labagent.skills.frontmatter import ROOT
from labagent.skills.passages import Unresolved, passage

R_PRINT = re.compile(r"\b(?:print|cat|message|str|format|summary)\((.*)")
R_NAME = re.compile(r"[A-Za-z.][\w.]*")
QUOTED = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'")
COMMENT = re.compile(r"^\s*#.*$", re.MULTILINE)
OUTER = ("report", "answer", "submit", "result", "summar")


class Rule(Protocol):
    """A module of a rule, beside what it is as a check."""

    ID: str
    REASON: str
    ADVICE: bool


@dataclass(frozen=True)
class Line:
    """A line of prose; ``file`` is relative to the skill."""

    file: str
    number: int
    text: str


def lines_of(context: Context) -> list[Line]:
    """The prose of root and loci without the frontmatter, in order."""
    root = (context.folder / ROOT).read_text(encoding="utf-8-sig")
    body = root.split("\n")
    ends = [n for n, line in enumerate(body, 1) if line.rstrip() == "---"]
    start = ends[1] if len(ends) > 1 else 0
    found = [Line(ROOT, number, text) for number, text in prose(root) if number > start]
    return found + [Line(x.path, number, text) for x in context.skill.loci for number, text in prose(x.text)]


def says(context: Context, pattern: re.Pattern[str], file: str = "") -> bool:
    """Whether the prose (of one file) says something, also across the ends of lines."""
    chosen = [line.text for line in lines_of(context) if not file or line.file == file]
    return pattern.search(" ".join(chosen)) is not None


def whole(locus: Locus) -> str:
    """Prose and code of a locus in one line."""
    said = " ".join(text for _, text in prose(locus.text))
    return f"{said} {' '.join(' '.join(block.code.split()) for block in locus.blocks)}"


def cites(locus: Locus) -> bool:
    """Whether a locus cites evidence."""
    return any(cited_in(text) for _, text in prose(locus.text))


def is_released(context: Context, locus: Locus, code: str) -> bool:
    """Whether a line of code stands as it is in a place of the lab that the locus cites."""
    if context.artifacts is None or not code.strip():
        return False
    cited = {name for _, text in prose(locus.text) for name in cited_in(text)}
    for item in context.skill.evidence:
        if item.id in cited and item.source.kind != "url":
            try:
                if code.strip() in passage(item.source, context.artifacts):
                    return True
            except Unresolved:
                continue
    return False


def each_block(context: Context, language: str = "") -> Iterator[tuple[Locus, Block]]:
    """All runnable blocks, of one language where it is given."""
    for locus in context.skill.loci:
        for block in locus.blocks:
            if language in ("", block.language):
                yield locus, block


def tree_of(block: Block) -> ast.Module:
    """A Python block's tree; empty for other languages and for what does not parse (tier 2 says so)."""
    if block.language != "python":
        return ast.Module([], [])
    try:
        return ast.parse(block.code)
    except (SyntaxError, ValueError):
        return ast.Module([], [])


def calls_in(tree: ast.AST) -> Iterator[tuple[str, ast.Call]]:
    """Each call with the last name of what is called."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            yield name, node


def bare(code: str) -> str:
    """Code of R or bash without comments and quoted texts; lines stay where they are."""
    return QUOTED.sub('""', COMMENT.sub("", code))


def prints_computed(block: Block) -> int | None:
    """The last line (of the block, from 1) that prints more than a fixed text; ``None`` where none does."""
    if block.language == "python":
        tree = tree_of(block)
        if not tree.body:
            return block.code.count("\n") if "print(" in block.code else None  # tier 2 says what is wrong
        lines = [
            call.lineno
            for name, call in calls_in(tree)
            if name in {"print", "write", "info", "pprint"} and not all(map(_is_fixed, call.args))
        ]
        return max(lines, default=None)
    if block.language == "bash":
        rows = [n for n, row in enumerate(COMMENT.sub("", block.code).split("\n"), 1) if row.strip()]
        return max(rows, default=None)
    numbered = enumerate(bare(block.code).split("\n"), 1)
    shown = [n for n, row in numbered if (m := R_PRINT.search(row)) and R_NAME.search(m[1] or "more")]
    return max(shown, default=None)


def _is_fixed(node: ast.expr) -> bool:
    """Whether an argument is a text or number written out."""
    if isinstance(node, ast.JoinedStr):
        return not any(isinstance(part, ast.FormattedValue) for part in node.values)
    return isinstance(node, ast.Constant)


def last_step(context: Context) -> Locus | None:
    """The locus that reports: the last whose name says so, else the last."""
    loci = context.skill.loci
    named = [locus for locus in loci if any(word in locus.name for word in OUTER)]
    return next(reversed(named or loci), None)


def all_code(context: Context) -> str:
    """The code of all blocks."""
    return "\n".join(block.code for _, block in each_block(context))


def applies(condition: bool, why_not: str) -> None:
    """Leave a rule that does not apply.

    Raises:
        Skipped: the condition does not hold.
    """
    if not condition:
        raise Skipped(f"not applicable: {why_not}")
