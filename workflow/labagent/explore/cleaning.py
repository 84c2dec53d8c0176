"""Examples as code that runs without a screen: prompts, magics and plots taken out."""

from __future__ import annotations

import ast
import re

from labagent.explore.names import assigned_names

PLOT_PACKAGES = frozenset(
    {"matplotlib", "pylab", "seaborn", "plotly", "bokeh", "altair", "plotnine", "IPython", "ipywidgets"}
)
PLOT_METHODS = frozenset(
    {
        "plot",
        "hist",
        "boxplot",
        "show",
        "savefig",
        "scatter",
        "imshow",
        "draw",
        "display",
        "heatmap",
        "set_title",
    }
)
PROMPT = re.compile(r"^\s*(>>>|\.\.\.)( |$)")
MAGIC = re.compile(r"^\s*(%|!|\?)|\?\s*$")


def parse(code: str) -> ast.Module | None:
    """The example's syntax tree, without prompts and notebook magics; ``None`` where it is no Python."""
    lines = code.split("\n")
    if any(line.lstrip().startswith(">>>") for line in lines):
        lines = [PROMPT.sub("", line) if PROMPT.match(line) else "" for line in lines]
    lines = ["" if MAGIC.search(line) and not line.lstrip().startswith("#") else line for line in lines]
    try:
        return ast.parse("\n".join(lines))
    except (SyntaxError, ValueError, RecursionError):
        return None


def without_plots(statements: list[ast.stmt]) -> list[ast.stmt]:
    """The statements without those that draw or depend on what was drawn.

    Names bound from plotting packages are tainted, and so is whatever is assigned from them. A call that
    only ends in a plot (``model.fit(x).plot()``) keeps what stands before it.
    """
    return _Cleaner().block(statements)


class _Cleaner:
    """Carries the tainted names from statement to statement."""

    def __init__(self) -> None:
        self.tainted: set[str] = set()

    def block(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        """A block's statements that remain."""
        return [kept for statement in statements for kept in self.statement(statement)]

    def statement(self, node: ast.stmt) -> list[ast.stmt]:
        """What remains of a statement: itself, a part, or nothing."""
        if isinstance(node, ast.Import | ast.ImportFrom):
            return self._import(node)
        if isinstance(node, ast.Expr):
            return self._expression(node)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            return self._drop(node, [node.name]) if self.draws(node) else [node]
        if isinstance(node, ast.For | ast.While | ast.With | ast.If | ast.Try):
            return self._compound(node)
        return self._drop(node, assigned_names(node)) if self.draws(node) else [node]

    def draws(self, node: ast.AST) -> bool:
        """Whether a node uses a tainted name or calls something that draws."""
        for inner in ast.walk(node):
            if isinstance(inner, ast.Name) and inner.id in self.tainted:
                return True
            if isinstance(inner, ast.Call) and _is_plot(inner.func):
                return True
        return False

    def _drop(self, node: ast.stmt, names: list[str]) -> list[ast.stmt]:
        """Nothing remains, and what the statement would have bound is tainted."""
        self.tainted |= set(names)
        return []

    def _import(self, node: ast.Import | ast.ImportFrom) -> list[ast.stmt]:
        """An import without plotting packages."""
        module = node.module or "" if isinstance(node, ast.ImportFrom) else ""
        kept = []
        for alias in node.names:
            if (module or alias.name).split(".")[0] in PLOT_PACKAGES or alias.name.startswith("plot"):
                self.tainted.add(alias.asname or alias.name.split(".")[0])
            else:
                kept.append(alias)
        node.names = kept
        return [node] if kept else []

    def _expression(self, node: ast.Expr) -> list[ast.stmt]:
        """An expression statement: bare names and constants say nothing; a final plot call is cut off."""
        value = node.value
        if isinstance(value, ast.Name | ast.Constant | ast.Attribute):
            return []
        while isinstance(value, ast.Call) and _is_plot(value.func) and isinstance(value.func, ast.Attribute):
            value = value.func.value
        if not isinstance(value, ast.Call) or self.draws(value):
            return []
        node.value = value
        return [node]

    def _compound(self, node: ast.stmt) -> list[ast.stmt]:
        """A compound statement with its blocks cleaned; gone when its head draws or nothing is left."""
        blocks = {f: getattr(node, f) for f in ("body", "orelse", "finalbody") if getattr(node, f, None)}
        heads = [v for k, v in ast.iter_fields(node) if k not in {*blocks, "handlers"}]
        flat = [n for head in heads for n in (head if isinstance(head, list) else [head])]
        if any(isinstance(n, ast.AST) and self.draws(n) for n in flat):
            return []
        for name, statements in blocks.items():
            setattr(node, name, self.block(statements))
        return [node] if getattr(node, "body", None) else []


def _is_plot(function: ast.expr) -> bool:
    """Whether a called expression is named like something that draws."""
    if isinstance(function, ast.Attribute):
        return function.attr in PLOT_METHODS or function.attr.startswith("plot_")
    return isinstance(function, ast.Name) and (function.id.startswith("plot") or function.id == "display")
