"""The manifest of a tool skill: what its frontmatter says, held against the registry of tools.

``metadata`` maps text to text, as the specification of Agent Skills has it: lists are words with spaces
between them, and what is longer is a file of the skill that is named there.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any, cast, get_args

from pydantic import ValidationError

from labagent.models.asking import RouteName
from labagent.models.base import first_fault
from labagent.models.skill import Manifest, Skill, SkillExample
from labagent.models.tools import Safety
from labagent.skills.faults import SkillFault
from labagent.skills.frontmatter import NAME, ROOT
from labagent.skills.read import read_text
from labagent.tools import registry

REQUIRED = ("category", "safety", "tools", "schema", "examples")
ROUTES: tuple[RouteName, ...] = tuple(route for route in get_args(RouteName) if route != "none")
LEVELS: tuple[Safety, ...] = get_args(Safety)
FEWEST_EXAMPLES = 2
ANSWER = "answer.json"


def read_manifest(folder: Path, skill: Skill) -> Manifest:
    """The manifest of a tool skill.

    Args:
        folder: the skill's folder.
        skill: as read from it.

    Raises:
        SkillFault: a field is missing or wrong; names file, line, field and what is allowed.
    """
    head = _Head(folder, skill.metadata)
    if missing := [key for key in REQUIRED if not skill.metadata.get(key, "").strip()]:
        head.fail(missing[0], f"is missing; a tool skill has: {', '.join(REQUIRED)}")
    tools = _tools(head)
    arguments, result = _schemas(head)
    return Manifest(
        skill=skill.name,
        description=skill.description,
        version=skill.metadata.get("version", ""),
        category=_category(head),
        routes=_routes(head),
        safety=_safety(head, tools),
        tools=tools,
        arguments=arguments,
        result=result,
        examples=tuple(_examples(head, arguments)),
        sha256=skill.sha256,
    )


def schema_fault(value: Any, schema: Mapping[str, Any]) -> str:
    """Where a value does not fit a JSON schema, and why, in a line; empty where it fits."""
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import best_match

    error = best_match(Draft202012Validator(schema).iter_errors(value))
    if error is None:
        return ""
    place = ".".join(map(str, error.absolute_path))
    return f"{f'{place}: ' if place else ''}{error.message}"[:300]


class _Head:
    """The metadata of a frontmatter, with its place."""

    def __init__(self, folder: Path, metadata: Mapping[str, str]) -> None:
        self.folder, self._metadata = folder, metadata

    def words(self, key: str) -> list[str]:
        """The words of a field, each once."""
        return list(dict.fromkeys(self._metadata.get(key, "").replace(",", " ").split()))

    def file(self, key: str) -> tuple[str, str]:
        """Name and text of the file of the skill that a field names."""
        name = self._metadata[key].strip()
        if len(Path(name).parts) != 2 or not name.startswith("assets/"):
            self.fail(key, f'"{name}" must be a file of the skill, as in assets/{key}.json')
        try:
            return name, read_text(self.folder, name)
        except SkillFault as fault:
            if fault.message == "no such file":
                self.fail(key, f'names "{name}", which is not there')
            raise

    def fail(self, key: str, message: str) -> None:
        """Raise what is wrong with a field, at its line."""
        lines = read_text(self.folder, ROOT).split("\n")
        numbered = [(n, line.strip()) for n, line in enumerate(lines, 1)]
        start = next((n for n, line in numbered if line.startswith("metadata:")), 1)
        line = next((n for n, text in numbered if n > start and text.startswith(f"{key}:")), start)
        raise SkillFault(f"metadata {key}: {message}", ROOT, line)


def _category(head: _Head) -> str:
    """The one word that says what a skill is about."""
    words = head.words("category")
    if len(words) != 1 or not NAME.fullmatch(words[0]):
        head.fail(
            "category", f'"{" ".join(words)}" must be one word of lowercase letters, digits and hyphens'
        )
    return words[0]


def _routes(head: _Head) -> tuple[RouteName, ...]:
    """The routes a skill serves: those it names, else its category where that is one."""
    named = head.words("routes")
    if wrong := next((word for word in named if word not in ROUTES), ""):
        head.fail("routes", f'there is no route "{wrong}"; there are: {", ".join(ROUTES)}')
    return tuple(route for route in ROUTES if route in (named or head.words("category")))


def _tools(head: _Head) -> tuple[str, ...]:
    """The tools, all of which are registered."""
    named = head.words("tools")
    known = registry()
    if wrong := next((name for name in named if name not in known), ""):
        near = get_close_matches(wrong, known, n=3) or list(known)
        head.fail("tools", f'there is no tool "{wrong}"; did you mean {", ".join(near)}?')
    return tuple(named)


def _safety(head: _Head, tools: tuple[str, ...]) -> tuple[Safety, ...]:
    """The levels, which are exactly those of the tools."""
    named = head.words("safety")
    if wrong := next((word for word in named if word not in LEVELS), ""):
        head.fail("safety", f'there is no level "{wrong}"; there are: {", ".join(LEVELS)}')
    marked = {registry()[name].safety: name for name in tools}
    if missing := next((level for level in LEVELS if level in marked and level not in named), ""):
        name = marked[cast(Safety, missing)]
        head.fail("safety", f"says {' '.join(named)}, but {name} is marked {missing}")
    if more := next((word for word in named if word not in marked), ""):
        head.fail("safety", f"says {more}, but none of its tools is marked so")
    return tuple(level for level in LEVELS if level in named)


def _schemas(head: _Head) -> tuple[dict[str, Any], dict[str, Any]]:
    """The schemas of arguments and result."""
    name, text = head.file("schema")
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise SkillFault(f"is not JSON: {error}", name, getattr(error, "lineno", 1)) from error
    if not isinstance(found, dict) or set(found) != {"arguments", "result"}:
        raise SkillFault('must be an object with "arguments" and "result", each a JSON schema', name, 1)
    for part in ("arguments", "result"):
        if fault := _no_schema(found[part]):
            raise SkillFault(f"{part}: {fault}", name, 1)
    return found["arguments"], found["result"]


def _no_schema(schema: Any) -> str:
    """Why something is no JSON schema of an object that stands by itself; empty where it is one."""
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import SchemaError

    if not isinstance(schema, dict) or schema.get("type") != "object":
        return 'must be a JSON schema with "type": "object"'
    if elsewhere := next((ref for ref in _references(schema) if not str(ref).startswith("#")), None):
        return f'refers to "{elsewhere}"; only places in the schema itself ("#/…") are allowed'
    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError as error:
        return f"is no JSON schema: {'.'.join(map(str, error.absolute_path))}: {error.message}"[:300]
    return ""


def _references(value: Any) -> Iterator[Any]:
    """All references in a schema."""
    if isinstance(value, dict):
        yield from (value[key] for key in ("$ref", "$dynamicRef") if key in value)
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            yield from _references(item)


def _examples(head: _Head, schema: Mapping[str, Any]) -> Iterator[SkillExample]:
    """The examples, whose arguments fit the schema."""
    name, text = head.file("examples")
    lines = [(n, line) for n, line in enumerate(text.split("\n"), 1) if line.strip()]
    if len(lines) < FEWEST_EXAMPLES:
        raise SkillFault(f"has {len(lines)} examples; at least {FEWEST_EXAMPLES} are needed", name, 1)
    for number, line in lines:
        try:
            example = SkillExample.model_validate_json(line, strict=True)
        except ValidationError as error:
            raise SkillFault(first_fault(error), name, number) from error
        if fault := schema_fault(example.arguments, schema):
            raise SkillFault(f"arguments: {fault}", name, number)
        yield example
