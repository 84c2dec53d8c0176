"""Which names a piece of Python defines and which it takes from elsewhere."""

from __future__ import annotations

import ast
import builtins
import symtable
from collections.abc import Iterable

BUILTIN = frozenset(dir(builtins)) | {"__file__", "__name__", "__doc__"}
Simple = ast.Assign | ast.AugAssign | ast.AnnAssign | ast.Expr | ast.Return | ast.Delete


def defined(statements: Iterable[ast.stmt]) -> set[str]:
    """Names bound at the top level: assigned, imported, defined."""
    names: set[str] = set()
    for statement in statements:
        table = _table(statement)
        names |= {s.get_name() for s in table.get_symbols() if s.is_assigned() or s.is_imported()}
    return names


def used(statements: Iterable[ast.stmt]) -> set[str]:
    """Names that must be there before the statements run; builtins are left out.

    A name bound by an earlier statement is not used from elsewhere, one that a statement reads to bind it
    again (``x = x.dropna()``) is. Names that functions refer to may be bound later.
    """
    needed: set[str] = set()
    deferred: set[str] = set()
    bound: set[str] = set()
    for statement in statements:
        table = _table(statement)
        assigned = {s.get_name() for s in table.get_symbols() if s.is_assigned() or s.is_imported()}
        read = {s.get_name() for s in table.get_symbols() if s.is_referenced()}
        if isinstance(statement, ast.AugAssign) and isinstance(statement.target, ast.Name):
            read.add(statement.target.id)
        inner = _inner(table)
        own = set() if isinstance(statement, Simple) else assigned
        needed |= (read - bound) - own
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            deferred |= inner
        else:
            needed |= (inner - bound) - own
        bound |= assigned
    return (needed | (deferred - bound)) - BUILTIN


def assigned_names(statement: ast.stmt) -> list[str]:
    """Plain names that an assignment binds, in order: ``a, b = f()`` gives both."""
    targets: list[ast.expr] = []
    if isinstance(statement, ast.Assign):
        targets = statement.targets
    elif isinstance(statement, ast.AnnAssign | ast.AugAssign):
        targets = [statement.target]
    return [n.id for t in targets for n in ast.walk(t) if isinstance(n, ast.Name)]


def _table(statement: ast.stmt) -> symtable.SymbolTable:
    """The symbols of one statement on its own."""
    return symtable.symtable(ast.unparse(statement), "<example>", "exec")


def _inner(table: symtable.SymbolTable) -> set[str]:
    """Names that scopes inside a statement take from the module."""
    names: set[str] = set()
    for child in table.get_children():
        names |= {s.get_name() for s in child.get_symbols() if s.is_global() and s.is_referenced()}
        names |= _inner(child)
    return names
