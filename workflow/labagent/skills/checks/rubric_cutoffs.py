"""Cut-offs: a threshold that selects data has evidence, or a look at the data that places it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import TypeGuard

from labagent.models.skill import Locus
from labagent.skills.blocks import prose
from labagent.skills.checks._rubric import applies, each_block, is_released, tree_of
from labagent.skills.checks.citations import cited_in
from labagent.skills.figures import Figure, says
from labagent.skills.finding import Context, Finding
from labagent.skills.support import Support

ID, TIER, ORDER = "rubric-cutoffs", 1, 111
REASON = "a threshold belongs between the modes of the data, or to a source"
ADVICE = False
SCAN = re.compile(
    r"\b(?:histogram|hist|gaps?|diff|quantile|percentile|otsu|kde|gaussian_kde|density|find_peaks|modes?|cumsum|"
    r"roc_curve|elbow)\b",
    re.IGNORECASE,
)
TRIVIAL = frozenset({0.0, 1.0, -1.0})
ORDERED = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)


def check(context: Context) -> Iterator[Finding]:
    """Comparisons with a number written out that select rows or become a column."""
    found = [
        (locus, block, node)
        for locus, block in each_block(context, "python")
        for node in _masks(tree_of(block))
    ]
    applies(bool(found), "no code selects by a threshold written out")
    support = Support(context.folder, context.skill, context.artifacts, context.snapshot)
    for locus, block, node in found:
        line = block.code.split("\n")[node.lineno - 1]
        if SCAN.search(block.code) or is_released(context, locus, line) or _said(node, locus, support):
            continue
        message = (
            f'"{ast.unparse(node)}" selects by a number without evidence or a scan of the data: {REASON}'
        )
        yield Finding(message, locus.path, block.line + node.lineno - 1)


def _said(node: ast.expr, locus: Locus, support: Support) -> bool:
    """Whether evidence that the locus cites holds each number that a comparison is made with."""
    cited = {name for _, text in prose(locus.text) for name in cited_in(text)}
    passages = [support.passages[name] for name in cited if name in support.passages]
    numbers = [part.value for part in ast.walk(node) if _is_number(part)]
    figures = [Figure(abs(float(str(number))), 0, 0, False, 0, 0) for number in numbers]
    return all(any(says(text, figure) for text in passages) for figure in figures)


def _is_number(node: ast.AST) -> TypeGuard[ast.Constant]:
    """Whether a node is a number written out that says something."""
    value = node.value if isinstance(node, ast.Constant) else None
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) not in TRIVIAL


def _masks(tree: ast.AST) -> Iterator[ast.expr]:
    """Comparisons with a number, inside an index or assigned whole."""
    for node in ast.walk(tree):
        holders: list[ast.expr] = []
        if isinstance(node, ast.Subscript):
            holders = [node.slice]
        elif isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            holders = _compared(node.value)
        elif isinstance(node, ast.Call) and getattr(node.func, "attr", "") in {"where", "query", "filter"}:
            holders = list(node.args)
        yield from (part for holder in holders for part in _compared(holder) if _by_number(part))


def _compared(node: ast.expr) -> list[ast.expr]:
    """A comparison, or those joined by ``&`` and ``|``."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitAnd | ast.BitOr):
        return [*_compared(node.left), *_compared(node.right)]
    return [node] if isinstance(node, ast.Compare) else []


def _by_number(node: ast.expr) -> bool:
    """Whether a comparison is one of size with a number that says something."""
    if not isinstance(node, ast.Compare) or not isinstance(node.ops[0], ORDERED):
        return False
    value = node.comparators[0]
    sign = 1.0
    if isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.USub):
        value, sign = value.operand, -1.0
    number = value.value if isinstance(value, ast.Constant) else None
    is_number = isinstance(number, int | float) and not isinstance(number, bool)
    return is_number and not isinstance(node.left, ast.Constant) and sign * float(str(number)) not in TRIVIAL
