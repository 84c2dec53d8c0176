"""What a function does to a function it decorates, as far as its source tells."""

from __future__ import annotations

import ast
import re
import textwrap
import warnings
from collections.abc import Iterator
from typing import NamedTuple

RETURNED = re.compile(r"^\s+return (\w+)\s*(?:#.*)?$", re.MULTILINE)
INNER = re.compile(r"^\s+def (\w+)", re.MULTILINE)
FIRST = re.compile(r"\bdef \w+\(\s*(?:self\s*,\s*)?(\w+)")
LOOKING = frozenset(
    {"isinstance", "issubclass", "getattr", "hasattr", "callable", "type", "id", "repr", "str"}
)


class Behaviour(NamedTuple):
    """See :class:`~labagent.snapshot.python_units.Function`."""

    keeps: str = ""
    through: tuple[str, ...] = ()
    sets: bool = False


def behaviour(source: str) -> Behaviour:
    """Read the source of one function; what is no decorator gets no ``keeps``."""
    sets = "setattr(" in source or "__dict__" in source
    if "__signature__" in source:
        return Behaviour("signature", (), sets)
    if "wraps(" in source or "update_wrapper(" in source:
        return Behaviour("wraps", (), sets)
    if not _may_decorate(source):
        return Behaviour("", (), sets)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            function = ast.parse(textwrap.dedent(source)).body[0]
    except (SyntaxError, ValueError, IndexError, RecursionError):
        return Behaviour("", (), sets)
    if not isinstance(function, ast.FunctionDef):
        return Behaviour("", (), sets)
    through = {_dotted(call.func) for call in _returned_calls(function)} - {""}
    given = _gives_back(function)
    sets = sets or any(
        _is_handed_on(inner) for inner in ast.walk(function) if isinstance(inner, ast.FunctionDef)
    )
    return Behaviour("same" if given else "", tuple(sorted(through)), sets)


def _may_decorate(source: str) -> bool:
    """Whether a function returns its first argument, a function of its own, or a lambda."""
    if "return lambda" in source:
        return True
    returned = set(RETURNED.findall(source))
    first = FIRST.search(source)
    return bool(returned) and bool(returned & {*INNER.findall(source), first[1] if first else ""})


def _first(function: ast.FunctionDef) -> str:
    """The name of the first parameter that is not the object itself."""
    names = [a.arg for a in (*function.args.posonlyargs, *function.args.args)]
    return next((name for name in names if name not in ("self", "cls") or len(names) == 1), "")


def _is_handed_on(function: ast.FunctionDef) -> bool:
    """Whether what was given is passed to something else or has a method called: that may change it."""
    first = _first(function)
    for call in (n for n in ast.walk(function) if isinstance(n, ast.Call)):
        if _dotted(call.func) in LOOKING:
            continue
        receiver = call.func.value if isinstance(call.func, ast.Attribute) else None
        for node in (receiver, *call.args, *(k.value for k in call.keywords)):
            if isinstance(node, ast.Name) and node.id == first:
                return True
    return False


def _gives_back(function: ast.FunctionDef) -> bool:
    """Whether all that is returned, in the end, is what was given: by it or by the functions it returns."""
    inner = {n.name: n for n in function.body if isinstance(n, ast.FunctionDef)}
    first = _first(function)
    values = [r.value for r in _own_returns(function.body)]
    if not values:
        return False
    for value in values:
        name = value.id if isinstance(value, ast.Name) else ""
        if name in inner:
            if not _gives_back(inner[name]):
                return False
        elif name != first or not name:
            return False
    return True


def _own_returns(body: list[ast.stmt]) -> Iterator[ast.Return]:
    """The return statements of a function, not those of functions in it."""
    for statement in body:
        if isinstance(statement, ast.Return):
            yield statement
        elif not isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            for name in ("body", "orelse", "finalbody"):
                yield from _own_returns(getattr(statement, name, []))
            for handler in getattr(statement, "handlers", []):
                yield from _own_returns(handler.body)


def _returned_calls(function: ast.AST) -> Iterator[ast.Call]:
    """Calls whose result is returned somewhere inside, also by a lambda."""
    for node in ast.walk(function):
        value = (
            node.value
            if isinstance(node, ast.Return)
            else node.body
            if isinstance(node, ast.Lambda)
            else None
        )
        if isinstance(value, ast.Call):
            yield value


def _dotted(node: ast.expr) -> str:
    """A dotted name; empty for anything else."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        head = _dotted(node.value)
        return f"{head}.{node.attr}" if head else ""
    return ""
