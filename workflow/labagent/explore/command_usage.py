"""Choosing the released command that best shows how a lab's scripts are used."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from labagent.explore.commands import SCORES, Command, commands, unusable
from labagent.explore.data_files import DataFile, Repository, is_data
from labagent.explore.network import network_uses
from labagent.explore.usage import imported_roots
from labagent.models.snapshot import Example, Snapshot

SETTINGS = frozenset({".ini", ".yaml", ".yml", ".json", ".cfg", ".toml", ".conf", ".gin"})
DEEPEST = 4


@dataclass(frozen=True)
class CommandUsage:
    """A command, judged. Without ``problems`` it can be run as it is.

    ``modules``: files of the repository that its script is made of; ``read``: data files that these, the
    words of the command, or settings files name; ``imports``: top-level names of others' packages.
    """

    command: Command
    modules: tuple[str, ...]
    read: tuple[DataFile, ...]
    imports: tuple[str, ...]
    problems: tuple[str, ...]
    score: float

    @property
    def where(self) -> str:
        """The file and line that the command is written in."""
        return f"{self.command.file}:{self.command.line}"

    @property
    def pieces(self) -> tuple[Example, ...]:
        """The command as an example."""
        c = self.command
        return (
            Example(
                language="bash", code=c.text, file=c.file, first_line=c.line, last_line=c.line, origin="docs"
            ),
        )


def command_usages(snapshot: Snapshot, repository: Repository) -> list[CommandUsage]:
    """All commands as usages, the best first; those with problems come after those without."""
    judged = [_judge(command, repository) for command in commands(snapshot, repository)]
    return sorted(judged, key=lambda u: (bool(u.problems), -u.score, u.where))


def _judge(command: Command, repository: Repository) -> CommandUsage:
    """A command with what it reads and needs."""
    modules = tuple(_modules(command.script, repository))
    trees = [tree for path in modules if (tree := repository.tree(path)) is not None]
    read = tuple({f.path: f for f in _read(command, modules, repository)}.values())
    own = {PurePosixPath(path).stem for path in repository.files if path.endswith(".py")}
    own |= {PurePosixPath(path).parent.name for path in repository.files if path.endswith("__init__.py")}
    roots = {root for tree in trees for root in imported_roots(tree.body)}
    imports = tuple(sorted(roots - sys.stdlib_module_names - own))
    problems = [reason] if (reason := unusable(command, repository)) else []
    problems += [
        f"needs the network ({w})" for tree in trees[:1] for w in network_uses(reached(tree), own, ())
    ]
    if not read:
        problems.append("names no data file of the repository")
    score = SCORES[command.origin] + 10.0 * bool(read) + min(len(command.words), 6) - 0.5 * len(imports)
    score -= 8.0 if PurePosixPath(command.script).name.startswith(("test", "plot")) else 0.0
    return CommandUsage(command, modules, read, imports, tuple(dict.fromkeys(problems)), score)


def reached(tree: ast.Module) -> ast.Module:
    """A script without the functions that nothing it runs names."""
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    body: list[ast.stmt] = [node for node in tree.body if not isinstance(node, ast.FunctionDef)]
    todo, seen = list(body), set[str]()
    while todo:
        names = {node.id for node in ast.walk(todo.pop()) if isinstance(node, ast.Name)} & functions.keys()
        for name in sorted(names - seen):
            seen.add(name)
            body.append(functions[name])
            todo.append(functions[name])
    return ast.Module(body=body, type_ignores=[])


def _modules(script: str, repository: Repository) -> Iterator[str]:
    """The script and the files of the repository that it imports or runs, each once."""
    seen, todo = {script}, [script]
    while todo:
        path = todo.pop(0)
        yield path
        for other in _named_modules(path, PurePosixPath(script).parent, repository):
            if other not in seen:
                seen.add(other)
                todo.append(other)


def _named_modules(path: str, top: PurePosixPath, repository: Repository) -> Iterator[str]:
    """Files of the repository that one file imports; scripts that a shell script names."""
    if not path.endswith(".py"):
        for word in re.findall(r"[\w./-]+\.(?:py|R|sh)\b", repository.text(path)):
            if word.removeprefix("./") in repository.files:
                yield word.removeprefix("./")
        return
    tree = repository.tree(path)
    folders = (PurePosixPath(path).parent, top, PurePosixPath())
    for node in ast.walk(tree) if tree else ():
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            words = re.findall(r"(?<![\w.-])[\w/-]+\.py\b", node.value)
            yield from (
                p for word in words for base in folders if (p := (base / word).as_posix()) in repository.files
            )
            continue
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            head = "." * node.level + (node.module or "")
            names = [head, *(f"{head}.{alias.name}".replace("..", ".") for alias in node.names)]
        for name in names:
            parts = name.strip(".").split(".")
            for length in range(1, len(parts) + 1):
                yield from _files_of(".".join(parts[:length]), folders, repository)


def _files_of(name: str, folders: tuple[PurePosixPath, ...], repository: Repository) -> Iterator[str]:
    """The file of a module, from the importing file's folder, the script's, or the top."""
    inner = name.replace(".", "/")
    for base in dict.fromkeys(folders):
        for path in ((base / f"{inner}.py").as_posix(), (base / inner / "__init__.py").as_posix()):
            if inner and path in repository.files:
                yield path


def _read(command: Command, modules: tuple[str, ...], repository: Repository) -> Iterator[DataFile]:
    """Data files that the command, its script or the settings these name speak of."""
    for word in command.words:
        value = word.partition("=")[2] if word.startswith("-") else word
        yield from _named(value, command.file, command.line, repository)
        yield from _of_folder(value, command.file, command.line, repository)
    settings: dict[str, None] = {}
    for path in modules:
        for text, line in _texts(path, repository):
            if PurePosixPath(text).suffix in SETTINGS:
                settings.update(dict.fromkeys(repository.by_end(text)))
            yield from _named(text, path, line, repository)
    for path in settings:
        for line, row in enumerate(repository.text(path).split("\n"), 1):
            for word in re.findall(r"[\w./-]+\.\w+", row):
                yield from _named(word, path, line, repository)


def _texts(path: str, repository: Repository) -> Iterator[tuple[str, int]]:
    """Texts in a Python file with their lines; words of any other script."""
    tree = repository.tree(path) if path.endswith(".py") else None
    if tree is not None:
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) < 200:
                yield node.value, node.lineno
    elif not path.endswith(".py"):
        for line, row in enumerate(repository.text(path).split("\n"), 1):
            yield from ((word, line) for word in re.findall(r"[\w./-]+\.\w+", row))


def _named(text: str, file: str, line: int, repository: Repository) -> Iterator[DataFile]:
    """The data file that a text means."""
    if is_data(text) and not any(c.isspace() for c in text):
        path = repository.find(text, file)
        if path is not None and PurePosixPath(path).suffix not in SETTINGS - {".json"}:
            yield DataFile(path, file, line, text)


def _of_folder(text: str, file: str, line: int, repository: Repository) -> Iterator[DataFile]:
    """The data files of a folder that a word of a command names."""
    if len(text) > DEEPEST and not text.startswith("-"):
        for path in sorted(repository.files):
            if text in PurePosixPath(path).parts[:-1] and is_data(path):
                yield DataFile(path, file, line, text)
