"""``DESCRIPTION`` of an R package."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from labagent.models.snapshot import Dependency
from labagent.snapshot.dcf import read_dcf
from labagent.snapshot.walk import Tree

FIELDS = {"Depends": "", "Imports": "", "LinkingTo": "", "Suggests": "suggests", "Enhances": "enhances"}
ITEM = re.compile(r"^(?P<name>[A-Za-z][\w.]*)\s*(?:\((?P<version>[^)]*)\))?$")


def accepts(path: PurePosixPath) -> bool:
    """The file's name."""
    return path.name == "DESCRIPTION"


def read(tree: Tree, path: PurePosixPath) -> list[Dependency]:
    """R packages (and R itself), and the system requirements as written."""
    fields = read_dcf(tree.text(path))
    found = []
    for name, extra in FIELDS.items():
        for text, line in _items(fields.get(name, [])):
            match = ITEM.match(text)
            if match:
                version = " ".join((match["version"] or "").split())
                found.append(
                    Dependency(
                        name=match["name"],
                        specifier=version,
                        ecosystem="r",
                        extra=extra,
                        file=path.as_posix(),
                        line=line,
                    )
                )
    for text, line in _items(fields.get("SystemRequirements", [])):
        found.append(Dependency(name=text, specifier="", ecosystem="system", file=path.as_posix(), line=line))
    return found


def _items(lines: list[tuple[str, int]]) -> list[tuple[str, int]]:
    """The comma-separated items of a field, each with the line it starts on."""
    items: list[tuple[str, int]] = []
    open_item = ""
    started = 0
    for text, line in lines:
        for number, part in enumerate(text.split(",")):
            if number:
                items.append((open_item, started))
                open_item = ""
            if part.strip():
                started = started if open_item else line
                open_item = f"{open_item} {part.strip()}".strip()
    return [(text, line) for text, line in [*items, (open_item, started)] if text]
