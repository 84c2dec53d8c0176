"""Commands of bash blocks and of ``subprocess`` calls, as words with their lines. Nothing is run."""

from __future__ import annotations

import ast
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass

HEREDOC = re.compile(r"<<-?\s*(['\"]?)(\w[\w.-]*)\1")
ASSIGNMENT = re.compile(r"^[A-Za-z_]\w*=")
BREAKS = frozenset({";", "&&", "||", "|", "&", "(", ")", "{", "}", ";;", "|&"})
REDIRECT = re.compile(r"^\d*(>>?|<|>&|&>)")
LEADING = frozenset(
    {"if", "then", "else", "elif", "while", "until", "do", "!", "time", "exec", "env", "command", "nohup"}
)
RUNNING = frozenset({"run", "call", "check_call", "check_output", "Popen"})


@dataclass(frozen=True)
class Command:
    """The words of one simple command; ``line`` counts from 1 within its block."""

    words: tuple[str, ...]
    line: int


def commands(code: str) -> Iterator[Command]:
    """The simple commands of a bash text; what stands in here-documents is no command."""
    for line, text in _logical_lines(code):
        try:
            lexer = shlex.shlex(text, posix=True, punctuation_chars="();|&")
            lexer.whitespace_split = True
            listed = list(lexer)
        except ValueError:
            continue  # a quote over several lines
        words: list[str] = []
        for word in [*listed, ";"]:
            if word in BREAKS or set(word) <= set("();|&"):
                command = _simple(words)
                if command:
                    yield Command(command, line)
                words = []
            else:
                words.append(word)


def _logical_lines(code: str) -> Iterator[tuple[int, str]]:
    """Lines with their continuations, without here-documents."""
    end, started, text = "", 0, ""
    for number, line in enumerate(code.split("\n"), 1):
        if end:
            end = "" if line.strip() == end else end
            continue
        started = started if text else number
        if line.rstrip().endswith("\\"):
            text += f"{line.rstrip()[:-1]} "
            continue
        text += line
        opened = HEREDOC.search(text)
        end = opened[2] if opened else ""
        yield started, text
        text = ""


def _simple(words: list[str]) -> tuple[str, ...]:
    """A command without assignments, redirections and words of the shell in front."""
    kept: list[str] = []
    skip = False
    for word in words:
        if skip:
            skip = False
        elif REDIRECT.match(word):
            skip = REDIRECT.fullmatch(word) is not None
        elif kept or not (ASSIGNMENT.match(word) or word in LEADING):
            kept.append(word)
    return tuple(kept)


def spawned(tree: ast.Module) -> Iterator[Command]:
    """Commands given to ``subprocess`` as a list; words that are no constants are ``$``."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or not node.args:
            continue
        if node.func.attr in RUNNING and ast.unparse(node.func.value) == "subprocess":
            listed = node.args[0]
            if isinstance(listed, ast.List | ast.Tuple):
                yield Command(tuple(_word(item) for item in listed.elts), node.lineno)


def _word(item: ast.expr) -> str:
    """A word of a command."""
    if isinstance(item, ast.Constant) and isinstance(item.value, str):
        return item.value
    return "python" if ast.unparse(item) == "sys.executable" else "$"
