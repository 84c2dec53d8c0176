"""Requirements files of pip, with the files they include."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from labagent.models.snapshot import Dependency
from labagent.snapshot.dependencies._requirement import python_requirement
from labagent.snapshot.walk import Tree

SUFFIXES = (".txt", ".in", ".pip")
NAME = re.compile(
    r"^(?P<before>[\w.-]*?)[-_.]?requirements?[-_.]?(?P<after>[\w.-]*?)\.(txt|in|pip)$", re.IGNORECASE
)
FOLDERS = frozenset({"requirements", "reqs"})
INCLUDE = re.compile(r"^(?:-r|--requirement)[ =]\s*(\S+)")
MAX_DEPTH = 10


def accepts(path: PurePosixPath) -> bool:
    """``requirements.txt``, ``requirements-dev.txt``, ``requirements/dev.txt`` and the like."""
    in_folder = path.parent.name in FOLDERS and path.suffix in SUFFIXES
    return in_folder or NAME.match(path.name) is not None


def read(tree: Tree, path: PurePosixPath) -> list[Dependency]:
    """The file's requirements; the group is what its name says beside "requirements"."""
    match = NAME.match(path.name)
    extra = (match["before"] or match["after"]).strip("-_.") if match else path.stem
    return read_file(tree, path, "" if extra.lower() in ("base", "main", "core", "prod") else extra)


def read_file(tree: Tree, path: PurePosixPath, extra: str, depth: int = 0) -> list[Dependency]:
    """The requirements of a file and of those it includes, with the file and line of each."""
    found: list[Dependency] = []
    for number, line in enumerate(tree.text(path).split("\n"), start=1):
        text = line.strip()
        include = INCLUDE.match(text)
        if include and depth < MAX_DEPTH:
            inner = _joined(path.parent, include[1])
            if inner in tree.files:
                found += read_file(tree, inner, extra, depth + 1)
        elif text and not text.startswith("#"):
            dependency = python_requirement(text, path, number, extra)
            found += [dependency] if dependency is not None else []
    return found


def _joined(folder: PurePosixPath, place: str) -> PurePosixPath:
    """A path relative to ``folder``, with ``..`` taken out."""
    parts: list[str] = []
    for part in (folder / place).parts:
        if part == ".." and parts:
            parts.pop()
        else:
            parts.append(part)
    return PurePosixPath(*parts)
