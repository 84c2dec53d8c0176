"""``pyproject.toml``: PEP 621, dependency groups, poetry."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any

from labagent.models.snapshot import Dependency
from labagent.snapshot.dependencies._requirement import Lines, python_requirements
from labagent.snapshot.walk import Tree


def accepts(path: PurePosixPath) -> bool:
    """The file's name."""
    return path.name == "pyproject.toml"


def read(tree: Tree, path: PurePosixPath) -> list[Dependency]:
    """All dependencies the file declares; groups and extras carry their name."""
    text = tree.text(path)
    table = tomllib.loads(text)
    project = table.get("project", {})
    found = python_requirements(project.get("dependencies", ()), path, text)
    groups = {**project.get("optional-dependencies", {}), **table.get("dependency-groups", {})}
    for name, listed in groups.items():
        texts = [item for item in listed if isinstance(item, str)]
        found += python_requirements(texts, path, text, extra=name)
    poetry = table.get("tool", {}).get("poetry", {})
    return found + list(poetry_dependencies(poetry, path, text))


def poetry_dependencies(poetry: dict[str, Any], path: PurePosixPath, text: str) -> Iterator[Dependency]:
    """The tables of poetry: dependencies, dev-dependencies, groups."""
    tables = [("", poetry.get("dependencies", {})), ("dev", poetry.get("dev-dependencies", {}))]
    tables += [(name, group.get("dependencies", {})) for name, group in poetry.get("group", {}).items()]
    for extra, table in tables:
        yield from table_dependencies(table, path, text, extra)


def table_dependencies(
    table: dict[str, Any], path: PurePosixPath, text: str, extra: str
) -> Iterator[Dependency]:
    """``name = version`` rows, as poetry and pipenv write them; ``python`` itself is not a package."""
    lines = Lines(text)
    for name, value in table.items():
        if name == "python":
            continue
        version = value if isinstance(value, str) else ""
        if isinstance(value, dict):
            place = next((f"@ {value[k]}" for k in ("git", "url", "path") if k in value), "")
            version = value.get("version", place)
            extra_here = extra or ("optional" if value.get("optional") else "")
        else:
            extra_here = extra
        yield Dependency(
            name=name,
            specifier="" if version == "*" else version,
            ecosystem="python",
            extra=extra_here,
            file=path.as_posix(),
            line=lines.find(name),
        )
