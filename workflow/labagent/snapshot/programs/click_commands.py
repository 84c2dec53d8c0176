"""``click`` and ``typer``: commands are functions, options their decorators or parameters."""

from __future__ import annotations

import ast

from labagent.snapshot.programs._found import (
    Found,
    OptionFound,
    called,
    is_true,
    keywords,
    line_of,
    parse,
    texts,
    written,
)

SIGN, SUFFIXES = "command", (".py",)
MAKING = frozenset({"command", "group", "callback"})
KNOWN = frozenset(
    {"option", "argument", "pass_context", "pass_obj", "version_option", "help_option", *MAKING}
)


def read(text: str) -> list[Found]:
    """The commands of a file; one that is added to a group is a subcommand."""
    if "click" not in text and "typer" not in text:
        return []
    found = []
    for node in ast.walk(parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            making = next((d for d in node.decorator_list if called(d) in MAKING), None)
            if making is not None and _is_command(making, text):
                found.append(_command(node, making, text))
    single = [f for f in found if f.kind == "typer"]
    if len(single) == 1 and not any(f.command == "" for f in found if f.kind == "typer"):
        found = [f._replace(command="") if f.kind == "typer" else f for f in found]
    return found


def _is_command(making: ast.expr, text: str) -> bool:
    """Whether a decorator is of click, of a group, or of an application of typer."""
    func = making.func if isinstance(making, ast.Call) else making
    if isinstance(func, ast.Name):
        return f"import {func.id}" in text or "from click import" in text
    receiver = ast.unparse(func.value) if isinstance(func, ast.Attribute) else ""
    return receiver == "click" or f"{receiver} = typer.Typer(" in text or f"def {receiver}(" in text


def _command(node: ast.FunctionDef | ast.AsyncFunctionDef, making: ast.expr, text: str) -> Found:
    """One command."""
    func = making.func if isinstance(making, ast.Call) else making
    receiver = ast.unparse(func.value) if isinstance(func, ast.Attribute) else "click"
    is_typer = f"{receiver} = typer.Typer(" in text
    given = keywords(making) if isinstance(making, ast.Call) else {}
    named = texts(making.args) if isinstance(making, ast.Call) else ()
    name = next(iter(named), None) or written(given.get("name")) or node.name.replace("_", "-")
    top = receiver == "click" or called(making) == "callback"
    options = _typer_options(node) if is_typer else _click_options(node)
    others = [d for d in node.decorator_list if called(d) not in KNOWN]
    open_ended = (
        others
        or "ignore_unknown_options" in ast.unparse(making)
        or any(
            "Annotated" not in ast.unparse(d) and called(d) == "option" and not texts(d.args)
            for d in node.decorator_list
            if isinstance(d, ast.Call)
        )
    )
    kind = "typer" if is_typer else "click"
    help_ = line_of(ast.get_docstring(node) or "")
    return Found(kind, "" if top else name, node.lineno, not open_ended, help_, tuple(options))


def _click_options(node: ast.FunctionDef | ast.AsyncFunctionDef) -> list[OptionFound]:
    """The decorators ``option``, ``argument`` and ``version_option``."""
    found = []
    for decorator in reversed(node.decorator_list):
        if not isinstance(decorator, ast.Call) or called(decorator) not in (
            "option",
            "argument",
            "version_option",
        ):
            continue
        given, names = keywords(decorator), texts(decorator.args)
        if called(decorator) == "version_option":
            names = tuple(n for n in names if n.startswith("-")) or ("--version",)
        elif called(decorator) == "option":
            names = tuple(
                n for full in names if full.startswith("-") for n in full.replace(" ", "").split("/")
            )
        flag = is_true(given.get("is_flag")) or is_true(given.get("count")) or "flag_value" in given
        both = any("/" in n for n in texts(decorator.args))
        if names:
            found.append(_option(names, given, decorator.lineno, takes_value=not (flag or both)))
    return found


def _option(
    names: tuple[str, ...], given: dict[str, ast.expr], line: int, *, takes_value: bool
) -> OptionFound:
    """An option of click by what its decorator is given."""
    kind = given.get("type")
    choices: tuple[str, ...] = ()
    if isinstance(kind, ast.Call) and called(kind) == "Choice" and kind.args:
        listed = kind.args[0]
        choices = texts(listed.elts) if isinstance(listed, ast.List | ast.Tuple) else ()
    positional = not names[0].startswith("-")
    required = is_true(given.get("required")) or (
        positional and "default" not in given and "required" not in given
    )
    default = written(given.get("default"))
    return OptionFound(
        names, takes_value, required, default, choices, line_of(written(given.get("help"))), line
    )


def _typer_options(node: ast.FunctionDef | ast.AsyncFunctionDef) -> list[OptionFound]:
    """The parameters of a function: those with a default are options, the others arguments."""
    positional = [*node.args.posonlyargs, *node.args.args]
    defaults: list[ast.expr | None] = [None] * (len(positional) - len(node.args.defaults))
    defaults += node.args.defaults
    pairs = [
        *zip(positional, defaults, strict=True),
        *zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True),
    ]
    found = []
    for parameter, default in pairs:
        annotation = ast.unparse(parameter.annotation) if parameter.annotation else ""
        if "Context" in annotation:
            continue
        found.append(_typer_option(parameter, default, annotation))
    return found


def _typer_option(parameter: ast.arg, default: ast.expr | None, annotation: str) -> OptionFound:
    """One parameter as an option or argument."""
    call = default if isinstance(default, ast.Call) and called(default) in ("Option", "Argument") else None
    within = ast.walk(parameter.annotation) if parameter.annotation else ()
    noted = next((n for n in within if isinstance(n, ast.Call) and called(n) in ("Option", "Argument")), None)
    described = call or noted
    is_option = called(described) == "Option" if described else default is not None
    names = tuple(n for n in texts(described.args) if n.startswith("-")) if described else ()
    name = parameter.arg.replace("_", "-")
    is_flag = "bool" in annotation
    if is_option and not any(n.startswith("--") for full in names for n in full.split("/")):
        names = (*names, f"--{name}", *((f"--no-{name}",) if is_flag else ()))
    names = tuple(n for full in names for n in full.split("/")) if is_option else (name,)
    value = (call.args[0] if call.args else None) if call else default
    text = written(value)
    needed = text in (None, "...")
    given = keywords(described) if described else {}
    return OptionFound(
        names,
        not is_flag,
        needed,
        None if needed else text,
        (),
        line_of(written(given.get("help"))),
        parameter.lineno,
    )
