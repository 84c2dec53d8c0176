"""Choosing the released example that best shows how a lab's Python method is used."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass

from labagent.explore.cleaning import parse, without_plots
from labagent.explore.data_files import DataFile, Repository, is_data, literal_paths, read_loader
from labagent.explore.names import assigned_names, defined, used
from labagent.explore.network import network_uses
from labagent.explore.star_imports import spelled_out, star_names
from labagent.explore.unwrapped_tests import unwrapped
from labagent.models.snapshot import Example, Snapshot
from labagent.skills.calls import CallSite, call_sites, faults, lab_roots
from labagent.skills.imports import declares, known_import

ORIGINS = {
    "readme": 4.0,
    "example": 4.0,
    "docs": 3.0,
    "notebook": 2.0,
    "vignette": 2.0,
    "docstring": 0.0,
    "test": -5.0,
}
INTERACTIVE = frozenset({"input", "getpass", "breakpoint"})
CONVENTIONS = {"np": "import numpy as np", "pd": "import pandas as pd"}
PATH = re.compile(r"[\w.-]*(?:/[\w.-]+)+")
LONGEST = 80


@dataclass(frozen=True)
class Usage:
    """An example, cleaned and judged. Without ``problems`` it can be run as it is."""

    pieces: tuple[Example, ...]
    statements: tuple[ast.stmt, ...]
    sites: tuple[CallSite, ...]
    read: tuple[DataFile, ...]
    loaded: tuple[DataFile, ...]
    results: tuple[str, ...]
    problems: tuple[str, ...]
    score: float

    @property
    def where(self) -> str:
        """The files and lines the example stands in."""
        return "; ".join(f"{p.file}:{p.first_line}-{p.last_line}" for p in self.pieces)

    @property
    def code(self) -> str:
        """The cleaned code."""
        return "\n".join(ast.unparse(statement) for statement in self.statements)

    @property
    def imports(self) -> tuple[str, ...]:
        """Top-level names of the packages it imports, the standard library left out."""
        return tuple(sorted(set(imported_roots(self.statements)) - sys.stdlib_module_names))


def usages(snapshot: Snapshot, repository: Repository) -> list[Usage]:
    """All Python examples as usages, best first; those with problems come after those without."""
    judged = [judge(chain, snapshot, repository) for chain in chains(snapshot)]
    real = [usage for usage in judged if usage is not None]
    return sorted(real, key=lambda u: (bool(u.problems), -u.score, u.where))


def test_usages(snapshot: Snapshot, repository: Repository) -> list[Usage]:
    """Tests that use the lab's API on data of the repository, taken out of their functions, best first."""
    judged = (judge(chain, snapshot, repository) for chain in unwrapped(repository))
    real = [usage for usage in judged if usage is not None and (usage.read or usage.loaded)]
    return sorted(real, key=lambda u: (bool(u.problems), -u.score, u.where))


def chains(snapshot: Snapshot) -> Iterator[tuple[Example, ...]]:
    """Blocks that belong together: each with the earlier ones of its file whose names it uses; no tests."""
    shown = [e for e in snapshot.examples if e.language == "python" and e.origin != "test"]
    files: dict[str, list[Example]] = {}
    for example in shown:
        files.setdefault(example.file, []).append(example)
    for blocks in files.values():
        ordered = sorted(blocks, key=lambda e: e.first_line)
        parsed = [_Block.of(block, tree.body, snapshot) for block in ordered if (tree := parse(block.code))]
        seen = set()
        for last in range(len(parsed)):
            chain = _closure(parsed[: last + 1])
            if chain not in seen:
                seen.add(chain)
                yield chain


@dataclass(frozen=True)
class _Block:
    """An example and the names it binds, needs and calls methods of."""

    example: Example
    bound: frozenset[str]
    needed: frozenset[str]
    changed: frozenset[str]

    @classmethod
    def of(cls, example: Example, statements: list[ast.stmt], snapshot: Snapshot) -> _Block:
        """The names of a parsed example."""
        starred = star_names(statements, snapshot)
        bound, needed = defined(statements) | starred, used(statements) - starred
        return cls(example, frozenset(bound), frozenset(needed), frozenset(_methods_on(statements)))


def _closure(blocks: list[_Block]) -> tuple[Example, ...]:
    """The last block and, going up, those that define or change what the ones below use."""
    chosen, needed = [blocks[-1].example], set(blocks[-1].needed)
    for earlier in reversed(blocks[:-1]):
        if (earlier.bound | earlier.changed) & needed:
            chosen.insert(0, earlier.example)
            needed = (needed - earlier.bound) | earlier.needed
    return tuple(chosen)


def _methods_on(statements: list[ast.stmt]) -> set[str]:
    """Names that statements call a method of, as ``model`` in ``model.fit(x)``."""
    calls = (n for s in statements if isinstance(s, ast.Expr) for n in [s.value] if isinstance(n, ast.Call))
    return {
        c.func.value.id
        for c in calls
        if isinstance(c.func, ast.Attribute) and isinstance(c.func.value, ast.Name)
    }


def judge(chain: tuple[Example, ...], snapshot: Snapshot, repository: Repository) -> Usage | None:
    """A chain as a usage; ``None`` where it does not use the lab's API at all."""
    trees = [tree for piece in chain if (tree := parse(piece.code)) is not None]
    cleaned = without_plots(spelled_out([statement for tree in trees for statement in tree.body], snapshot))
    statements = _once([*_conventional(cleaned), *_implied(cleaned, snapshot), *cleaned])
    module = ast.Module(body=statements, type_ignores=[])
    sites = call_sites(module, snapshot)
    called = {s.name for s in sites if s.node is not None}
    if not called:
        return None
    files, problems = _files(chain, module, repository)
    loaders = [read_loader(s.name, s.node, snapshot, repository) for s in sites if s.node is not None]
    loaded = [_placed(file, chain) for loader in loaders for file in loader.files]
    problems += [f"needs the network (a loader reads {x.address})" for x in loaders if x.address]
    problems += _problems(module, sites, snapshot, repository)
    names = (n for s in statements for n in assigned_names(s) if not n.startswith("_"))
    results = tuple(dict.fromkeys(names))
    data = tuple({f.path: f for f in files}.values())
    loads = tuple({f.path: f for f in loaded}.values())
    if len({f.name for f in (*data, *loads)}) < len({f.path for f in (*data, *loads)}):
        problems.append("reads two data files of one name, which cannot be staged side by side")
    score = _score(chain, statements, called, bool(data or loads), sites, results)
    return Usage(chain, tuple(statements), tuple(sites), data, loads, results, tuple(problems), score)


def _conventional(statements: list[ast.stmt]) -> list[ast.stmt]:
    """Imports that examples leave unsaid: names by which everybody imports a package."""
    missing = used(statements)
    return [ast.parse(text).body[0] for name, text in CONVENTIONS.items() if name in missing]


def _implied(statements: list[ast.stmt], snapshot: Snapshot) -> list[ast.stmt]:
    """Imports of the lab that an example leaves unsaid: its package, and what it calls of the top of it."""
    tops = {name.split(".")[0] for name in snapshot.objects} & lab_roots(snapshot)
    nodes = [node for statement in statements for node in ast.walk(statement)]
    called = {n.func.id for n in nodes if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)}
    found = []
    if any(isinstance(node, ast.alias) and node.name == "*" for node in nodes):
        return []  # a star may have given the name
    for name in sorted(used(statements)):
        owners = [top for top in sorted(tops) if name in called and f"{top}.{name}" in snapshot.objects]
        if name in tops:
            found.append(f"import {name}")
        elif len(owners) == 1:
            found.append(f"from {owners[0]} import {name}")
    return [ast.parse(line).body[0] for line in found]


def _placed(file: DataFile, chain: tuple[Example, ...]) -> DataFile:
    """A loaded file; one that only the example names is found there."""
    return file if file.named_in else DataFile(file.path, *_named_at(chain, file.term), file.term)


def _once(statements: list[ast.stmt]) -> list[ast.stmt]:
    """Imports said again are dropped."""
    seen: set[str] = set()
    kept = []
    for statement in statements:
        text = ast.unparse(statement)
        if not isinstance(statement, ast.Import | ast.ImportFrom) or text not in seen:
            kept.append(statement)
        seen.add(text)
    return kept


def _files(
    chain: tuple[Example, ...], module: ast.Module, repository: Repository
) -> tuple[list[DataFile], list[str]]:
    """Data files named in the code, and a problem for each that the repository does not have."""
    found, problems = list[DataFile](), list[str]()
    for text in literal_paths(module):
        path = repository.find(text, chain[-1].file)
        if path is None:
            problems.append(f'reads "{text}", which the repository does not have')
        else:
            found.append(DataFile(path, *_named_at(chain, text), text))
    texts = (n.value for n in ast.walk(module) if isinstance(n, ast.Constant) and isinstance(n.value, str))
    for text in (text for text in texts if not is_data(text)):
        path = repository.beside(text, chain[-1].file)
        if path is not None:
            found.append(DataFile(path, *_named_at(chain, text), text))
    for node in ast.walk(module):
        if (
            isinstance(node, ast.JoinedStr)
            and isinstance(node.values[-1], ast.Constant)
            and is_data(str(node.values[-1].value))
        ):
            problems.append("reads a file whose name is put together at run time")
    return found, problems


def _unknown_paths(calls: list[ast.Call], repository: Repository) -> list[str]:
    """Arguments of the lab's callables that look like paths without a known ending and lead nowhere."""
    arguments = (a.value for call in calls for a in call.args if isinstance(a, ast.Constant))
    texts = {text for text in arguments if isinstance(text, str)}
    known = (*repository.files, *(path.rpartition(".")[0] for path in repository.files))
    return sorted(t for t in texts if PATH.fullmatch(t) and not is_data(t) and t not in known)


def _named_at(chain: tuple[Example, ...], text: str) -> tuple[str, int]:
    """File and line at which an example names a file."""
    for piece in chain:
        for offset, line in enumerate(piece.code.split("\n")):
            if text in line:
                return piece.file, min(piece.first_line + offset, piece.last_line)
    return chain[-1].file, chain[-1].first_line


def _problems(
    module: ast.Module, sites: list[CallSite], snapshot: Snapshot, repository: Repository
) -> list[str]:
    """Why code cannot run on its own: names, imports, network, a person."""
    problems = [f'uses "{name}", which it does not define' for name in sorted(used(module.body))]
    problems += [fault for site in sites for fault in faults(site, snapshot)]
    for text in _unknown_paths([s.node for s in sites if s.node is not None], repository):
        problems.append(f'reads "{text}", which the repository does not have')
    lab = lab_roots(snapshot)
    own = [site.node for site in sites if site.node is not None]
    problems += [f"needs the network ({what})" for what in network_uses(module, lab, own)]
    for root in imported_roots(module.body):
        if not (
            root in sys.stdlib_module_names
            or root in lab
            or known_import(root)
            or declares(root, [d.name for d in snapshot.dependencies])
        ):
            problems.append(f'imports "{root}", which no dependency declares')
    for node in ast.walk(module):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name in INTERACTIVE:
                problems.append(f"asks a person ({name})")
        if isinstance(node, ast.ImportFrom) and node.level:
            problems.append("imports relatively: it is a part of a package, not an example")
    return list(dict.fromkeys(problems))


def _score(
    chain: tuple[Example, ...],
    statements: list[ast.stmt],
    called: set[str],
    data: bool,
    sites: list[CallSite],
    results: tuple[str, ...],
) -> float:
    """How much an example shows: distinct calls, real data, methods of fitted objects, results kept."""
    score = max(ORIGINS[piece.origin] for piece in chain) + 3.0 * min(len(called), 6)
    score += 10.0 if data else 0.0
    score += 2.0 * min(sum(site.through_instance for site in sites), 3)
    score += 1.0 * min(len(results), 4)
    code = "\n".join(ast.unparse(s) for s in statements)
    score -= 4.0 if "random" in code and not data else 0.0
    return score - 0.25 * max(len(statements) - LONGEST // 2, 0) - 20.0 * (len(statements) > LONGEST * 2)


def imported_roots(statements: list[ast.stmt] | tuple[ast.stmt, ...]) -> Iterator[str]:
    """Top-level names of all packages that statements import."""
    for statement in statements:
        for node in ast.walk(statement):
            if isinstance(node, ast.Import):
                yield from (alias.name.split(".")[0] for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                yield node.module.split(".")[0]
