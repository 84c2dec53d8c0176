"""YAML as skills use it: a mapping, no key twice, faults with their line."""

from __future__ import annotations

from typing import Any

import yaml

from labagent.skills.faults import SkillFault


class _Strict(yaml.SafeLoader):
    """A safe loader that refuses a key given twice."""


class _Strings(yaml.BaseLoader):
    """The same, every scalar staying text: ``1.10`` is not a number, ``no`` not a boolean."""


def _shorthand(text: str) -> int | None:
    """The line (from 0) of the first flow collection, anchor, alias or tag."""
    for event in yaml.parse(text, Loader=yaml.SafeLoader):
        collection = isinstance(event, yaml.CollectionStartEvent) and event.flow_style
        if collection or getattr(event, "anchor", None) or getattr(event, "tag", None):
            return event.start_mark.line if event.start_mark else 0
    return None


def _mapping(loader: yaml.SafeLoader | yaml.BaseLoader, node: yaml.MappingNode) -> dict[Any, Any]:
    """A mapping; a second key of one name is an error at its line."""
    pairs: dict[Any, Any] = {}
    for key_node, value_node in node.value:
        key = loader.construct_object(key_node, deep=True)
        if not isinstance(key, str | int | float | bool):
            raise yaml.constructor.ConstructorError(None, None, "a key must be text", key_node.start_mark)
        if key in pairs:
            message = f'the key "{key}" is given twice'
            raise yaml.constructor.ConstructorError(None, None, message, key_node.start_mark)
        pairs[key] = loader.construct_object(value_node, deep=True)
    return pairs


for _loader in (_Strict, _Strings):
    _loader.add_constructor(yaml.resolver.BaseResolver.DEFAULT_MAPPING_TAG, _mapping)


def parse_mapping(text: str, file: str, *, strings: bool = False, first_line: int = 1) -> dict[str, Any]:
    """The mapping a YAML text holds.

    Args:
        text: the YAML.
        file: its name, for messages.
        strings: keep every scalar as text, and allow only what the Agent Skills readers do: no ``{…}`` or
            ``[…]``, no anchors, no tags.
        first_line: the line of ``file`` at which ``text`` begins.

    Raises:
        SkillFault: no YAML, no mapping, or a key given twice.
    """
    try:
        shorthand = _shorthand(text) if strings else None
        value = yaml.load(text, Loader=_Strings if strings else _Strict)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = first_line + mark.line if mark else first_line
        raise SkillFault(f"is not valid YAML: {getattr(error, 'problem', error)}", file, line) from error
    if shorthand is not None:
        message = "brackets, braces, anchors and tags are not read here; write key: value on lines"
        raise SkillFault(message, file, first_line + shorthand)
    if not isinstance(value, dict):
        found = "nothing" if value is None else f"a {type(value).__name__}"
        raise SkillFault(f"must hold a mapping (key: value), it holds {found}", file, first_line)
    return {str(key): item for key, item in value.items()}
