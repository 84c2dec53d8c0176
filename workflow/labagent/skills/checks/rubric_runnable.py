"""Runnable code in every capability section."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from labagent.models.skill import Block
from labagent.skills.checks._rubric import COMMENT, each_block, tree_of
from labagent.skills.finding import Context, Finding

ID, TIER, ORDER = "rubric-runnable", 1, 109
REASON = "a section without code that runs is advice, not a capability"
ADVICE = False


def check(context: Context) -> Iterator[Finding]:
    """Every locus has a runnable block, and every block does something."""
    for locus in context.skill.loci:
        if not locus.blocks:
            yield Finding(f"has no block that runs: {REASON}", locus.path, 1)
    for locus, block in each_block(context):
        if not _does(block):
            yield Finding(f"the block does nothing: {REASON}", locus.path, block.line)


def _does(block: Block) -> bool:
    """Whether a block is more than comments, imports, ``pass`` and ``...``."""
    if block.language != "python":
        return bool(COMMENT.sub("", block.code).strip())
    tree = tree_of(block)
    return (not tree.body and bool(block.code.strip())) or any(not _is_idle(node) for node in tree.body)


def _is_idle(node: ast.stmt) -> bool:
    """A statement that has no effect of its own."""
    return isinstance(node, ast.Pass | ast.Import | ast.ImportFrom) or (
        isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    )
