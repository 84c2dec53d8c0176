"""A tolerant tokenizer for R, and what can be told from tokens alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

TOKEN = re.compile(
    r"""
    (?P<space>[ \t\r\f]+)
  | (?P<newline>\n)
  | (?P<comment>\#[^\n]*)
  | (?P<raw>[rR]["'](?P<dashes>-*)[\[({](?s:.*?)[\])}](?P=dashes)["'])
  | (?P<string>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')
  | (?P<quoted>`(?:\\.|[^`\\])*`)
  | (?P<number>0[xX][0-9a-fA-F]+L?|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[Li]?)
  | (?P<name>[^\W\d_][\w.]*|\.(?:[^\W\d][\w.]*|\.+[\w.]*)?)
  | (?P<operator><<-|->>|<-|->|\|>|%[^%\n]*%|:::|::|\[\[|==|!=|<=|>=|&&|\|\||[-+*/^=<>!&|~?:$@,;(){}\[\]\\])
  | (?P<other>.)
    """,
    re.VERBOSE | re.DOTALL,
)
OPENING, CLOSING = {"(", "{", "[", "[["}, {")", "}", "]"}


@dataclass(frozen=True)
class Token:
    """A token with its place: offsets in the text and the line (from 1)."""

    kind: str
    text: str
    start: int
    end: int
    line: int

    @property
    def value(self) -> str:
        """The text of a string or quoted name without its quotes."""
        return self.text[1:-1] if self.kind in ("string", "quoted") else self.text


def tokens(text: str) -> list[Token]:
    """All tokens but blanks and comments; newlines stay, they end expressions."""
    found = []
    line = 1
    for match in TOKEN.finditer(text):
        kind = match.lastgroup or "other"
        if kind == "dashes":
            kind = "raw"
        if kind not in ("space", "comment"):
            found.append(Token(kind, match[0], match.start(), match.end(), line))
        line += match[0].count("\n")
    return found


def skip_newlines(listed: list[Token], at: int) -> int:
    """The first position from ``at`` that is not a newline."""
    while at < len(listed) and listed[at].kind == "newline":
        at += 1
    return at


def closing(listed: list[Token], at: int) -> int:
    """The position of the bracket that closes the one at ``at``; the end where it is never closed."""
    depth = 0
    for position in range(at, len(listed)):
        token = listed[position]
        if token.kind == "operator":
            depth += _depth(token.text)
            if depth <= 0:
                return position
    return len(listed)


def _depth(text: str) -> int:
    """By how much a token opens or closes; ``[[`` is closed by two ``]``."""
    if text == "[[":
        return 2
    return 1 if text in OPENING else -1 if text in CLOSING else 0


def arguments(listed: list[Token], at: int) -> Iterator[list[Token]]:
    """The arguments between the bracket at ``at`` and its closing one, each a list of tokens."""
    end = closing(listed, at)
    depth = 0
    current: list[Token] = []
    for token in listed[at + 1 : end]:
        depth += _depth(token.text) if token.kind == "operator" else 0
        if token.text == "," and token.kind == "operator" and depth == 0:
            yield current
            current = []
        elif token.kind != "newline" or current:
            current.append(token)
    if any(token.kind != "newline" for token in current):
        yield current


def source(text: str, part: list[Token]) -> str:
    """The source text of tokens, in one line."""
    solid = [token for token in part if token.kind != "newline"]
    return " ".join(text[solid[0].start : solid[-1].end].split()) if solid else ""
