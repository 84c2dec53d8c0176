"""What readers of command lines have in common."""

from __future__ import annotations

import ast
import warnings
from typing import Any, NamedTuple

HELP = 200  # characters


class OptionFound(NamedTuple):
    """See :class:`labagent.models.snapshot.Option`."""

    names: tuple[str, ...]
    takes_value: bool
    required: bool
    default: str | None
    choices: tuple[str, ...]
    help: str
    line: int


class Found(NamedTuple):
    """A program or subcommand of a file."""

    kind: str
    command: str
    line: int
    complete: bool
    help: str
    options: tuple[OptionFound, ...]


def parse(text: str) -> ast.Module:
    """The syntax tree of a file.

    Raises:
        SyntaxError: it is not Python.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(text)


def called(node: ast.AST) -> str:
    """The last name of what a call or decorator calls."""
    func = node.func if isinstance(node, ast.Call) else node
    return func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "")


def texts(nodes: list[ast.expr]) -> tuple[str, ...]:
    """The constant texts among expressions."""
    return tuple(n.value for n in nodes if isinstance(n, ast.Constant) and isinstance(n.value, str))


def keywords(call: ast.Call) -> dict[str, ast.expr]:
    """The named arguments of a call."""
    return {k.arg: k.value for k in call.keywords if k.arg}


def written(node: ast.expr | None) -> str | None:
    """An expression as text: a constant text without its quotes."""
    if node is None:
        return None
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    return ast.unparse(node)[:HELP]


def is_true(node: ast.expr | None) -> bool:
    """Whether an expression is ``True``."""
    return isinstance(node, ast.Constant) and node.value is True


def line_of(text: Any) -> str:
    """A text in one line, of bounded length."""
    return " ".join(text.split())[:HELP] if isinstance(text, str) else ""
