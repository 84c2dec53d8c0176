"""``PKG-INFO`` of a source distribution."""

from __future__ import annotations

import email
from pathlib import PurePosixPath

from labagent.models.snapshot import Dependency
from labagent.snapshot.dependencies._requirement import python_requirements
from labagent.snapshot.walk import Tree


def accepts(path: PurePosixPath) -> bool:
    """The file at the top; copies in ``*.egg-info`` say the same."""
    return path.as_posix() == "PKG-INFO"


def read(tree: Tree, path: PurePosixPath) -> list[Dependency]:
    """The ``Requires-Dist`` fields; a marker on an extra becomes the group."""
    text = tree.text(path)
    fields = email.message_from_string(text).get_all("Requires-Dist", [])
    return python_requirements([str(field) for field in fields], path, text)
