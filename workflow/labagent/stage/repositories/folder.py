"""A plain folder, taken as it stands and pinned by the hash of its content."""

from __future__ import annotations

from pathlib import Path

from labagent.errors import SourceError
from labagent.files import sha256_tree
from labagent.stage.repositories import Fetched, Request
from labagent.stage.repositories._git import is_repository
from labagent.stage.trees import copy_tree


def accepts(text: str, path: Path | None) -> bool:
    """Any path that is not a git repository, even one that does not exist."""
    return path is not None and not is_repository(path)


def fetch(request: Request) -> Fetched:
    """Copy the folder."""
    path = request.path
    if path is None or not path.exists():
        raise SourceError(f'repository "{request.text}": {path} does not exist')
    if not path.is_dir():
        raise SourceError(
            f'repository "{request.text}": {path} is a file; give a folder, a git URL or pypi:NAME==VERSION'
        )
    if request.commit:
        raise SourceError(
            f'repository "{request.text}": commit "{request.commit}" is given, but {path} is not a git '
            "repository; leave commit empty to take the folder as it stands"
        )
    copy_tree(path.resolve(), request.target, without=request.without)
    return Fetched(origin=f"tree:{sha256_tree(request.target)}")
