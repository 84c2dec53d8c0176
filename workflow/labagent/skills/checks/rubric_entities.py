"""Printed quantities say what they are of."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from labagent.skills.checks._rubric import applies, calls_in, each_block, is_released, tree_of
from labagent.skills.finding import Context, Finding

ID, TIER, ORDER = "rubric-entities", 1, 101
REASON = "a number without the gene, sample, model or quantity it is of cannot be checked"
ADVICE = False
NUMBERS = frozenset(
    {"len", "sum", "round", "float", "int", "abs", "max", "min", "mean", "median", "std", "var"}
)


def check(context: Context) -> Iterator[Finding]:
    """A print of nothing but a number computed on the spot; cited code of the lab only warns."""
    found = list(each_block(context, "python"))
    applies(bool(found), "no block is Python")
    for locus, block in found:
        for name, call in calls_in(tree_of(block)):
            if name == "print" and len(call.args) == 1 and _is_number(call.args[0]):
                code = block.code.split("\n")[call.lineno - 1]
                yield Finding(
                    f"prints a number without its name: {REASON}",
                    locus.path,
                    block.line + call.lineno - 1,
                    warning=is_released(context, locus, code),
                )


def _is_number(node: ast.expr) -> bool:
    """Whether an expression can be nothing but a number."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div | ast.Sub | ast.Pow):
        return True
    if isinstance(node, ast.Call):
        called = node.func
        return isinstance(called, ast.Name) and called.id in NUMBERS
    return isinstance(node, ast.Subscript) and getattr(node.value, "attr", "") == "shape"
