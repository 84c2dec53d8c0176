"""The frontmatter of ``SKILL.md``, as the Agent Skills specification has it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from labagent.skills.faults import SkillFault
from labagent.skills.strict_yaml import parse_mapping

ROOT = "SKILL.md"
NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
MAX_NAME, MAX_DESCRIPTION, MAX_COMPATIBILITY = 64, 1024, 500
KEYS = ("name", "description", "license", "compatibility", "metadata", "allowed-tools")


@dataclass(frozen=True)
class Frontmatter:
    """The fields of a frontmatter; ``body_line`` is the line of the file at which the text begins."""

    name: str
    description: str
    licence: str
    compatibility: str
    metadata: dict[str, str]
    body: str
    body_line: int


def parse_frontmatter(text: str, folder_name: str) -> Frontmatter:
    """Read the head of a ``SKILL.md``.

    Args:
        text: the whole file.
        folder_name: the skill's folder, which its name must equal.

    Raises:
        SkillFault: the head is missing, no mapping, has unknown keys or a value the specification forbids.
    """
    lines = text.split("\n")
    if lines[0].rstrip() != "---":
        raise SkillFault('must begin with a line "---"', ROOT, 1)
    end = next((i for i, line in enumerate(lines[1:], 1) if line.rstrip() == "---"), None)
    if end is None:
        raise SkillFault('the frontmatter is not closed by a line "---"', ROOT, 1)
    head = "\n".join(lines[1:end])
    fields = parse_mapping(head, ROOT, strings=True, first_line=2)
    unknown = [key for key in fields if key not in KEYS]
    if unknown:
        message = f'the key "{unknown[0]}" is not allowed; allowed: {", ".join(KEYS)}'
        raise SkillFault(message, ROOT, _line_of(lines, unknown[0]))
    return Frontmatter(
        name=_name(fields, folder_name, lines),
        description=_text(fields, "description", lines, MAX_DESCRIPTION, required=True),
        licence=_text(fields, "license", lines, MAX_DESCRIPTION),
        compatibility=_text(fields, "compatibility", lines, MAX_COMPATIBILITY),
        metadata=_metadata(fields, lines),
        body="\n".join(lines[end + 1 :]),
        body_line=end + 2,
    )


def _line_of(lines: list[str], key: str) -> int:
    """The line of a top-level key."""
    return next((i for i, line in enumerate(lines, 1) if line.startswith(key)), 1)


def _name(fields: dict[str, Any], folder_name: str, lines: list[str]) -> str:
    """The name: its form, its length, and that the folder is called the same."""
    name = _text(fields, "name", lines, MAX_NAME, required=True)
    line = _line_of(lines, "name")
    if not NAME.fullmatch(name):
        message = f'name "{name}" must be lowercase letters, digits and single hyphens between them'
        raise SkillFault(message, ROOT, line)
    if name != folder_name:
        raise SkillFault(f'name "{name}" must equal the folder\'s name "{folder_name}"', ROOT, line)
    return name


def _text(fields: dict[str, Any], key: str, lines: list[str], longest: int, *, required: bool = False) -> str:
    """A text field of at most ``longest`` characters."""
    line = _line_of(lines, key)
    value = fields.get(key, "")
    if not isinstance(value, str):
        raise SkillFault(f"{key} must be text, not a {type(value).__name__}", ROOT, line)
    value = value.strip()
    if required and not value:
        raise SkillFault(f"{key} is missing or empty", ROOT, line)
    if key in fields and not value:
        raise SkillFault(f"{key} is empty; leave it out instead", ROOT, line)
    if len(value) > longest:
        raise SkillFault(f"{key} has {len(value)} characters; at most {longest} are allowed", ROOT, line)
    return value


def _metadata(fields: dict[str, Any], lines: list[str]) -> dict[str, str]:
    """``metadata``: text to text. ``allowed-tools`` is only looked at."""
    _text(fields, "allowed-tools", lines, MAX_DESCRIPTION)
    value = fields.get("metadata", {})
    flat = isinstance(value, dict) and all(isinstance(v, str) for v in value.values())
    if not flat:
        raise SkillFault("metadata must map text to text", ROOT, _line_of(lines, "metadata"))
    return {str(key): str(item) for key, item in value.items()}
