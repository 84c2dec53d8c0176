"""YAML files whose faults are reported with their line."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from labagent.errors import InputFault

DEPTH = 20  # an alias may stand inside what it names
BOOL = "tag:yaml.org,2002:bool"


class KeyTwiceError(yaml.MarkedYAMLError):
    """A mapping has a key twice: YAML itself would keep the last one and say nothing."""


class Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """YAML in which ``true`` and ``false`` alone are yes or no (``memory: off`` is the word ``off``), and no
    key stands twice."""

    yaml_implicit_resolvers = {
        first: [(tag, pattern) for tag, pattern in rules if tag != BOOL]
        for first, rules in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }

    def flatten_mapping(self, node: yaml.MappingNode) -> None:
        """Refuse a key that stands twice; then lay merged mappings (``<<``) under the others."""
        seen: set[tuple[str, str]] = set()
        for key, _ in node.value:
            if isinstance(key, yaml.ScalarNode):
                if (key.tag, key.value) in seen:
                    raise KeyTwiceError(problem=f'"{key.value}" stands twice', problem_mark=key.start_mark)
                seen.add((key.tag, key.value))
        super().flatten_mapping(node)


Loader.add_implicit_resolver(BOOL, re.compile(r"^(?:true|True|TRUE|false|False|FALSE)$"), list("tTfF"))


def read_yaml_mapping(path: Path, shown: str, faults: list[InputFault]) -> dict[str, Any] | None:
    """The mapping a YAML file holds; ``None`` and a fault where it holds none."""
    try:
        text = path.read_text(encoding="utf-8-sig")
        value = _load(text)
    except FileNotFoundError:
        faults.append(InputFault(shown, "no such file"))
    except UnicodeDecodeError as error:
        faults.append(InputFault(shown, f"is not UTF-8 text (byte {error.start})"))
    except yaml.YAMLError as error:
        faults.append(yaml_fault(shown, error))
    else:
        if value is None:
            return {}
        if isinstance(value, dict):
            return {str(key): item for key, item in value.items()}
        faults.append(InputFault(shown, f"must hold a mapping (key: value), not a {type(value).__name__}"))
    return None


def _load(text: str) -> Any:
    """The value of a YAML text; the fast loader reads it, the plain one says what is wrong with it."""
    try:
        return yaml.load(text, Loader=Loader)
    except KeyTwiceError:
        raise
    except yaml.YAMLError:
        return yaml.safe_load(text)


def yaml_fault(shown: str, error: yaml.YAMLError) -> InputFault:
    """A YAML error with its line; a tab is named, since YAML's own message hides it."""
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    problem = getattr(error, "problem", None) or str(error)
    if "'\\t'" in str(problem):
        problem = "a tab stands where YAML wants blanks; indent with blanks"
    place = f" (column {mark.column + 1})" if mark else ""
    if isinstance(error, KeyTwiceError):
        return InputFault(shown, f"the key {problem}{place}", mark.line + 1 if mark else None)
    return InputFault(shown, f"is not valid YAML: {problem}{place}", mark.line + 1 if mark else None)


def key_lines(text: str) -> dict[str, int]:
    """Line of each key of a YAML text, by its dotted path."""
    lines: dict[str, int] = {}

    def visit(node: yaml.Node | None, prefix: str) -> None:
        if isinstance(node, yaml.MappingNode) and prefix.count(".") < DEPTH:
            for key, value in node.value:
                path = f"{prefix}{key.value}"
                lines[path] = key.start_mark.line + 1
                visit(value, f"{path}.")

    visit(yaml.compose(text, Loader=yaml.SafeLoader), "")
    return lines


def merge(base: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """``base`` with ``over`` laid on top; mappings are merged key by key, anything else is replaced."""
    merged = dict(base)
    for key, value in over.items():
        old = merged.get(key)
        both = isinstance(old, Mapping) and isinstance(value, Mapping)
        merged[key] = merge(old, value) if both else value  # type: ignore[arg-type]
    return merged
