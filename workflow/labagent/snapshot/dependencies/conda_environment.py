"""Conda environment files, with the pip packages in them."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

import yaml

from labagent.models.snapshot import Dependency
from labagent.snapshot.dependencies._requirement import Lines, python_requirement
from labagent.snapshot.walk import Tree

NAME = re.compile(r"^[\w.-]*env(ironment)?s?[\w.-]*\.ya?ml$", re.IGNORECASE)
SPEC = re.compile(r"^(?:(?P<channel>[\w./-]+)::)?(?P<name>[\w.-]+)\s*(?P<version>.*)$")


def accepts(path: PurePosixPath) -> bool:
    """``environment.yml`` and the like, and any YAML file at the top, outside services' folders."""
    is_yaml = path.suffix in (".yml", ".yaml") and ".github" not in path.parts
    return is_yaml and (len(path.parts) == 1 or NAME.match(path.name) is not None)


def read(tree: Tree, path: PurePosixPath) -> list[Dependency]:
    """Conda packages and those under ``pip:``; a YAML file without ``dependencies`` gives none."""
    text = tree.text(path)
    try:
        table = yaml.safe_load(text)
    except yaml.YAMLError as error:
        if not NAME.match(path.name):
            return []
        raise ValueError(" ".join(str(error).split())) from error
    is_environment = isinstance(table, dict) and (NAME.match(path.name) or "channels" in table)
    listed = table.get("dependencies") if is_environment else None
    lines = Lines(text)
    found: list[Dependency] = []
    for item in listed if isinstance(listed, list) else ():
        if isinstance(item, str):
            match = SPEC.match(item.strip())
            if match:
                found.append(_conda(match, path, lines.find(item)))
        elif isinstance(item, dict) and isinstance(item.get("pip"), list):
            rows = (python_requirement(str(row), path, lines.find(str(row))) for row in item["pip"])
            found += [row for row in rows if row is not None]
    return found


def _conda(match: re.Match[str], path: PurePosixPath, line: int) -> Dependency:
    """One conda package."""
    return Dependency(
        name=match["name"],
        specifier=match["version"].strip(),
        ecosystem="conda",
        file=path.as_posix(),
        line=line,
    )
