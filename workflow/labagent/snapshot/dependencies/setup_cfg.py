"""``setup.cfg`` of setuptools."""

from __future__ import annotations

import configparser
from pathlib import PurePosixPath

from labagent.models.snapshot import Dependency
from labagent.snapshot.dependencies._requirement import python_requirements
from labagent.snapshot.walk import Tree


def accepts(path: PurePosixPath) -> bool:
    """The file's name."""
    return path.name == "setup.cfg"


def read(tree: Tree, path: PurePosixPath) -> list[Dependency]:
    """``install_requires`` and ``extras_require``."""
    text = tree.text(path)
    parser = configparser.ConfigParser(interpolation=None, strict=False)
    try:
        parser.read_string(text)
    except configparser.Error as error:
        raise ValueError(str(error)) from error
    required = parser.get("options", "install_requires", fallback="")
    found = python_requirements(_items(required), path, text)
    if parser.has_section("options.extras_require"):
        for name, listed in parser.items("options.extras_require"):
            found += python_requirements(_items(listed), path, text, extra=name)
    return found


def _items(text: str) -> list[str]:
    """Requirements, one a line or separated by semicolons that are not markers."""
    rows = [row.split("#", 1)[0].strip() for row in text.splitlines()]
    return [row for row in rows if row]
