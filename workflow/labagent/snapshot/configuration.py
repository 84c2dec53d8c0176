"""Configuration files with the values written in them: YAML (hydra's too), TOML, JSON, gin."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from functools import partial
from pathlib import PurePosixPath
from typing import Any

from labagent.models.snapshot import ConfigFile
from labagent.snapshot.kept import Kept
from labagent.snapshot.walk import DOCS, TESTS, Tree, folder_names

FORMATS = {".yaml": "yaml", ".yml": "yaml", ".toml": "toml", ".json": "json", ".gin": "gin"}
FOLDERS = frozenset({"conf", "config", "configs", "cfg", "configuration", "params", "hparams", "experiments"})
NAMED = re.compile(r"(conf|cfg|config|param|setting|default|hparam|option|experiment)", re.IGNORECASE)
TOOLS = re.compile(
    r"^(pyproject|package(-lock)?|tsconfig.*|meta|codemeta|_config|mkdocs|readthedocs|codecov|.*environment.*|setup"
    r"|renovate|devcontainer|_quarto|_pkgdown|pixi|poetry|\..*)$",
    re.IGNORECASE,
)
GIN = re.compile(r"^\s*([\w./@]+)\s*=\s*(.+?)\s*$", re.MULTILINE)
MAX_BYTES = 200_000
MAX_VALUES = 400
MAX_FILES = 200
MAX_ITEMS = 50
MAX_TEXT = 200  # characters of a value


def find_configuration(tree: Tree, kept: Kept | None = None) -> tuple[ConfigFile, ...]:
    """Configuration files by path, at most ``MAX_FILES``; not those of tools, tests and documentation."""
    kept = kept or Kept()
    found = []
    for name in kept.part(tree, "configuration files", lambda: _files(tree)):
        path = PurePosixPath(name)
        if tree.size(path) > MAX_BYTES:
            continue
        kind = FORMATS[path.suffix.lower()]
        values = kept.of(tree, path, "configuration", partial(_values, tree, path, kind))
        if values:
            found.append(ConfigFile(file=path.as_posix(), format=kind, values=dict(values)))
    return tuple(found[:MAX_FILES])


def _files(tree: Tree) -> list[str]:
    """Files that may hold settings."""
    return [path.as_posix() for path in tree.having(*FORMATS) if _is_configuration(path)]


def _is_configuration(path: PurePosixPath) -> bool:
    """Whether name and place speak for settings of the lab's own code."""
    folders = folder_names(path)
    if folders & (TESTS | DOCS) or any(p.startswith(".") for p in path.parts) or TOOLS.match(path.stem):
        return False
    return bool(path.suffix.lower() == ".gin" or folders & FOLDERS or NAMED.search(path.stem))


def _values(tree: Tree, path: PurePosixPath, kind: str) -> tuple[tuple[str, str], ...]:
    """The values of one file."""
    return _read(tree.text(path), kind)


def _read(text: str, kind: str) -> tuple[tuple[str, str], ...]:
    """Dotted keys with their values; nothing for a file that cannot be read or is no mapping."""
    if kind == "gin":
        return tuple((k, v[:MAX_TEXT]) for k, v in GIN.findall(re.sub(r"#.*", "", text)))[:MAX_VALUES]
    try:
        content = _parsed(text, kind)
    except (ValueError, RecursionError, TypeError):
        return ()
    flat = _flat(content, "") if isinstance(content, dict) else ()
    return tuple(pair for pair, _ in zip(flat, range(MAX_VALUES), strict=False))


def _parsed(text: str, kind: str) -> Any:
    """The content of a file.

    Raises:
        ValueError: it is not of its kind.
    """
    if kind == "toml":
        return tomllib.loads(text)
    if kind == "json":
        return json.loads(text)
    import yaml

    try:
        return yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except yaml.YAMLError as error:
        raise ValueError(str(error)) from error


def _flat(content: dict[Any, Any], head: str) -> Iterator[tuple[str, str]]:
    """The leaves of nested mappings."""
    for key, value in content.items():
        name = f"{head}{key}"
        if isinstance(value, dict) and value:
            yield from _flat(value, f"{name}.")
        else:
            yield name, _text(value)[:MAX_TEXT]


def _text(value: Any) -> str:
    """A value as text; of a list, its plain items: what anchors make of nested ones has no bound."""
    if isinstance(value, list):
        return "[" + ", ".join("…" if isinstance(v, list | dict) else str(v) for v in value[:MAX_ITEMS]) + "]"
    return value if isinstance(value, str) else json.dumps(value, default=str)
