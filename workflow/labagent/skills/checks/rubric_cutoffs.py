"""Cut-offs: a threshold that selects data has evidence, or a look at the data that places it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from labagent.skills.checks._rubric import applies, cites, each_block, tree_of, whole
from labagent.skills.finding import Context, Finding

ID, TIER, ORDER = "rubric-cutoffs", 1, 111
REASON = "a threshold belongs between the modes of the data, or to a source"
ADVICE = False
SCAN = re.compile(
    r"\b(?:histogram|hist|gaps?|diff|quantile|percentile|otsu|kde|gaussian_kde|density|find_peaks|modes?|cumsum|"
    r"roc_curve|elbow|LABAGENT_PROTOCOL|protocol)\b",
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
    for locus, block, node in found:
        if not cites(locus) and not SCAN.search(whole(locus)):
            message = (
                f'"{ast.unparse(node)}" selects by a number without evidence or a scan of the data: {REASON}'
            )
            yield Finding(message, locus.path, block.line + node.lineno - 1)


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
