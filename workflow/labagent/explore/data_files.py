"""Files of a repository that an example reads, by a path in its code or through a loader of the package."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from labagent.models.snapshot import Callable_, Snapshot

SUFFIXES = frozenset(
    {
        ".csv",
        ".tsv",
        ".txt",
        ".dat",
        ".data",
        ".tab",
        ".json",
        ".xml",
        ".yaml",
        ".yml",
        ".xlsx",
        ".xls",
        ".arff",
    }
    | {".gz", ".bz2", ".zip", ".h5", ".h5ad", ".hdf5", ".npz", ".npy", ".pkl", ".parquet", ".mat", ".mtx"}
    | {".rda", ".rds", ".sbml", ".fasta", ".fa", ".fna", ".faa", ".fastq", ".gb", ".gbk", ".gff", ".vcf"}
    | {".bed", ".bim", ".fam", ".pdb", ".cif", ".sdf", ".smi", ".mol2", ".nwk", ".nex", ".tree", ".sto"}
    | {".a2m", ".aln", ".gmt", ".gct"}
)
NAMED = re.compile(r"(?:\.{1,2}/)*[\w-][\w./-]*\.\w{1,8}")
CODE = frozenset({".py", ".R", ".r", ".ipynb", ".sh", ".md", ".rst", ".Rmd", ".Rd", ".cfg", ".toml"})
ADDRESS = re.compile(r"(https?|ftp)://")
WRITERS = ("to_", "save", "write", "dump", "export")
DEPTH = 3
TESTS = frozenset({"test", "tests", "testing"})


@dataclass(frozen=True)
class DataFile:
    """A data file: its path in the repository, and the file and line that name it, as ``term``."""

    path: str
    named_in: str
    line: int
    term: str

    @property
    def name(self) -> str:
        """The file's name, under which it is staged."""
        return PurePosixPath(self.path).name


class Repository:
    """The files of a staged repository, found by path or name."""

    def __init__(self, root: Path, files: list[str]) -> None:
        """``root``: the staged repository; ``files``: its paths."""
        self.root, self.files = root, frozenset(files)
        self._by_name: dict[str, list[str]] = {}
        self._by_stem: dict[str, list[str]] = {}
        self._trees: dict[str, ast.Module | None] = {}
        for path in sorted(files):
            file = PurePosixPath(path).name
            self._by_name.setdefault(file, []).append(path)
            self._by_stem.setdefault(file.split(".")[0], []).append(path)

    def find(self, literal: str, example: str) -> str | None:
        """The file that a path written in ``example`` means: from the root, from there, or by its name."""
        clean = literal.removeprefix("./")
        beside = PurePosixPath(example).parent
        for base in (PurePosixPath(), beside):
            path = _normal(base / clean)
            if path in self.files:
                return path
        named = self._by_name.get(PurePosixPath(clean).name, [])
        near = [p for p in named if p.endswith(clean.replace("../", ""))]
        away_from_tests = [p for p in near if not TESTS & set(PurePosixPath(p).parts)]
        found = away_from_tests or near
        return found[0] if len(found) == 1 else None

    def beside(self, literal: str, example: str) -> str | None:
        """The file of any ending but that of code that a path means, from the example's folder or the top."""
        if not NAMED.fullmatch(literal) or PurePosixPath(literal).suffix in CODE:
            return None
        bases = (PurePosixPath(example).parent, PurePosixPath())
        return next((path for base in bases if (path := _normal(base / literal)) in self.files), None)

    def by_end(self, text: str) -> list[str]:
        """Files whose path is ``text`` or ends in it."""
        named = self._by_name.get(PurePosixPath(text).name, [])
        return [path for path in named if f"/{path}".endswith(f"/{text.removeprefix('./')}")]

    def named(self, name: str) -> list[str]:
        """Data files of that name, or of that name up to the first dot."""
        exact = self._by_name.get(name, [])
        return [p for p in exact or self._by_stem.get(name, []) if is_data(p)]

    def tree(self, path: str) -> ast.Module | None:
        """A Python file's syntax tree, parsed once; ``None`` where it has none."""
        if path not in self._trees:
            try:
                self._trees[path] = ast.parse(self.text(path))
            except (SyntaxError, ValueError):
                self._trees[path] = None
        return self._trees[path]

    def text(self, path: str) -> str:
        """A file's text; what is no UTF-8 in it is replaced."""
        return (self.root / path).read_text(encoding="utf-8", errors="replace")


def is_data(path: str) -> bool:
    """Whether a path ends like a data file."""
    return PurePosixPath(path).suffix.lower() in SUFFIXES


def literal_paths(tree: ast.AST) -> Iterator[str]:
    """Texts in code that end like a data file and are not written to."""
    written = {id(c) for call in _calls(tree) if _writes(call) for c in ast.walk(call)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in written:
            value = node.value
            if len(value) < 200 and not any(c.isspace() for c in value) and is_data(value):
                yield value


@dataclass(frozen=True)
class Loader:
    """What a called function of the lab reads: its own data files, or an address on the network."""

    files: tuple[DataFile, ...] = ()
    address: str = ""


def read_loader(name: str, call: ast.Call, snapshot: Snapshot, repository: Repository) -> Loader:
    """Data files inside the package that a called function of the lab reads, as its source says.

    The function's text constants and those it passes on to functions of the same file are looked up among
    the package's files; so is a text argument of the call itself that names one (``load("textbook")``); the
    files of such an argument have an empty ``named_in``, since the example names them.
    """
    found = snapshot.objects.get(name)
    if found is None or found.kind == "class" or found.file not in repository.files:
        return Loader()
    top = PurePosixPath(found.file).parts
    inside = "/".join(top[: 2 if top[0] == "src" else 1]) + "/"
    files: dict[str, DataFile] = {}
    address = ""
    for constant, line in _constants(found, repository):
        address = address or (constant if ADDRESS.match(constant) else "")
        for path in (
            _only(repository.named(PurePosixPath(constant).name), inside) if is_data(constant) else ()
        ):
            files[path] = DataFile(path, found.file, line, PurePosixPath(path).name)
    for text in (a.value for a in call.args if isinstance(a, ast.Constant) and isinstance(a.value, str)):
        for path in _only(repository.named(text), inside):
            files[path] = DataFile(path, "", 1, text)
    return Loader(tuple(files.values()), "" if files else address)


def _only(paths: list[str], inside: str) -> list[str]:
    """The one path inside a package, or none."""
    hits = [path for path in paths if path.startswith(inside)]
    return hits if len(hits) == 1 else []


def _constants(function: Callable_, repository: Repository) -> list[tuple[str, int]]:
    """Text constants of a function and of those of its file that it calls, with their lines."""
    tree = repository.tree(function.file)
    if tree is None:
        return []
    functions = {n.name: n for n in tree.body if isinstance(n, ast.FunctionDef)}
    name = function.name.rsplit(".", 1)[-1]
    found, seen, todo = list[tuple[str, int]](), set[str](), [name]
    for _ in range(DEPTH):
        todo = [n for n in todo if n in functions and n not in seen]
        for item in todo:
            seen.add(item)
            body = functions[item].body[1:] if ast.get_docstring(functions[item]) else functions[item].body
            for node in (n for statement in body for n in ast.walk(statement)):
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    found.append((node.value, node.lineno))
        todo = [c.func.id for i in todo for c in _calls(functions[i]) if isinstance(c.func, ast.Name)]
    return found


def _calls(tree: ast.AST) -> Iterator[ast.Call]:
    """All calls of a tree."""
    return (node for node in ast.walk(tree) if isinstance(node, ast.Call))


def _writes(call: ast.Call) -> bool:
    """Whether a call is named like one that writes, or opens a file for writing."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    modes = [a.value for a in call.args[1:2] if isinstance(a, ast.Constant) and isinstance(a.value, str)]
    return name.startswith(WRITERS) or (name == "open" and any(set("wax") & set(m) for m in modes))


def _normal(path: PurePosixPath) -> str:
    """A relative path without ``.`` and ``..``; empty where it leaves the repository."""
    parts: list[str] = []
    for part in path.parts:
        if part == "..":
            if not parts:
                return ""
            parts.pop()
        elif part not in {".", "/"}:
            parts.append(part)
    return "/".join(parts)
