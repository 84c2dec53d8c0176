"""Python sources as units (:mod:`labagent.snapshot.python_units`): each on its own, nothing is imported."""

from __future__ import annotations

import ast
import gc
import io
import logging
import re
import tokenize
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

import griffe

from labagent.models.snapshot import Unreadable
from labagent.snapshot.kept import Kept
from labagent.snapshot.layout import Module
from labagent.snapshot.python_convert import convert
from labagent.snapshot.python_units import Unit, merged, pack, unpack
from labagent.snapshot.walk import Tree

PYTHON_2 = re.compile(
    r"^\s*(print\s+[\"'\w]|exec\s+[\"'\w]|raise\s+\w+\s*,|except\s+[\w.]+\s*,\s*\w+\s*:)", re.M
)
UNREADABLE = (SyntaxError, ValueError, RecursionError, MemoryError, tokenize.TokenError)
COLLECT_EVERY = 2 << 20  # characters of source between two collections of what griffe leaves


@dataclass
class Loaded:
    """Units by module name, and files that do not parse."""

    units: dict[str, Unit] = field(default_factory=dict)
    unreadable: list[Unreadable] = field(default_factory=list)


def load(tree: Tree, modules: list[Module], kept: Kept) -> Loaded:
    """Read ``modules``; of files that ``kept`` knows, what was found before."""
    loaded = Loaded()
    read = 0
    with quiet(), few_collections():
        for module in modules:
            unit = _unit(tree, module.file, module.name, kept, loaded)
            stub = _unit(tree, module.stub, module.name, kept, loaded) if module.stub else None
            read += tree.size(module.file) if kept.computed or kept.path is None else 0
            if read > COLLECT_EVERY:
                gc.collect(1)
                read = 0
            if unit is not None:
                loaded.units[module.name] = unit if stub is None else merged(unit, stub)
    return loaded


def _unit(tree: Tree, file: PurePosixPath, name: str, kept: Kept, loaded: Loaded) -> Unit | None:
    """One file; ``None`` and a record where it does not parse."""
    raw: tuple[Any, ...] = kept.of(tree, file, f"python {name}", lambda: _read(tree, file, name))
    if raw[0] == "unreadable":
        loaded.unreadable.append(Unreadable(file=file.as_posix(), reason=raw[1]))
        return None
    return unpack(raw[1])


def _read(tree: Tree, file: PurePosixPath, name: str) -> tuple[Any, ...]:
    """What a file defines, or why it cannot be read."""
    data = (tree.root / file).read_bytes()
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        code = io.TextIOWrapper(io.BytesIO(data), encoding).read()
        return ("unit", pack(convert(_visit(file, name, code), code, file.as_posix())))
    except UNREADABLE as error:
        return ("unreadable", _reason(data, error))


def _visit(file: PurePosixPath, name: str, code: str) -> griffe.Module:
    """The file as a griffe module that knows its place, but none of its neighbours."""
    modules, lines = griffe.ModulesCollection(), griffe.LinesCollection()
    holder: griffe.Module | None = None
    for part in name.split(".")[:-1]:
        holder = griffe.Module(part, parent=holder, modules_collection=modules, lines_collection=lines)
    path = Path(file)
    lines[path] = code.split("\n")
    return griffe.visit(
        name.rpartition(".")[2],
        filepath=path,
        code=code,
        parent=holder,
        lines_collection=lines,
        modules_collection=modules,
    )


@contextmanager
def few_collections() -> Iterator[None]:
    """Collect garbage only where asked to: left alone, the collector looks at all that was read too often."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


@contextmanager
def quiet() -> Iterator[None]:
    """Keep griffe's and the compiler's remarks on other people's code to ourselves."""
    logger = logging.getLogger("griffe")
    level = logger.level
    logger.setLevel(logging.CRITICAL + 1)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logger.setLevel(level)


def _reason(data: bytes, error: Exception) -> str:
    """Why a file is unreadable, with the line."""
    line = getattr(error, "lineno", None)
    place = f"line {line}: " if line else ""
    text = str(getattr(error, "msg", "") or error).split("\n", 1)[0]
    if isinstance(error, SyntaxError) and PYTHON_2.search(data.decode("latin-1")):
        return f"{place}Python 2 code: {text}"
    return f"{place}{text or type(error).__name__}"


def parses(code: str) -> bool:
    """Whether a text is Python code."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True
