"""``Pipfile``: packages and dev-packages."""

from __future__ import annotations

import tomllib
from pathlib import PurePosixPath

from labagent.models.snapshot import Dependency
from labagent.snapshot.dependencies.pyproject import table_dependencies
from labagent.snapshot.walk import Tree


def accepts(path: PurePosixPath) -> bool:
    """The file's name."""
    return path.name == "Pipfile"


def read(tree: Tree, path: PurePosixPath) -> list[Dependency]:
    """Both tables of packages."""
    text = tree.text(path)
    table = tomllib.loads(text)
    found = list(table_dependencies(table.get("packages", {}), path, text, ""))
    return found + list(table_dependencies(table.get("dev-packages", {}), path, text, "dev"))
