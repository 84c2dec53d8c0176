"""Reading a skill's folder."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from labagent.files import sha256_tree
from labagent.models.skill import Evidence, Locus, QuickStart, Skill
from labagent.skills.blocks import runnable
from labagent.skills.faults import SkillFault
from labagent.skills.frontmatter import NAME, ROOT, parse_frontmatter
from labagent.skills.strict_yaml import parse_mapping

VERDICT = "verdict.json"
EVIDENCE, QUICKSTART, ENVIRONMENT = "evidence.jsonl", "assets/quickstart.yaml", "environment.yaml"
LOCUS_LINK = re.compile(r"\]\((references/[^)\s#]+\.md)(?:#[^)\s]*)?\)")


def skill_sha256(folder: Path) -> str:
    """The content hash of a skill: all its files but ``verdict.json`` and compiled leftovers."""
    return sha256_tree(folder, ignore=frozenset({VERDICT, "__pycache__"}))


def read_skill(folder: Path) -> Skill:
    """Read a skill; its loci come in the order of the root's table.

    Args:
        folder: the skill's folder; its name is the skill's name.

    Raises:
        SkillFault: a file is missing or cannot be read, with file and line.
    """
    head = parse_frontmatter(read_text(folder, ROOT), folder.resolve().name)
    return Skill(
        name=head.name,
        description=head.description,
        licence=head.licence,
        compatibility=head.compatibility,
        metadata=head.metadata,
        root=head.body,
        loci=tuple(_read_locus(folder, path, line) for path, line in linked_loci(head.body, head.body_line)),
        evidence=tuple(read_evidence(folder)),
        quickstart=read_quickstart(folder),
        sha256=skill_sha256(folder),
    )


def read_text(folder: Path, name: str) -> str:
    """A text file of a skill.

    Raises:
        SkillFault: it is missing, no UTF-8 text, or a link out of the skill.
    """
    path = folder / name
    if not path.resolve().is_relative_to(folder.resolve()):
        raise SkillFault("leads out of the skill's folder", name)
    if path.resolve() != folder.resolve() / name:
        raise SkillFault("is reached through a link, which a frozen skill does not keep", name)
    try:
        return path.read_text(encoding="utf-8-sig")
    except (FileNotFoundError, IsADirectoryError, NotADirectoryError) as error:
        raise SkillFault("no such file", name) from error
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise SkillFault(f"is not UTF-8 text (byte {error.start})", name, line) from error


def linked_loci(root: str, first_line: int = 1) -> list[tuple[str, int]]:
    """Paths of the loci that the root's table links, in order, with the lines; each once."""
    found: dict[str, int] = {}
    for number, line in enumerate(root.split("\n"), first_line):
        if line.lstrip().startswith("|"):
            for path in LOCUS_LINK.findall(line):
                found.setdefault(path, number)
    return list(found.items())


def evidence_lines(folder: Path) -> Iterator[tuple[int, str]]:
    """The lines of ``evidence.jsonl`` that are not blank, with their numbers."""
    if not (folder / EVIDENCE).exists():
        return
    for number, line in enumerate(read_text(folder, EVIDENCE).split("\n"), 1):
        if line.strip():
            yield number, line


def read_evidence(folder: Path) -> Iterator[Evidence]:
    """The evidence of a skill, line by line.

    Raises:
        SkillFault: a line is no JSON object of the form, or an id stands twice.
    """
    seen: set[str] = set()
    for number, line in evidence_lines(folder):
        try:
            item = Evidence.model_validate(json.loads(line, object_pairs_hook=_once))
        except json.JSONDecodeError as error:
            raise SkillFault(f"is not JSON: {error.msg}", EVIDENCE, number) from error
        except ValidationError as error:
            raise SkillFault(_first(error), EVIDENCE, number) from error
        except _Twice as error:
            raise SkillFault(f'the key "{error}" is given twice', EVIDENCE, number) from error
        if item.id in seen:
            raise SkillFault(f"the id {item.id} is given twice", EVIDENCE, number)
        seen.add(item.id)
        yield item


class _Twice(Exception):
    """A JSON object has a key twice."""


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The pairs of a JSON object as a mapping."""
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        raise _Twice(next(key for key in keys if keys.count(key) > 1))
    return found


def read_quickstart(folder: Path) -> QuickStart | None:
    """The quick start; ``None`` where the skill has none.

    Raises:
        SkillFault: it is no YAML of the form.
    """
    if not (folder / QUICKSTART).exists():
        return None
    try:
        return QuickStart.model_validate(parse_mapping(read_text(folder, QUICKSTART), QUICKSTART))
    except ValidationError as error:
        raise SkillFault(_first(error), QUICKSTART, 1) from error


def _read_locus(folder: Path, path: str, line: int) -> Locus:
    """A locus; ``line`` is where the root links it."""
    name = Path(path).stem
    if path != f"references/{name}.md" or not NAME.fullmatch(name):
        message = f'"{path}" must be references/<name>.md: lowercase letters, digits, single hyphens'
        raise SkillFault(message, ROOT, line)
    if not (folder / path).is_file():
        raise SkillFault(f'links "{path}", which does not exist', ROOT, line)
    text = read_text(folder, path)
    title = next((row.lstrip("# ").strip() for row in text.split("\n") if row.startswith("#")), name)
    return Locus(name=name, path=path, title=title, text=text, blocks=runnable(text, path))


def _first(error: ValidationError) -> str:
    """The first fault of a record: field, what is wrong, the value."""
    fault = error.errors()[0]
    field = ".".join(map(str, fault["loc"])) or "the record"
    return f"{field}: {fault['msg']} (found {fault['input']!r:.80})"
