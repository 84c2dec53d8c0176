"""Definitions in R source files: functions with their formals, S4 generics, classes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from labagent.models.snapshot import Parameter
from labagent.snapshot.r_tokens import Token, arguments, closing, skip_newlines, source, tokens

ASSIGN = frozenset({"<-", "=", "<<-"})
GENERICS = frozenset({"setGeneric"})
CLASSES = frozenset({"setClass", "setRefClass", "R6Class", "new_class"})


@dataclass(frozen=True)
class Definition:
    """A function or class of a file, with the line it starts on."""

    name: str
    kind: str
    parameters: tuple[Parameter, ...]
    line: int


def definitions(text: str) -> Iterator[Definition]:
    """The definitions at the top level of a file, in order; also those in top-level ``if`` blocks.

    Raises:
        ValueError: brackets do not match, so that the file cannot be R.
    """
    listed = tokens(text)
    _check_brackets(listed)
    at = 0
    while at < len(listed):
        token = listed[at]
        found = _definition(text, listed, at)
        if found is not None:
            yield found
        brackets = token.kind == "operator" and token.text in ("(", "[", "[[")
        if brackets or _starts_body(listed, at):
            at = closing(listed, at)
        at += 1


def _check_brackets(listed: list[Token]) -> None:
    """Refuse text whose brackets do not match."""
    stack: list[Token] = []
    pairs = {")": "(", "}": "{", "]": "["}
    for token in listed:
        if token.kind != "operator":
            continue
        if token.text == "[[":
            stack += [token, token]
        elif token.text in "({[":
            stack.append(token)
        elif token.text in pairs:
            opened = stack.pop() if stack else None
            if opened is None or opened.text[0] != pairs[token.text]:
                raise ValueError(f'line {token.line}: "{token.text}" closes nothing')
    if stack:
        raise ValueError(f'line {stack[-1].line}: "{stack[-1].text}" is never closed')


def _starts_body(listed: list[Token], at: int) -> bool:
    """Whether a brace opens a function's body; other braces are entered."""
    if listed[at].text != "{" or listed[at].kind != "operator":
        return False
    before = [t for t in listed[max(0, at - 3) : at] if t.kind != "newline"]
    return bool(before) and before[-1].text == ")" and not _follows_condition(listed, at)


def _follows_condition(listed: list[Token], at: int) -> bool:
    """Whether the bracket before a brace belongs to ``if``."""
    depth = 0
    for position in range(at - 1, -1, -1):
        text = listed[position].text if listed[position].kind == "operator" else ""
        depth += text == ")"
        depth -= text == "("
        if text == "(" and depth == 0:
            return position > 0 and listed[position - 1].text == "if"
    return False


def _definition(text: str, listed: list[Token], at: int) -> Definition | None:
    """The definition that starts at a token, if one does."""
    token = listed[at]
    if token.kind not in ("name", "quoted", "string"):
        return None
    after = skip_newlines(listed, at + 1)
    if token.text in GENERICS | CLASSES and after < len(listed) and listed[after].text == "(":
        return _registered(text, listed, at, after)
    if at + 1 >= len(listed) or listed[at + 1].text not in ASSIGN:
        return None
    value = skip_newlines(listed, at + 2)
    if value + 1 < len(listed) and listed[value].text in CLASSES and listed[value + 1].text == "(":
        return Definition(token.value, "class", _class_formals(text, listed, value + 1), token.line)
    formals = function_formals(text, listed, value)
    return None if formals is None else Definition(token.value, "function", formals, token.line)


def function_formals(text: str, listed: list[Token], at: int) -> tuple[Parameter, ...] | None:
    """The formals of ``function(…)`` or ``\\(…)`` at a position; ``None`` for another expression."""
    if at + 1 >= len(listed) or listed[at].text not in ("function", "\\"):
        return None
    opened = skip_newlines(listed, at + 1)
    if opened >= len(listed) or listed[opened].text != "(":
        return None
    return formals_at(text, listed, opened)


def formals_at(text: str, listed: list[Token], at: int) -> tuple[Parameter, ...]:
    """The formals between brackets: ``name``, ``name = default``, ``...``."""
    found = []
    for part in arguments(listed, at):
        solid = [t for t in part if t.kind != "newline"]
        if not solid or solid[0].kind not in ("name", "quoted", "string"):
            continue
        if solid[0].text == "...":
            found.append(Parameter(name="...", kind="var_positional"))
            continue
        default = source(text, solid[2:]) if len(solid) > 2 and solid[1].text == "=" else None
        found.append(Parameter(name=solid[0].value, kind="positional", default=default))
    return tuple(found)


def _registered(text: str, listed: list[Token], at: int, opened: int) -> Definition | None:
    """``setGeneric("name", function(x, …))`` and ``setClass("Name", …)``."""
    parts = [[t for t in part if t.kind != "newline"] for part in arguments(listed, opened)]
    named = {part[0].value: part[2:] for part in parts if len(part) > 2 and part[1].text == "="}
    plain = [part for part in parts if len(part) < 2 or part[1].text != "="]
    name = named.get("name") or named.get("Class") or named.get("classname") or (plain[0] if plain else [])
    if len(name) != 1 or name[0].kind != "string":
        return None
    if listed[at].text in GENERICS:
        body = named.get("def") or (plain[1] if len(plain) > 1 else [])
        return Definition(name[0].value, "function", function_formals(text, body, 0) or (), listed[at].line)
    return Definition(name[0].value, "class", _class_formals(text, listed, opened), listed[at].line)


def _class_formals(text: str, listed: list[Token], opened: int) -> tuple[Parameter, ...]:
    """The formals of ``initialize = function(…)`` in an R6 or reference class."""
    end = closing(listed, opened)
    for position in range(opened, end):
        if listed[position].value == "initialize" and position + 2 < end and listed[position + 1].text == "=":
            formals = function_formals(text, listed, skip_newlines(listed, position + 2))
            if formals is not None:
                return formals
    return ()
