"""``from lab import *`` as the names it stands for."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from labagent.explore.names import used
from labagent.models.snapshot import Snapshot
from labagent.snapshot.query import exported_names


def star_names(statements: Iterable[ast.stmt], snapshot: Snapshot) -> frozenset[str]:
    """Names that star imports of the lab's modules bind, as far as the snapshot lists them."""
    nodes = (node for statement in statements for node in ast.walk(statement))
    modules = {node.module for node in nodes if isinstance(node, ast.ImportFrom) and _is_star(node)}
    return frozenset(name for module in modules if module for name in exported_names(snapshot, module))


def spelled_out(statements: list[ast.stmt], snapshot: Snapshot) -> list[ast.stmt]:
    """The statements, with the names in use in place of stars; a star that gives none in use stays."""
    writer = _Writer(snapshot, used(statements))
    return [writer.visit(statement) for statement in statements]


class _Writer(ast.NodeTransformer):
    """Writes out star imports."""

    def __init__(self, snapshot: Snapshot, needed: set[str]) -> None:
        self.snapshot, self.needed = snapshot, needed

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.ImportFrom:
        """Names of the module that are needed."""
        if not _is_star(node) or not node.module:
            return node
        names = sorted(exported_names(self.snapshot, node.module) & self.needed)
        aliases = [ast.alias(name) for name in names] or node.names
        return ast.copy_location(ast.ImportFrom(node.module, aliases, 0), node)


def _is_star(node: ast.ImportFrom) -> bool:
    """Whether an import is an absolute star import."""
    return not node.level and [alias.name for alias in node.names] == ["*"]
