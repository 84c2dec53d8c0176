"""Files of a repository that an example reads, by a path in its code or through a loader of the package."""

from __future__ import annotations

import ast
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
WRITERS = ("to_", "save", "write", "dump", "export")
DEPTH = 3


@dataclass(frozen=True)
class DataFile:
    """A data file: its path in the repository, and the file and line that name it."""

    path: str
    named_in: str
    line: int

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
        for path in sorted(files):
            self._by_name.setdefault(PurePosixPath(path).name, []).append(path)

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
        return near[0] if len(near) == 1 else None

    def named(self, name: str) -> list[str]:
        """Data files of that name, or of that name up to the first dot."""
        exact = self._by_name.get(name, [])
        stem = [p for n, paths in self._by_name.items() if n.split(".")[0] == name for p in paths]
        return [p for p in exact or stem if is_data(p)]

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


def loader_files(name: str, call: ast.Call, snapshot: Snapshot, repository: Repository) -> list[DataFile]:
    """Data files inside the package that a called function of the lab reads, as its source says.

    The function's text constants and those it passes on to functions of the same file are looked up among
    the package's files; so is a text argument of the call itself that names one (``load("textbook")``).
    """
    found = snapshot.objects.get(name)
    if found is None or found.kind == "class" or found.file not in repository.files:
        return []
    package = found.file.split("/__init__")[0]
    top = PurePosixPath(package).parts
    inside = "/".join(top[: 2 if top[0] == "src" else 1])
    files = []
    for constant, line in _constants(found, repository):
        hits = [p for p in repository.named(constant) if is_data(constant) and p.startswith(f"{inside}/")]
        files += [DataFile(hits[0], found.file, line)] if len(hits) == 1 else []
    for text in (a.value for a in call.args if isinstance(a, ast.Constant) and isinstance(a.value, str)):
        hits = [p for p in repository.named(text) if p.startswith(f"{inside}/")]
        files += [DataFile(hits[0], found.file, found.line)] if len(hits) == 1 else []
    return list({f.path: f for f in files}.values())


def _constants(function: Callable_, repository: Repository) -> list[tuple[str, int]]:
    """Text constants of a function and of those of its file that it calls, with their lines."""
    try:
        tree = ast.parse(repository.text(function.file))
    except (SyntaxError, ValueError):
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
                    found.append((PurePosixPath(node.value).name, node.lineno))
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
