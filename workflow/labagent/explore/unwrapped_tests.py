"""A lab's tests as plain usage: bodies taken out of functions and classes, asserts made into named values."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from labagent.explore.data_files import TESTS, Repository
from labagent.explore.names import assigned_names, used
from labagent.models.snapshot import Example

SETUPS = ("setUpClass", "setup_class", "setUp", "setup_method")
FAILS = re.compile(r"assertRaises|assertWarns|raises|warns|assertLogs|deprecated_call")
ASSERTING = re.compile(r"assert\w*|_*assert_\w+")
ASKS = frozenset({"bool", "all", "any", "allclose", "isclose", "array_equal", "len"})
MOST = 400

Function = ast.FunctionDef
Top = ast.stmt


def unwrapped(repository: Repository) -> Iterator[tuple[Example, ...]]:
    """Tests of a repository, each as its blocks: what its file defines, what sets it up, its body."""
    files = [path for path in sorted(repository.files) if _is_test(path)]
    count = 0
    for path in files:
        tree = repository.tree(path)
        for chain in _File(path, tree, _fixtures(path, repository)).chains() if tree else ():
            count += 1
            if count > MOST:
                return
            yield chain


def _is_test(path: str) -> bool:
    """Whether a path is that of a file with tests."""
    parts = PurePosixPath(path)
    named = parts.name.startswith("test") or parts.stem.endswith("_test") or bool(TESTS & set(parts.parts))
    return parts.suffix == ".py" and named and parts.name != "conftest.py"


def _fixtures(path: str, repository: Repository) -> dict[str, Function]:
    """Fixtures that ``conftest.py`` gives where it needs nothing but what it imports in them."""
    tree = repository.tree(beside) if (beside := _conftest(path)) in repository.files else None
    return _given(tree.body) if tree else {}


def _conftest(path: str) -> str:
    """The ``conftest.py`` beside a file."""
    return PurePosixPath(path).with_name("conftest.py").as_posix()


def _given(body: Sequence[Top]) -> dict[str, Function]:
    """Functions that are fixtures."""
    functions = (node for node in body if isinstance(node, Function))
    return {f.name: f for f in functions if any("fixture" in ast.unparse(d) for d in f.decorator_list)}


@dataclass
class _File:
    """A test file: what it defines at its top, and its tests."""

    path: str
    tree: ast.Module
    shared: dict[str, Function]
    given: dict[str, Function] = field(init=False)

    def __post_init__(self) -> None:
        self.given = {**self.shared, **_given(self.tree.body)}

    def chains(self) -> Iterator[tuple[Example, ...]]:
        """Each test that can be taken out, as its blocks."""
        for node in self.tree.body:
            if isinstance(node, Function) and node.name.startswith("test"):
                yield from self._chain(node, ())
            elif isinstance(node, ast.ClassDef):
                methods = [m for m in node.body if isinstance(m, Function)]
                setups = tuple(m for name in SETUPS for m in methods if m.name == name)
                for method in methods:
                    if method.name.startswith("test"):
                        yield from self._chain(method, setups)

    def _chain(self, test: Function, setups: tuple[Function, ...]) -> Iterator[tuple[Example, ...]]:
        """The blocks of one test; nothing where it takes or does what cannot be taken out."""
        arguments = self._arguments(test)
        parts = [(s, _plain(s)) for s in (*setups, test)]
        bodies = [body for _, body in parts if body is not None]
        if arguments is None or len(bodies) < len(parts) or not bodies[-1]:
            return
        code = [*arguments, *(statement for body in bodies for statement in body)]
        if any(name.startswith("self_") for name in used(code)):
            return
        blocks = [self._block([node], node) for node in self._needed(code)]
        if arguments:
            blocks.append(self._block(arguments, test))
        yield (*blocks, *(self._block(body, node) for node, body in parts if body))

    def _needed(self, code: list[Top]) -> list[Top]:
        """What the file defines at its top that the code needs, in the file's order."""
        chosen: dict[int, Top] = {}
        todo = set(used(code))
        while todo:
            names, todo = todo, set()
            for at, node in enumerate(self.tree.body):
                if at not in chosen and names & set(_bound(node)):
                    chosen[at] = node
                    todo |= set(used([node]))
        return [chosen[at] for at in sorted(chosen)]

    def _arguments(self, test: Function) -> list[Top] | None:
        """Statements that bind a test's arguments: the first row of a table of them, simple fixtures."""
        names = [a.arg for a in test.args.args if a.arg not in {"self", "cls"}]
        made: list[Top] = [row for d in test.decorator_list if (row := _first_row(d)) is not None]
        bound = {name for row in made for name in _bound(row)}
        for name in (name for name in names if name not in bound):
            body = self._fixture(name, 3)
            if body is None:
                return None
            made += body
        return made

    def _fixture(self, name: str, depth: int) -> list[Top] | None:
        """What a fixture does, its value bound to its name; ``None`` where it does not end in one value."""
        fixture = self.given.get(name)
        if fixture is None or not depth:
            return None
        before: list[Top] = []
        for argument in (a.arg for a in fixture.args.args if a.arg not in {"self", "cls"}):
            body = self._fixture(argument, depth - 1)
            if body is None:
                return None
            before += body
        *first, last = fixture.body
        value = last.value if isinstance(last, ast.Return) else None
        if isinstance(last, ast.Expr) and isinstance(last.value, ast.Yield):
            value = last.value.value
        early = any(isinstance(n, ast.Return | ast.Yield) for s in first for n in ast.walk(s))
        if value is None or early:
            return None
        plain = [s for s in first if not (isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant))]
        return [*before, *plain, ast.Assign([ast.Name(name, ast.Store())], value, lineno=last.lineno)]

    def _block(self, statements: Sequence[Top], node: Top) -> Example:
        """Statements as an example that stands where ``node`` does."""
        module = ast.fix_missing_locations(ast.Module(body=list(statements), type_ignores=[]))
        return Example(
            language="python",
            code=ast.unparse(module),
            file=self.path,
            first_line=node.lineno,
            last_line=node.end_lineno or node.lineno,
            origin="test",
        )


def _bound(node: Top) -> list[str]:
    """Names that a statement at the top of a file binds."""
    if isinstance(node, Function | ast.ClassDef):
        return [node.name]
    if isinstance(node, ast.Import | ast.ImportFrom):
        return [(alias.asname or alias.name).split(".")[0] for alias in node.names]
    return assigned_names(node)


def _first_row(decorator: ast.expr) -> ast.Assign | None:
    """The first row of ``pytest.mark.parametrize`` as an assignment."""
    if not (isinstance(decorator, ast.Call) and ast.unparse(decorator.func).endswith("parametrize")):
        return None
    names, rows = (*decorator.args, None, None)[:2]
    listed = names.elts if isinstance(names, ast.List | ast.Tuple) else [names]
    texts = [item.value for item in listed if isinstance(item, ast.Constant) and isinstance(item.value, str)]
    words = re.findall(r"\w+", ",".join(texts))
    if words and isinstance(rows, ast.List | ast.Tuple) and rows.elts:
        target = ast.parse(", ".join(words), mode="eval").body
        for inner in ast.walk(target):
            if isinstance(inner, ast.Name | ast.Tuple):
                inner.ctx = ast.Store()
        return ast.Assign([target], rows.elts[0], lineno=decorator.lineno)
    return None


def _plain(function: Function) -> list[Top] | None:
    """A body without its wrapping; ``None`` where it uses other methods of its class."""
    unwrapping = _Unwrapping()
    module = ast.Module(body=[ast.parse(ast.unparse(s)).body[0] for s in function.body], type_ignores=[])
    body = [s for s in unwrapping.visit(module).body if not isinstance(s, ast.Return | ast.Pass)]
    own = {n.id for s in body for n in ast.walk(s) if isinstance(n, ast.Name)} & {"self", "cls"}
    left = any(isinstance(n, ast.Return | ast.Yield) for s in body for n in ast.walk(s))
    return None if own or left else body


class _Unwrapping(ast.NodeTransformer):
    """Attributes of the test's object become variables; asserts become values with a name."""

    def __init__(self) -> None:
        self.count = 0

    def generic_visit(self, node: ast.AST) -> ast.AST:
        """As inherited; a block that lost all its statements does nothing."""
        super().generic_visit(node)
        if getattr(node, "body", None) == [] and not isinstance(node, ast.Module):
            node.body = [ast.Pass()]  # type: ignore[attr-defined]
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        """``self.x`` is ``self_x``."""
        self.generic_visit(node)
        if isinstance(node.value, ast.Name) and node.value.id in {"self", "cls"}:
            return ast.Name(f"self_{node.attr.strip('_')}", node.ctx)
        return node

    def visit_FunctionDef(self, node: Function) -> Function:
        """Functions inside a test stay as they are."""
        return node

    def visit_Assert(self, node: ast.Assert) -> ast.stmt | None:
        """What is asserted of, as a value."""
        test = node.test.left if isinstance(node.test, ast.Compare) else node.test
        return self._value(test)

    def visit_With(self, node: ast.With) -> ast.stmt | None:
        """A block that must fail is left out."""
        return None if FAILS.search(ast.unparse(node.items[0])) else self._inside(node)

    def visit_Expr(self, node: ast.Expr) -> ast.stmt | None:
        """Calls that assert, as the value they look at; texts are left out."""
        if isinstance(node.value, ast.Constant):
            return None
        call = node.value
        name = ast.unparse(call.func).rsplit(".", 1)[-1] if isinstance(call, ast.Call) else ""
        if isinstance(call, ast.Call) and ASSERTING.fullmatch(name):
            return self._value(call.args[0]) if call.args and not FAILS.search(name) else None
        return self._inside(node)

    def _inside(self, node: ast.stmt) -> ast.stmt:
        """A statement with its parts visited."""
        self.generic_visit(node)
        return node

    def _value(self, node: ast.expr) -> ast.stmt | None:
        """A value bound to a name of its own, where it computes something."""
        if not any(isinstance(n, ast.Call | ast.Attribute | ast.Subscript) for n in ast.walk(node)):
            return None
        while isinstance(node, ast.Call) and node.args and ast.unparse(node.func).rsplit(".")[-1] in ASKS:
            node = node.args[0]
        self.count += 1
        return ast.Assign([ast.Name(f"checked_{self.count}", ast.Store())], self.visit(node), lineno=1)
