"""The files of a repository, listed once, and which folders are not its interface."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath

BUILT = frozenset(
    {
        ".git",
        "__pycache__",
        "node_modules",
        "build",
        "dist",
        ".tox",
        ".eggs",
        "site-packages",
        "venv",
        ".venv",
    }
)
TESTS = frozenset({"test", "tests", "testing_data", "unittests"})
DOCS = frozenset({"doc", "docs"})
EXAMPLES = frozenset(
    {"example", "examples", "demo", "demos", "tutorial", "tutorials", "gallery", "notebooks"}
)
ASIDE = frozenset({"benchmark", "benchmarks", "asv_bench", "ci", "conda-recipe", "recipe"})
NOT_API = TESTS | DOCS | EXAMPLES | ASIDE | frozenset({"vignettes", "inst"})
MAX_TEXT = 4 << 20  # bytes: larger text files are data or generated


@dataclass(frozen=True)
class Tree:
    """A repository: its root and the relative paths of its files, sorted."""

    root: Path

    @cached_property
    def files(self) -> tuple[PurePosixPath, ...]:
        """All files but built and installed ones."""
        return tuple(p for p in self._all if not BUILT.intersection(p.parts))

    def size(self, path: PurePosixPath) -> int:
        """The file's size in bytes."""
        return (self.root / path).stat().st_size

    def sha256(self, path: PurePosixPath) -> str:
        """Hex digest of the file's bytes, read once."""
        if path not in self._hashes:
            with (self.root / path).open("rb") as stream:
                self._hashes[path] = hashlib.file_digest(stream, "sha256").hexdigest()
        return self._hashes[path]

    def content_sha256(self) -> str:
        """Hex digest of the whole folder, as :func:`labagent.files.sha256_tree` gives it."""
        digest = hashlib.sha256()
        for path in self._all:
            digest.update(f"{path}\0{self.sha256(path)}\n".encode())
        return digest.hexdigest()

    @cached_property
    def _all(self) -> tuple[PurePosixPath, ...]:
        """All regular files, sorted; symbolic links are not followed."""
        found: list[str] = []
        folders = [""]
        while folders:
            head = folders.pop()
            for entry in os.scandir(self.root / head):
                if entry.is_dir(follow_symlinks=False):
                    folders.append(f"{head}{entry.name}/")
                elif entry.is_file(follow_symlinks=False):
                    found.append(f"{head}{entry.name}")
        return tuple(PurePosixPath(name) for name in sorted(found))

    @cached_property
    def _hashes(self) -> dict[PurePosixPath, str]:
        """Digests that were asked for."""
        return {}

    def text(self, path: PurePosixPath) -> str:
        """The file's text (UTF-8, else Latin-1) with ``\\n`` line ends; empty where it is too large."""
        full = self.root / path
        if full.stat().st_size > MAX_TEXT:
            return ""
        data = full.read_bytes()
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError:
            text = data.decode("latin-1")
        return text.replace("\r\n", "\n").replace("\r", "\n")

    def having(self, *suffixes: str) -> list[PurePosixPath]:
        """The files with one of the suffixes, whatever their case."""
        return [p for p in self.files if p.suffix.lower() in suffixes]


def folder_names(path: PurePosixPath) -> set[str]:
    """The names of the folders a file lies in, in lower case."""
    return {part.lower() for part in path.parts[:-1]}


def is_api(path: PurePosixPath) -> bool:
    """Whether a source file can be part of the interface, by where it lies."""
    folders = folder_names(path)
    return not folders & NOT_API and not any(f.startswith(".") or f.endswith(".egg-info") for f in folders)
