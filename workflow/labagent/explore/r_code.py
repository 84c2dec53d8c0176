"""R code as top-level expressions, told apart by tokens alone."""

from __future__ import annotations

import re
from dataclasses import dataclass

from labagent.snapshot.r_tokens import CLOSING, OPENING, Token, tokens

CONTINUES = frozenset(
    {"+", "-", "*", "/", "^", "=", "<", ">", "!", "&", "|", "~", "?", ":", "$", "@", ",", "<-", "<<-", "|>"}
    | {"==", "!=", "<=", ">=", "&&", "||"}
)
PLOTS = frozenset(
    {
        "abline",
        "axis",
        "barplot",
        "boxplot",
        "curve",
        "dev.off",
        "ggplot",
        "hist",
        "image",
        "layout",
        "legend",
    }
    | {"lines", "matplot", "mtext", "pairs", "par", "pdf", "png", "points", "polygon", "segments", "text"}
    | {"title", "grid.arrange", "print.plot", "kable", "View", "browser", "install.packages"}
)


@dataclass(frozen=True)
class Expression:
    """A top-level expression: its source, its tokens without newlines, its first line in the code."""

    text: str
    tokens: tuple[Token, ...]

    @property
    def line(self) -> int:
        """The line it begins on, from 1."""
        return self.tokens[0].line

    @property
    def assigned(self) -> str:
        """The plain name it assigns to, or empty."""
        if (
            len(self.tokens) > 2
            and self.tokens[1].text in {"<-", "="}
            and self.tokens[0].kind in {"name", "quoted"}
        ):
            return self.tokens[0].value
        return ""

    @property
    def called(self) -> list[str]:
        """Names that are called, in order; ``package::name`` where it is written so."""
        found = []
        for at, token in enumerate(self.tokens[:-1]):
            if token.kind == "name" and self.tokens[at + 1].text == "(":
                qualified = at > 1 and self.tokens[at - 1].text == "::"
                found.append(f"{self.tokens[at - 2].text}::{token.text}" if qualified else token.text)
        return found

    @property
    def draws(self) -> bool:
        """Whether it only draws, prints tables for documents, or installs."""
        names = [name.rpartition("::")[2] for name in self.called]
        return any(n in PLOTS or n.startswith(("plot", "geom_")) or n.endswith("_plot") for n in names)


def expressions(code: str) -> list[Expression]:
    """The top-level expressions of R code."""
    found: list[Expression] = []
    current: list[Token] = []
    depth = 0
    for token in tokens(code):
        if token.kind == "operator":
            depth += _depth(token.text)
        ends = token.kind == "newline" or token.text == ";"
        if ends and depth <= 0 and current and not _open(current[-1]):
            found.append(_expression(code, current))
            current = []
        elif token.kind != "newline" and not (ends and not current):
            current.append(token)
    if current and depth <= 0:
        found.append(_expression(code, current))
    return found


def packages(listed: list[Expression]) -> set[str]:
    """Packages that code attaches or names."""
    found: set[str] = set()
    for expression in listed:
        for at, token in enumerate(expression.tokens):
            if token.text in {"::", ":::"} and at:
                found.add(expression.tokens[at - 1].text)
            if token.text in {"library", "require", "requireNamespace"} and at + 2 < len(expression.tokens):
                found.add(expression.tokens[at + 2].value)
    return found


def replaced(text: str, old: str, new: str) -> str:
    """Source in which a string token of value ``old`` is replaced by code."""
    return re.sub(rf"([\"']){re.escape(old)}\1", lambda _: new, text)


def _expression(code: str, listed: list[Token]) -> Expression:
    """An expression from its tokens."""
    return Expression(code[listed[0].start : listed[-1].end], tuple(listed))


def _open(token: Token) -> bool:
    """Whether an expression cannot end after a token."""
    operator = token.kind == "operator" and (token.text in CONTINUES or token.text.startswith("%"))
    return operator or token.text == "else"


def _depth(text: str) -> int:
    """By how much a token opens or closes."""
    if text == "[[":
        return 2
    return 1 if text in OPENING else -1 if text in CLOSING else 0
