"""A griffe module as a :class:`~labagent.snapshot.python_units.Unit`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable

import griffe

from labagent.snapshot.decorators import Behaviour, behaviour
from labagent.snapshot.python_units import Alias, Attribute, Class, Function, Member, Unit, Written

SUMMARY = 200  # characters
DOTTED = re.compile(r"^[^\W\d]\w*(\.[^\W\d]\w*)*$")
KINDS: dict[griffe.ParameterKind | None, str] = {
    None: "positional",
    griffe.ParameterKind.positional_only: "positional_only",
    griffe.ParameterKind.positional_or_keyword: "positional",
    griffe.ParameterKind.var_positional: "var_positional",
    griffe.ParameterKind.keyword_only: "keyword_only",
    griffe.ParameterKind.var_keyword: "var_keyword",
}
VARIADIC = ("var_positional", "var_keyword")
SIGNS = ("globals()", "locals()", "vars()", "setattr(", "__dict__", "exec(")
BY_HAND = re.compile(
    r"\b(globals|locals|vars)\(\)\s*(\[|\.update)|[(,]\s*globals\(\)\s*[,)]|^setattr\(|^\w+\.__dict__\.update|^exec\(",
    re.MULTILINE,
)
PASSED = re.compile(
    r"^(?P<function>[A-Za-z_][\w.]*)\((?P<arguments>[\w., \n]+)\)[ \t]*(?:#.*)?$", re.MULTILINE
)
EXTENDED = re.compile(r"^__all__\.(extend|append)\(", re.MULTILINE)
LITERAL = (griffe.ExprList, griffe.ExprTuple, griffe.ExprSet, griffe.ExprBinOp)
MAX_STATEMENT = 400  # lines of one ``__all__.extend``


def convert(module: griffe.Module, code: str, file: str) -> Unit:
    """What the file defines; ``file`` is its path in the repository."""
    reader = _Reader(code.split("\n"), file)
    members = reader.members(module)
    by_hand = any(sign in code for sign in SIGNS) and BY_HAND.search(code) is not None
    return Unit(
        file=file,
        is_package=module.is_init_module,
        exports=_exports(module, code),
        dynamic=by_hand,
        passed=_passed(code, members),
        members=members,
        fallback={},
    )


def _passed(code: str, members: dict[str, Member]) -> tuple[tuple[str, str], ...]:
    """Calls at the top level that are given a class of the file: they may add members to it."""
    found = []
    for match in PASSED.finditer(code):
        for name in re.split(r"[,\s]+", match["arguments"]):
            if isinstance(members.get(name), Class):
                found.append((match["function"], name))
    return tuple(found)


def _exports(module: griffe.Module, code: str) -> tuple[str, ...] | None:
    """``__all__`` as far as it is literal; ``*name`` stands for the list of another module."""
    if module.exports is None:
        return None
    listed = list(module.exports)
    written = module.members.get("__all__")
    value = written.value if isinstance(written, griffe.Attribute) else None
    if not listed and value is not None and not isinstance(value, LITERAL):
        return None
    found = [item if isinstance(item, str) else _list_of(item) for item in listed]
    for match in EXTENDED.finditer(code):
        found += _extension(code[match.start() :])
    return tuple(item for item in found if item)


def _list_of(item: griffe.ExprName) -> str:
    """``*module`` for ``module.__all__``; empty for a list of another name."""
    path = item.canonical_path
    return f"*{path.removesuffix('.__all__')}" if path.endswith(".__all__") else ""


def _extension(text: str) -> list[str]:
    """What a statement ``__all__.extend(…)`` or ``.append(…)`` adds."""
    lines = text.split("\n", MAX_STATEMENT)
    for end in range(1, len(lines)):
        try:
            statement = ast.parse("\n".join(lines[:end])).body[0]
        except (SyntaxError, ValueError):
            continue
        argument = statement.value.args[0] if _is_call(statement) else None  # type: ignore[attr-defined]
        if isinstance(argument, ast.Attribute) and argument.attr == "__all__":
            return [f"*{ast.unparse(argument.value)}"]
        constants = ast.walk(argument) if isinstance(argument, ast.List | ast.Tuple | ast.Constant) else ()
        return [c.value for c in constants if isinstance(c, ast.Constant) and isinstance(c.value, str)]
    return []


def _is_call(statement: ast.stmt) -> bool:
    """Whether a statement is a call with one argument."""
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Call)
        and len(statement.value.args) == 1
    )


class _Reader:
    """Turns griffe's objects of one file into records."""

    def __init__(self, lines: list[str], file: str) -> None:
        self.lines = lines
        self.file = file

    def members(self, holder: griffe.Module | griffe.Class) -> dict[str, Member]:
        """The members of a module or class, those that only overloads describe last."""
        found: dict[str, Member] = {}
        for name, member in holder.members.items():
            record = self._member(member, holder)
            if record is not None:
                found[name] = record
        for name, overloads in holder.overloads.items():
            if name not in found and overloads:
                found[name] = self._overloaded(list(overloads))
        return found

    def _member(
        self, member: griffe.Object | griffe.Alias, holder: griffe.Module | griffe.Class
    ) -> Member | None:
        """One member."""
        if isinstance(member, griffe.Alias):
            return Alias(member.alias_lineno or 1, member.target_path, bool(member.wildcard))
        if isinstance(member, griffe.Function):
            return self._function(member, top=isinstance(holder, griffe.Module))
        if isinstance(member, griffe.Class):
            return self._class(member)
        return self._attribute(member) if isinstance(member, griffe.Attribute) else None

    def _function(self, function: griffe.Function, *, top: bool = False) -> Function:
        """A function; one without parameters of its own is described by its overloads."""
        if function.overloads and not list(function.parameters):
            return self._overloaded(list(function.overloads))
        own = self._behaviour(function) if top or function.name == "__call__" else Behaviour()
        return Function(
            line=function.lineno or 1,
            parameters=_parameters(function.parameters),
            static="staticmethod" in function.labels or function.name == "__new__",
            decorators=tuple(_dotted(d.value) for d in function.decorators),
            runtime=bool(function.runtime),
            summary=_summary(function),
            file=self.file,
            keeps=own.keeps,
            through=own.through,
            sets=own.sets,
            returns=_returned(function),
        )

    def _overloaded(self, overloads: list[griffe.Function]) -> Function:
        """Overloads as one function: the longest; certain only where it holds the names of all others."""
        functions = [self._function(o) for o in overloads]
        best = max(functions, key=lambda f: (len(f.parameters), -f.line))
        names = [p[0] for p in best.parameters]
        same = all([p[0] for p in f.parameters] == names for f in functions)
        decorators = tuple(d for d in best.decorators if not d.endswith("overload"))
        shortest = min(functions, key=lambda f: len(f.parameters))
        parameters = tuple(_relaxed(p, shortest) for p in best.parameters)
        return best._replace(parameters=parameters, decorators=decorators, certain=same)

    def _behaviour(self, function: griffe.Function) -> Behaviour:
        """What the function does as a decorator."""
        source = self.lines[(function.lineno or 1) - 1 : function.endlineno or 1]
        return behaviour("\n".join(source))

    def _class(self, cls: griffe.Class) -> Class:
        """A class with its members."""
        source = self.lines[(cls.lineno or 1) - 1 : cls.endlineno or 1]
        return Class(
            line=cls.lineno or 1,
            bases=tuple(str(base).partition("[")[0] for base in cls.bases),
            metaclass=str(cls.keywords.get("metaclass", "") or ""),
            decorators=tuple(_dotted(d.value) for d in cls.decorators),
            arguments="\n".join(str(d.value) for d in cls.decorators),
            summary=_summary(cls),
            file=self.file,
            keeps=any("update_wrapper(" in line or "wraps(" in line for line in source),
            members=self.members(cls),
        )

    def _attribute(self, attribute: griffe.Attribute) -> Attribute:
        """A variable or property."""
        value = attribute.value
        labels = attribute.labels
        written = isinstance(value, griffe.ExprName | griffe.ExprAttribute)
        dotted = str(value) if written else ""
        return Attribute(
            line=attribute.lineno or 1,
            reference=dotted if DOTTED.match(dotted) else "",
            parameters=_parameters(value.parameters) if isinstance(value, griffe.ExprLambda) else None,
            value="" if value is None else _short(value),
            annotation=str(attribute.annotation or ""),
            is_property="property" in labels,
            is_class_variable="class-attribute" in labels and "instance-attribute" not in labels,
            file=self.file,
        )


def _short(value: str | griffe.Expr) -> str:
    """An attribute's value as text where something can be read from it: calls, literals of one word."""
    if isinstance(value, griffe.ExprCall):
        return str(value)[:2000]
    if isinstance(value, str | griffe.ExprName | griffe.ExprAttribute):
        return str(value)[:200]
    return "…"


def _relaxed(parameter: Written, shortest: Function) -> Written:
    """A parameter that the shortest overload lacks can be left out."""
    name, kind, default, annotation = parameter
    given = {p[0] for p in shortest.parameters}
    if default is None and kind not in VARIADIC and name not in given:
        default = "..."
    return (name, kind, default, annotation)


def _parameters(listed: Iterable[griffe.Parameter | griffe.ExprParameter]) -> tuple[Written, ...]:
    """Parameters of a function or a lambda; griffe gives variadic ones an invented default."""
    found = []
    for p in listed:
        kind = KINDS[p.kind]
        default = None if p.default is None or kind in VARIADIC else str(p.default)
        found.append((p.name.lstrip("*"), kind, default, None if p.annotation is None else str(p.annotation)))
    return tuple(found)


def _returned(function: griffe.Function) -> str:
    """The class an annotation says is returned; empty for anything but one name, and for coroutines."""
    written = str(function.returns or "").strip("'\"")
    return written if DOTTED.match(written) and "async" not in function.labels else ""


def _dotted(value: str | griffe.Expr) -> str:
    """What a decorator names, without its arguments."""
    while isinstance(value, griffe.ExprCall | griffe.ExprSubscript):
        value = value.function if isinstance(value, griffe.ExprCall) else value.left
    return str(value)


def _summary(found: griffe.Object) -> str:
    """The first paragraph of the docstring, in one line."""
    if found.docstring is None:
        return ""
    first = found.docstring.value.strip().split("\n\n", 1)[0]
    return " ".join(first.split())[:SUMMARY]
