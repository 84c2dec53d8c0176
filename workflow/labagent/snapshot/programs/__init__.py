"""Command lines of a repository's scripts, read from their source: each module reads one way to write them.

A module offers ``SIGN`` (a text that every such file holds), ``SUFFIXES`` and ``read(text) -> list[Found]``;
it raises ``ValueError`` for a file it cannot read. Modules whose name starts with an underscore are helpers.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import partial
from pathlib import PurePosixPath
from types import ModuleType
from typing import Any

from labagent.models.snapshot import Option, Program
from labagent.snapshot.kept import Kept
from labagent.snapshot.layout import Module, find_modules
from labagent.snapshot.programs._found import Found
from labagent.snapshot.walk import TESTS, Tree, folder_names

ASIDE = TESTS | {"docs", "doc"}


def readers() -> list[ModuleType]:
    """The ways of writing a command line, by name of the module."""
    names = sorted(m.name for m in pkgutil.iter_modules(__path__) if not m.name.startswith("_"))
    return [importlib.import_module(f"{__name__}.{name}") for name in names]


def find_programs(
    tree: Tree, kept: Kept | None = None, modules: list[Module] | None = None
) -> tuple[Program, ...]:
    """All programs and their subcommands, by file; tests and documentation do not count."""
    kept, known = kept or Kept(), readers()
    suffixes = {suffix for reader in known for suffix in reader.SUFFIXES}
    named = {m.file: m.name for m in (find_modules(tree) if modules is None else modules)}
    found = []
    for path in tree.having(*suffixes):
        if folder_names(path) & ASIDE or any(part.startswith(".") for part in path.parts):
            continue
        raw = kept.of(tree, path, "programs", partial(_read, tree, path, known))
        found += [_record(item, path, named.get(path, "")) for item in raw]
    return tuple(found)


def _read(tree: Tree, path: PurePosixPath, known: list[ModuleType]) -> tuple[Any, ...]:
    """The programs of one file as plain tuples."""
    text = tree.text(path)
    found: list[Found] = []
    for reader in known:
        if path.suffix.lower() in reader.SUFFIXES and reader.SIGN in text:
            try:
                found += reader.read(text)
            except (ValueError, SyntaxError, RecursionError):
                continue  # the file is listed as unreadable where its definitions are read
    return tuple((*f[:-1], tuple(tuple(o) for o in f.options)) for f in found)


def _record(raw: tuple[Any, ...], path: PurePosixPath, module: str) -> Program:
    """A program as a record."""
    kind, command, line, complete, text, options = raw
    fields = ("names", "takes_value", "required", "default", "choices", "help", "line")
    return Program(
        file=path.as_posix(),
        module=module,
        command=command,
        kind=kind,
        options=tuple(Option(**dict(zip(fields, option, strict=True))) for option in options),
        complete=complete,
        help=text,
        line=line,
    )
