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
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

import griffe

from labagent.models.snapshot import Unreadable
from labagent.snapshot.kept import Kept
from labagent.snapshot.layout import Module
from labagent.snapshot.python_convert import convert
from labagent.snapshot.python_units import Alias, Unit, merged, pack, unpack
from labagent.snapshot.walk import Tree

PYTHON_2 = re.compile(
    r"^\s*(print\s+[\"'\w]|exec\s+[\"'\w]|raise\s+\w+\s*,|except\s+[\w.]+\s*,\s*\w+\s*:)", re.M
)
UNREADABLE = (SyntaxError, ValueError, RecursionError, MemoryError, tokenize.TokenError)
COLLECT_EVERY = 2 << 20  # characters of source between two collections of what griffe leaves
UNIT = "python unit"


class State(NamedTuple):
    """What is known of a module without its unit.

    ``key`` stands for the files it was read from. ``unreadable`` pairs files with reasons; ``there`` says
    whether a unit could be made at all; ``stars`` are the modules of which all names are imported.
    """

    key: tuple[str, str, str, str]
    unreadable: tuple[tuple[str, str], ...]
    there: bool
    dynamic: bool
    stars: tuple[str, ...]


class Units:
    """Units by module name; those of files that did not change are read from what was kept, when asked for.

    Args:
        tree: the repository.
        modules: its modules.
        kept: what was found before.
    """

    def __init__(self, tree: Tree, modules: list[Module], kept: Kept) -> None:
        self._tree, self._kept = tree, kept
        self._modules = {m.name: m for m in modules}
        self._read: dict[str, Unit | None] = {}
        before: dict[str, tuple[Any, ...]] = kept.get("python", "states") or {}
        self._before = {name: State._make(raw) for name, raw in before.items()}
        self.changed: list[str] = []
        with quiet(), few_collections():
            self.states = self._states()
        kept.retain(UNIT, {_row(f, m.name) for m in modules for f in (m.file, m.stub) if f})
        if self.changed or self.states.keys() != before.keys():
            kept.put("python", "states", {name: tuple(state) for name, state in self.states.items()})

    @property
    def unreadable(self) -> list[Unreadable]:
        """The files that do not parse."""
        return [Unreadable(file=f, reason=why) for s in self.states.values() for f, why in s.unreadable]

    @property
    def names_before(self) -> frozenset[str]:
        """The modules that had a unit in the snapshot that was kept."""
        return frozenset(name for name, state in self._before.items() if state.there)

    def unit(self, name: str) -> Unit:
        """The unit of a module that has one."""
        if name not in self._read:
            self._read[name] = self._made(name, self.states[name].key)
        unit = self._read[name]
        assert unit is not None  # asked for modules that are there
        return unit

    def before(self, name: str) -> Unit | None:
        """The unit of a module as it was kept."""
        return self._made(name, self._before[name].key) if name in self._before else None

    def _made(self, name: str, key: tuple[str, str, str, str]) -> Unit | None:
        """The unit of the files that ``key`` names as they were kept."""
        file, _, stub, _ = key
        found = self._row(file, name)
        return _joined(found, self._row(stub, name) if stub else "")

    def _row(self, file: str, name: str) -> Unit | str:
        """What a file defines, as it was kept, or why it could not be read."""
        raw = self._kept.get(UNIT, _row(file, name))
        return unpack(raw) if isinstance(raw, tuple) else str(raw)

    def _states(self) -> dict[str, State]:
        """The states of all modules; those that changed are read."""
        states, characters = {}, 0
        for name, module in self._modules.items():
            key = self._key(module)
            state = self._before.get(name)
            if state is None or state.key != key:
                state = self._changed(module, key)
                characters += self._tree.size(module.file)
                if characters > COLLECT_EVERY:
                    gc.collect(1)
                    characters = 0
            states[name] = state
        return states

    def _key(self, module: Module) -> tuple[str, str, str, str]:
        """The paths and digests of a module's files; without digests where nothing is kept."""
        stub = str(module.stub or "")
        if self._kept.path is None:
            return (str(module.file), "", stub, "")
        sha = self._tree.sha256
        return (str(module.file), sha(module.file), stub, sha(module.stub) if module.stub else "")

    def _changed(self, module: Module, key: tuple[str, str, str, str]) -> State:
        """Read a module."""
        self.changed.append(module.name)
        self._kept.computed += 1
        before = self._before.get(module.name)
        shas = dict(zip(before.key[::2], before.key[1::2], strict=True)) if before else {}
        found: dict[str, Unit | str] = {}
        for file, sha in zip(key[::2], key[1::2], strict=True):
            if file and sha and shas.get(file) == sha:
                found[file] = self._row(file, module.name)
            elif file:
                found[file] = _read(self._tree, PurePosixPath(file), module.name)
                self._keep(_row(file, module.name), found[file])
        refused = tuple((file, reason) for file, reason in found.items() if isinstance(reason, str))
        unit = self._read[module.name] = _joined(found[key[0]], found.get(key[2], ""))
        if unit is None:
            return State(key, refused, False, False, ())
        stars = tuple(m.target for m in unit.members.values() if isinstance(m, Alias) and m.star)
        return State(key, refused, True, unit.dynamic, stars)

    def _keep(self, row: str, found: Unit | str) -> None:
        """Keep what a file defines, or why it cannot be read."""
        self._kept.put(UNIT, row, found if isinstance(found, str) else pack(found))


def _row(file: PurePosixPath | str, name: str) -> str:
    """The name of the row that keeps a file."""
    return f"{file} {name}"


def _joined(found: Unit | str, stub: Unit | str) -> Unit | None:
    """A module with its stub; a stub that cannot be read counts as none."""
    if isinstance(found, str):
        return None
    return found if isinstance(stub, str) else merged(found, stub)


def _read(tree: Tree, file: PurePosixPath, name: str) -> Unit | str:
    """What a file defines, or why it cannot be read."""
    data = (tree.root / file).read_bytes()
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        code = io.TextIOWrapper(io.BytesIO(data), encoding).read()
        return convert(_visit(file, name, code), code, file.as_posix())
    except UNREADABLE as error:
        return _reason(data, error)


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
