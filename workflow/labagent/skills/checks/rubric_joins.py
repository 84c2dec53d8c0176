"""Joins: what was joined is counted."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from labagent.skills.checks._rubric import applies, bare, each_block, is_released, prints_computed, tree_of
from labagent.skills.finding import Context, Finding

ID, TIER, ORDER = "rubric-joins", 1, 116
REASON = "indices that do not compare drop rows without a word"
ADVICE = False
R_JOIN = re.compile(r"\b(?:merge|(?:left|right|inner|full|anti|semi)_join)\(")
METHODS = frozenset({"merge", "merge_asof", "merge_ordered", "intersection"})


def check(context: Context) -> Iterator[Finding]:
    """After a join its block prints something computed; code of the lab that is cited only warns."""
    found = [(x, b, line) for x, b in each_block(context) for line in _joins(b.language, b.code, tree_of(b))]
    applies(bool(found), "nothing is joined")
    for locus, block, line in found:
        later = [other for other in locus.blocks if other.line > block.line]
        printed = prints_computed(block)
        if (printed is None or printed < line) and all(prints_computed(other) is None for other in later):
            message = f"nothing is printed after the join: print the counts before and after; {REASON}"
            code = block.code.split("\n")[line - 1]
            released = is_released(context, locus, code)
            yield Finding(message, locus.path, block.line + line - 1, warning=released)


def _joins(language: str, code: str, tree: ast.Module) -> Iterator[int]:
    """Lines of a block (from 1) that join tables."""
    if language == "r":
        yield from (n for n, row in enumerate(bare(code).split("\n"), 1) if R_JOIN.search(row))
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            how = any(word.arg in {"how", "on", "lsuffix", "rsuffix"} for word in node.keywords)
            if node.func.attr in METHODS or (node.func.attr == "join" and how):
                yield node.lineno
