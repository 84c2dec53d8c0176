"""Command lines of a repository's scripts, read from their source: each module reads one way to write them.

A module offers ``SIGN`` (a text that every such file holds), ``SUFFIXES`` and ``read(text) -> list[Found]``;
it raises ``ValueError`` for a file it cannot read. Modules whose name starts with an underscore are helpers.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache, partial
from pathlib import PurePosixPath
from types import ModuleType
from typing import Any

from labagent.models.snapshot import Option, Program
from labagent.snapshot.kept import Kept
from labagent.snapshot.layout import Module, find_modules
from labagent.snapshot.programs._found import Found
from labagent.snapshot.walk import TESTS, Tree, folder_names

ASIDE = TESTS | {"docs", "doc"}


@cache
def readers() -> list[ModuleType]:
    """The ways of writing a command line, by name of the module."""
    names = sorted(m.name for m in pkgutil.iter_modules(__path__) if not m.name.startswith("_"))
    return [importlib.import_module(f"{__name__}.{name}") for name in names]


def find_programs(
    tree: Tree, kept: Kept | None = None, modules: list[Module] | None = None
) -> tuple[Program, ...]:
    """All programs and their subcommands, by file; tests and documentation do not count."""
    kept = kept or Kept()
    named = {m.file: m.name for m in (find_modules(tree) if modules is None else modules)}
    found = []
    for name in kept.part(tree, "sources of programs", lambda: _sources(tree)):
        raw = kept.of(tree, name, "programs", partial(_read, tree, name))
        if raw:
            path = PurePosixPath(name)
            found += [_record(item, path, named.get(path, "")) for item in raw]
    return tuple(found)


def _sources(tree: Tree) -> list[str]:
    """The files that may hold programs."""
    paths = tree.having(*{suffix for reader in readers() for suffix in reader.SUFFIXES})
    return [
        path.as_posix()
        for path in paths
        if not folder_names(path) & ASIDE and not any(part.startswith(".") for part in path.parts)
    ]


def _read(tree: Tree, name: str) -> tuple[Any, ...]:
    """The programs of one file as plain tuples."""
    path = PurePosixPath(name)
    text = tree.text(path)
    found: list[Found] = []
    for reader in readers():
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
