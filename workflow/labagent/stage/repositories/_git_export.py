"""Writing the files of one commit, straight from the object store."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO

from labagent.errors import SourceError
from labagent.stage.repositories._git import Git, environment, failure
from labagent.stage.trees import HISTORY

LINK, SUBMODULE, EXECUTABLE = "120000", "160000", "100755"
SHOWN = 10
POINTER = b"version https://git-lfs"


@dataclass(frozen=True)
class Entry:
    """One row of a commit's tree."""

    mode: str
    blob: str
    path: str


def export(git: Git, commit: str, target: Path) -> list[str]:
    """Write the files of ``commit`` into ``target``; links stay links.

    Returns:
        Warnings: submodules (their content is another repository), git-lfs pointers, and files whose
        content a partial clone does not have.

    Raises:
        SourceError: the commit cannot be read, or a path in it would leave ``target``.
    """
    entries = list(_entries(git, commit))
    submodules = [e.path for e in entries if e.mode == SUBMODULE]
    missing = _missing(git, commit)
    absent = [e.path for e in entries if e.blob in missing]
    if absent and len(absent) == len(entries):
        raise SourceError(f"{git.folder}: commit {commit} is known, but none of its files are there")
    pointers = _write(git, [e for e in entries if e.mode != SUBMODULE and e.blob not in missing], target)
    notes = (
        (submodules, "submodules are not fetched"),
        (pointers, "git-lfs pointers without content"),
        (absent, "not in the repository (a partial clone?) and left out"),
    )
    return [f"{note}: {_some(paths)}" for paths, note in notes if paths]


def _some(paths: list[str]) -> str:
    """The first paths, and how many more there are."""
    more = f" and {len(paths) - SHOWN} more" if len(paths) > SHOWN else ""
    return ", ".join(paths[:SHOWN]) + more


def _entries(git: Git, commit: str) -> Iterator[Entry]:
    """The rows of the commit's tree, checked."""
    result = git.run("ls-tree", "-r", "-z", "--full-tree", commit)
    if result.returncode:
        raise SourceError(f"{git.folder}: commit {commit} cannot be read: {failure(result)}")
    for row in result.stdout.decode("utf-8", "surrogateescape").split("\0"):
        if row:
            head, _, path = row.partition("\t")
            mode, _, blob = head.split(" ")
            pure = PurePosixPath(path)
            parts = {part.lower() for part in pure.parts}
            if pure.is_absolute() or ".." in parts or parts & HISTORY:
                raise SourceError(f'{git.folder}: commit {commit} holds the path "{path}"; refused')
            yield Entry(mode, blob, path)


def _missing(git: Git, commit: str) -> set[str]:
    """The objects of the commit's tree that a partial clone does not have; asking for them would fetch."""
    result = git.run("rev-list", "--objects", "--missing=print", "--no-object-names", f"{commit}^{{tree}}")
    if result.returncode:
        raise SourceError(f"{git.folder}: commit {commit} cannot be read: {failure(result)}")
    return {line[1:] for line in result.stdout.decode().split("\n") if line.startswith("?")}


def _write(git: Git, entries: list[Entry], target: Path) -> list[str]:
    """Write every entry; the paths of git-lfs pointers."""
    pointers = []
    with subprocess.Popen(
        git.command("cat-file", "--batch"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment("none"),
    ) as process:
        assert process.stdin is not None and process.stdout is not None
        for entry in entries:
            process.stdin.write(f"{entry.blob}\n".encode())
            process.stdin.flush()
            content = _blob(process.stdout, entry)
            _place(entry, content, target)
            if content.startswith(POINTER):
                pointers.append(entry.path)
        process.stdin.close()
    return pointers


def _blob(stream: IO[bytes], entry: Entry) -> bytes:
    """Read one answer of ``cat-file --batch``."""
    head = stream.readline().decode().split()
    if len(head) != 3:
        raise SourceError(f'"{entry.path}": object {entry.blob} cannot be read from the repository')
    content = stream.read(int(head[2]))
    stream.read(1)
    return content


def _place(entry: Entry, content: bytes, target: Path) -> None:
    """Write one entry, never through a link that came before it."""
    path = target / entry.path
    if any(parent.is_symlink() for parent in path.parents if parent != target):
        raise SourceError(f'"{entry.path}" lies behind a symbolic link; refused')
    path.parent.mkdir(parents=True, exist_ok=True)
    if entry.mode == LINK:
        path.symlink_to(content.decode("utf-8", "surrogateescape"))
        return
    path.write_bytes(content)
    path.chmod(0o755 if entry.mode == EXECUTABLE else 0o644)
