"""The files of a repository, listed once, and which folders are not its interface."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
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
FINE_TICK, COARSE_TICK = 50_000_000, 2_100_000_000  # ns; clocks that count whole seconds are coarse
MAX_TEXT = 4 << 20  # bytes: larger text files are data or generated


Stamp = tuple[int, int, int, int]
"""Size, times of the last change of content and of the entry (ns), inode: another content has another."""


@dataclass(frozen=True)
class Tree:
    """A repository: its root and the relative paths of its files, sorted."""

    root: Path

    @cached_property
    def files(self) -> tuple[PurePosixPath, ...]:
        """All files but built and installed ones."""
        return tuple(PurePosixPath(name) for name in self._stamps if BUILT.isdisjoint(name.split("/")))

    def size(self, path: PurePosixPath) -> int:
        """The file's size in bytes."""
        self._note(path)
        return (self.root / path).stat().st_size

    def sha256(self, path: PurePosixPath | str) -> str:
        """Hex digest of the file's bytes, read once."""
        self._note(path)
        name = str(path)
        if name not in self._hashes:
            with (self.root / path).open("rb") as stream:
                self._hashes[name] = hashlib.file_digest(stream, "sha256").hexdigest()
        return self._hashes[name]

    def content_sha256(self) -> str:
        """Hex digest of the whole folder, as :func:`labagent.files.sha256_tree` gives it."""
        lines = (f"{name}\0{self._hashes.get(name) or self.sha256(name)}\n" for name in self._stamps)
        return hashlib.sha256("".join(lines).encode()).hexdigest()

    def top(self) -> tuple[tuple[str, str], ...]:
        """The files at the root with their digests."""
        return tuple((name, self.sha256(name)) for name in self._stamps if "/" not in name)

    def trust(self, known: dict[str, tuple[Stamp, str]]) -> None:
        """Take over the digests of files whose stamp is still the one they were made with."""
        for name, stamp in self._stamps.items():
            found = known.get(name)
            if found is not None and found[0] == stamp:
                self._hashes[name] = found[1]

    def trusted(self) -> dict[str, tuple[Stamp, str]]:
        """Digests with stamps, without those of files that may have changed unseen since.

        A change within one tick of the file system's clock leaves no trace; therefore a file counts only if
        it was older than that when the folder was listed: the rule of git's index.
        """
        found = {}
        for name, stamp in self._stamps.items():
            latest = max(stamp[1], stamp[2])
            tick = FINE_TICK if latest % 1_000_000_000 else COARSE_TICK
            if name in self._hashes and latest + tick < self._listed[0]:
                found[name] = (stamp, self._hashes[name])
        return found

    @contextmanager
    def reading(self) -> Iterator[set[str]]:
        """Gathers the files whose content or size was asked for."""
        read: set[str] = set()
        self._readers.append(read)
        try:
            yield read
        finally:
            self._readers.remove(read)

    def _note(self, path: PurePosixPath | str) -> None:
        """Tell those that gather."""
        for read in self._readers:
            read.add(str(path))

    @cached_property
    def listing(self) -> str:
        """Hex digest of the files' paths."""
        return hashlib.sha256("\0".join(self._stamps).encode()).hexdigest()

    @cached_property
    def _stamps(self) -> dict[str, Stamp]:
        """All regular files with their stamps, sorted; symbolic links are not followed."""
        self._listed.append(time.time_ns())
        found: dict[str, Stamp] = {}
        folders = [""]
        while folders:
            head = folders.pop()
            for entry in os.scandir(self.root / head):
                if entry.is_dir(follow_symlinks=False):
                    folders.append(f"{head}{entry.name}/")
                elif entry.is_file(follow_symlinks=False):
                    s = entry.stat(follow_symlinks=False)
                    found[f"{head}{entry.name}"] = (s.st_size, s.st_mtime_ns, s.st_ctime_ns, s.st_ino)
        return dict(sorted(found.items()))

    @cached_property
    def _listed(self) -> list[int]:
        """When the folder was listed (ns)."""
        return []

    @cached_property
    def _hashes(self) -> dict[str, str]:
        """Digests by name that were asked for or trusted."""
        return {}

    @cached_property
    def _readers(self) -> list[set[str]]:
        """The sets that gather what is read."""
        return []

    def text(self, path: PurePosixPath) -> str:
        """The file's text (UTF-8, else Latin-1) with ``\\n`` line ends; empty where it is too large."""
        self._note(path)
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
