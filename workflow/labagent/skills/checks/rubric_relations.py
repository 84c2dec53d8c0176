"""Several keys: relations they must satisfy are asserted before submission."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from labagent.skills.checks._rubric import applies, bare, calls_in, each_block, last_step, tree_of
from labagent.skills.finding import Context, Finding

ID, TIER, ORDER = "rubric-relations", 1, 115
REASON = "a relation that does not hold shows that one of the values is wrong"
ADVICE = True
R_ASSERT = re.compile(r"\b(?:stop|stopifnot|stop_if|assert_that)\(")
BASH_ASSERT = re.compile(r"\b(?:exit [1-9]|test |\[ |jq\b.*-e|false\b)")


def check(context: Context) -> Iterator[Finding]:
    """A skill of several keys has code that stops where values do not fit together."""
    start, last = context.skill.quickstart, last_step(context)
    keys = [key for output in start.outputs for key in (*output.keys, *output.columns)] if start else []
    applies(len(keys) > 1 and last is not None, "the quick start declares fewer than two keys")
    assert last is not None
    if not any(_asserts(block.language, block.code, tree_of(block)) for _, block in each_block(context)):
        message = f"no code stops where the {len(keys)} keys do not fit together: {REASON}"
        yield Finding(message, last.path, last.blocks[0].line if last.blocks else 1, warning=True)


def _asserts(language: str, code: str, tree: ast.Module) -> bool:
    """Whether a block can refuse a value."""
    if language == "r":
        return R_ASSERT.search(bare(code)) is not None
    if language == "bash":
        return BASH_ASSERT.search(bare(code)) is not None
    stops = any(isinstance(node, ast.Assert | ast.Raise) for node in ast.walk(tree))
    return stops or any(name in {"exit", "assert_allclose", "testing"} for name, _ in calls_in(tree))
