"""What differs between two versions of a skill: statements, code, environment, evidence, quick start."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from labagent.files import list_files, sha256_file
from labagent.models.skill import Evidence, Skill
from labagent.skills.blocks import prose
from labagent.skills.frontmatter import ROOT
from labagent.skills.read import ENVIRONMENT, EVIDENCE, QUICKSTART, read_skill, read_text

ASPECTS = ("description", "statements", "code", "environment", "evidence", "quick start", "files")


@dataclass(frozen=True)
class Change:
    """A line that only one version has: ``-`` the first, ``+`` the second."""

    aspect: str
    file: str
    sign: str
    text: str


def diff_skills(first: Path, second: Path) -> list[Change]:
    """All changes between two folders of skills, by aspect and file.

    Evidence is compared by what it says and where it points; its numbers may differ.

    Raises:
        SkillFault: one of the skills cannot be read.
    """
    pair = (read_skill(first), read_skill(second))
    folders = (first, second)
    changes = list(_lines("description", ROOT, *(_head(skill) for skill in pair)))
    changes += _by_file("statements", *(_statements(skill) for skill in pair))
    changes += _by_file("code", *(_code(skill) for skill in pair))
    for aspect, name in (("environment", ENVIRONMENT), ("quick start", QUICKSTART)):
        changes += _lines(aspect, name, *(_text(folder, name) for folder in folders))
    changes += _lines("evidence", EVIDENCE, *(sorted(map(_evidence, skill.evidence)) for skill in pair))
    return changes + list(_lines("files", "", *(_others(folder) for folder in folders)))


def _head(skill: Skill) -> list[str]:
    """Name, description and licence."""
    fields = (
        ("description", skill.description),
        ("license", skill.licence),
        ("compatibility", skill.compatibility),
    )
    return [f"{name}: {value}" for name, value in fields if value]


def _statements(skill: Skill) -> dict[str, list[str]]:
    """The prose of root and loci."""
    texts = {ROOT: skill.root, **{locus.path: locus.text for locus in skill.loci}}
    return {file: [text.rstrip() for _, text in prose(body) if text.strip()] for file, body in texts.items()}


def _code(skill: Skill) -> dict[str, list[str]]:
    """The code of each locus, with its language."""
    return {
        locus.path: [
            row for b in locus.blocks for row in (f"[{b.language}]", *b.code.rstrip("\n").split("\n"))
        ]
        for locus in skill.loci
    }


def _evidence(item: Evidence) -> str:
    """A piece of evidence without its number."""
    source = item.source.model_dump(exclude_defaults=True, exclude={"kind"})
    place = " ".join(f"{key} {value}" for key, value in source.items())
    return f"{item.statement} ({item.source.kind} {place}: {', '.join(item.terms)})"


def _text(folder: Path, name: str) -> list[str]:
    """A file's lines; none where it is missing."""
    return read_text(folder, name).rstrip("\n").split("\n") if (folder / name).is_file() else []


def _others(folder: Path) -> list[str]:
    """Other files with a hash of their content."""
    known = {ROOT, ENVIRONMENT, EVIDENCE, QUICKSTART, "verdict.json"}
    names = ((path, path.relative_to(folder).as_posix()) for path in list_files(folder))
    return [
        f"{name} {sha256_file(path)[:12]}"
        for path, name in names
        if name not in known and not name.startswith("references/") and "__pycache__" not in name
    ]


def _by_file(aspect: str, one: dict[str, list[str]], other: dict[str, list[str]]) -> Iterator[Change]:
    """Changes of each file, in the order of the second version; files that are gone come last."""
    for file in [*other, *(file for file in one if file not in other)]:
        yield from _lines(aspect, file, one.get(file, []), other.get(file, []))


def _lines(aspect: str, file: str, one: list[str], other: list[str]) -> Iterator[Change]:
    """Lines that only one of two lists has, where they stand."""
    matcher = difflib.SequenceMatcher(None, one, other, autojunk=False)
    for tag, left, right, low, high in matcher.get_opcodes():
        if tag != "equal":
            yield from (Change(aspect, file, "-", text) for text in one[left:right])
            yield from (Change(aspect, file, "+", text) for text in other[low:high])
