"""``argparse`` and ``optparse``: parsers, groups, subcommands."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

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

SIGN, SUFFIXES = "Parser(", (".py",)
PARSERS = {"ArgumentParser": "argparse", "OptionParser": "optparse"}
GROUPS = frozenset({"add_argument_group", "add_mutually_exclusive_group", "OptionGroup", "add_option_group"})
ADDING = frozenset({"add_argument", "add_option"})
FLAGS = frozenset({"store_true", "store_false", "store_const", "append_const", "count", "help", "version"})


@dataclass
class _Parser:
    """A parser or a subparser of the file."""

    kind: str
    command: str
    line: int
    help: str
    complete: bool = True
    options: list[OptionFound] = field(default_factory=list)


def read(text: str) -> list[Found]:
    """The parsers of a file. Options added to what is no parser of the file count for all of them."""
    if not any(name in text for name in (*PARSERS, "add_parser")):
        return []
    tree = parse(text)
    parsers: dict[str, _Parser] = {}
    found: list[_Parser] = []
    loose: list[OptionFound] = []
    known_args = "parse_known_args" in text
    for call, target in _calls(tree):
        name = called(call)
        receiver = ast.unparse(call.func.value) if isinstance(call.func, ast.Attribute) else ""
        if name in PARSERS or name == "add_parser":
            made = _made(call, name, parsers.get(receiver))
            found.append(made)
            parsers[target or f"line {call.lineno}"] = made
        elif name == "add_subparsers" and receiver in parsers:
            parsers[target] = parsers[receiver]
        elif name in GROUPS:
            owner = receiver if receiver in parsers else (ast.unparse(call.args[0]) if call.args else "")
            if owner in parsers and target:
                parsers[target] = parsers[owner]
        elif name in ADDING and texts(call.args):
            option = _option(call)
            parsers[receiver].options.append(option) if receiver in parsers else loose.append(option)
        else:
            _given_away(call, parsers, text)
    return [
        Found(p.kind, p.command, p.line, p.complete and not known_args, p.help, (*p.options, *loose))
        for p in found
    ]


def _calls(tree: ast.Module) -> Iterator[tuple[ast.Call, str]]:
    """All calls in the order of the file, with the name their result is bound to."""
    bound, calls = {}, []
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            calls.append(node)
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Call) and len(node.targets) == 1:
            bound[id(node.value)] = ast.unparse(node.targets[0])
    for call in sorted(calls, key=lambda c: (c.end_lineno or 0, c.end_col_offset or 0)):
        yield call, bound.get(id(call), "")


def _made(call: ast.Call, name: str, owner: _Parser | None) -> _Parser:
    """A new parser; with ``parents`` or a name that is computed it is not known completely."""
    given = keywords(call)
    command = ""
    if name == "add_parser":
        command = next(iter(texts(call.args)), "?")
    text = line_of(written(given.get("help") or given.get("description")))
    made = _Parser(owner.kind if owner else PARSERS.get(name, "argparse"), command, call.lineno, text)
    made.complete = (
        "parents" not in given and not any(k.arg is None for k in call.keywords) and command != "?"
    )
    return made


def _given_away(call: ast.Call, parsers: dict[str, _Parser], text: str) -> None:
    """A parser that is passed to a function of another file may get options there."""
    name = called(call)
    for argument in (*call.args, *(k.value for k in call.keywords)):
        key = ast.unparse(argument) if isinstance(argument, ast.Name | ast.Attribute) else ""
        if key in parsers and f"def {name}(" not in text:
            parsers[key].complete = False


def _option(call: ast.Call) -> OptionFound:
    """The option that a call adds."""
    given = keywords(call)
    names = texts(call.args)
    action = written(given.get("action")) or ""
    choices = given.get("choices")
    listed = choices.elts if isinstance(choices, ast.List | ast.Tuple | ast.Set) else []
    optional = written(given.get("nargs")) in ("?", "*")
    if "BooleanOptionalAction" in action:
        names = (*names, *(f"--no-{n[2:]}" for n in names if n.startswith("--")))
    return OptionFound(
        names=names,
        takes_value=action not in FLAGS and "BooleanOptionalAction" not in action,
        required=is_true(given.get("required")) or (not names[0].startswith("-") and not optional),
        default=written(given.get("default")),
        choices=tuple(str(written(item)) for item in listed),
        help=line_of(written(given.get("help"))),
        line=call.lineno,
    )
