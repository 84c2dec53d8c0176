"""What ``setup.py`` passes to ``setup()``, from its syntax tree alone."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any

from labagent.snapshot.walk import Tree

MAX_DEPTH = 20


class _Unknown(Exception):
    """The value is not a literal."""


@dataclass
class SetupCall:
    """Keywords of the call as expressions, and what names of the file are bound to."""

    text: str
    files_there: frozenset[PurePosixPath]
    folder: PurePosixPath
    keywords: dict[str, ast.expr] = field(default_factory=dict)
    names: dict[str, list[ast.AST]] = field(default_factory=dict)

    def value(self, keyword: str) -> Any:
        """The keyword's value where literals tell it, else ``None``."""
        if keyword not in self.keywords:
            return None
        try:
            return self._literal(self.keywords[keyword], 0)
        except _Unknown:
            return None

    def files(self, keyword: str) -> list[PurePosixPath]:
        """The files of the repository that the keyword's expression, or what it refers to, names."""
        found: dict[PurePosixPath, None] = {}
        for node in self._reachable(self.keywords.get(keyword), set()):
            for candidate in _paths(node):
                path = self.folder / candidate
                if path in self.files_there:
                    found.setdefault(path)
        return list(found)

    def _literal(self, node: ast.AST, depth: int) -> Any:
        """Evaluate constants, containers, sums, and names bound once to such."""
        if depth > MAX_DEPTH:
            raise _Unknown
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, ast.List | ast.Tuple | ast.Set):
            return [self._literal(item, depth + 1) for item in node.elts]
        if isinstance(node, ast.Dict):
            pairs = zip(node.keys, node.values, strict=True)
            return {
                self._literal(k, depth + 1): self._literal(v, depth + 1) for k, v in pairs if k is not None
            }
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            return self._sum(self._literal(node.left, depth + 1), self._literal(node.right, depth + 1))
        if isinstance(node, ast.Name) and len(self.names.get(node.id, ())) == 1:
            return self._literal(self.names[node.id][0], depth + 1)
        if isinstance(node, ast.Subscript):
            return self._item(self._literal(node.value, depth + 1), self._literal(node.slice, depth + 1))
        raise _Unknown

    @staticmethod
    def _sum(left: Any, right: Any) -> Any:
        """Two lists or two texts as one."""
        if type(left) is type(right) and isinstance(left, list | str):
            return left + right
        raise _Unknown

    @staticmethod
    def _item(container: Any, key: Any) -> Any:
        """An item of a literal container."""
        try:
            return container[key]
        except (KeyError, IndexError, TypeError) as error:
            raise _Unknown from error

    def _reachable(self, node: ast.AST | None, seen: set[str]) -> Iterator[ast.AST]:
        """The expression and everything its names are bound to."""
        if node is None:
            return
        yield node
        for part in ast.walk(node):
            if isinstance(part, ast.Name) and part.id not in seen:
                seen.add(part.id)
                for bound in self.names.get(part.id, ()):
                    yield from self._reachable(bound, seen)


def read_setup(tree: Tree, path: PurePosixPath) -> SetupCall:
    """Read the call to ``setup`` in a file.

    Raises:
        ValueError: the file is not Python 3.
    """
    text = tree.text(path)
    call = SetupCall(text, frozenset(tree.files), path.parent)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            parsed = ast.parse(text)
    except SyntaxError as error:
        raise ValueError(f"line {error.lineno}: {error.msg}") from error
    for node in ast.walk(parsed):
        _bind(call, node)
    for node in ast.walk(parsed):
        if isinstance(node, ast.Call) and _called(node) == "setup":
            _take_keywords(call, node)
    return call


def _bind(call: SetupCall, node: ast.AST) -> None:
    """Remember what a name is bound to: assignments, ``with … as``, functions."""
    if isinstance(node, ast.Assign):
        for target in node.targets:
            if isinstance(target, ast.Name):
                call.names.setdefault(target.id, []).append(node.value)
    elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value is not None:
        call.names.setdefault(node.target.id, []).append(node.value)
    elif isinstance(node, ast.With):
        for item in node.items:
            if isinstance(item.optional_vars, ast.Name):
                call.names.setdefault(item.optional_vars.id, []).append(item.context_expr)
    elif isinstance(node, ast.FunctionDef):
        call.names.setdefault(node.name, []).append(node)


def _take_keywords(call: SetupCall, node: ast.Call) -> None:
    """The keywords of the call, those of a ``**dictionary`` too."""
    for keyword in node.keywords:
        if keyword.arg is not None:
            call.keywords[keyword.arg] = keyword.value
            continue
        value: ast.AST = keyword.value
        if isinstance(value, ast.Name) and len(call.names.get(value.id, ())) == 1:
            value = call.names[value.id][0]
        if isinstance(value, ast.Dict):
            for key, item in zip(value.keys, value.values, strict=True):
                if isinstance(key, ast.Constant) and isinstance(key.value, str):
                    call.keywords[key.value] = item
        elif isinstance(value, ast.Call) and _called(value) == "dict":
            call.keywords.update({k.arg: k.value for k in value.keywords if k.arg})


def _called(node: ast.Call) -> str:
    """The last name of what is called."""
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def _paths(node: ast.AST) -> Iterator[str]:
    """Texts in an expression that may be paths: each constant, and those of one call joined."""
    for part in ast.walk(node):
        if isinstance(part, ast.Constant) and isinstance(part.value, str):
            yield part.value.removeprefix("./")
        if isinstance(part, ast.Call):
            texts = [a.value for a in part.args if isinstance(a, ast.Constant) and isinstance(a.value, str)]
            if len(texts) > 1:
                yield "/".join(texts)
