"""Loci that several skills of a family have in common: kept once, copied into each skill.

A skill must stay whole on its own (it is frozen, hashed, read in a sandbox), so a shared locus is a copy, no
link. The original is ``benchmarks/<family>/loci/<locus>.md``; a skill takes part by linking to
``references/<locus>.md`` in its table of loci.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from labagent.errors import SkillError
from labagent.files import write_text

LINK = re.compile(r"\]\(references/([a-z0-9-]+)\.md\)")


def shared_loci(family: Path, skill: Path) -> dict[str, str]:
    """Text of each shared locus that a skill links to, by name.

    Args:
        family: the family's folder.
        skill: the skill's folder.

    Raises:
        SkillError: the skill has no ``SKILL.md``.
    """
    try:
        root = (skill / "SKILL.md").read_text(encoding="utf-8")
    except OSError as error:
        raise SkillError(f"{skill}: has no SKILL.md") from error
    places = {name: family / "loci" / f"{name}.md" for name in dict.fromkeys(LINK.findall(root))}
    return {name: path.read_text(encoding="utf-8") for name, path in places.items() if path.is_file()}


def stale_loci(family: Path, skill: Path) -> list[str]:
    """Shared loci whose copy in a skill is missing or differs from the original."""
    return [name for name, text in shared_loci(family, skill).items() if _copy(skill, name) != text]


def share_loci(family: Path, skills: Sequence[Path]) -> dict[str, list[str]]:
    """Copy shared loci into skills; what was written, by skill. What is up to date is left alone."""
    written: dict[str, list[str]] = {}
    for skill in skills:
        stale = stale_loci(family, skill)
        texts = shared_loci(family, skill)
        for name in stale:
            write_text(skill / "references" / f"{name}.md", texts[name])
        written[skill.name] = stale
    return written


def _copy(skill: Path, name: str) -> str | None:
    """The skill's own copy of a locus."""
    path = skill / "references" / f"{name}.md"
    return path.read_text(encoding="utf-8") if path.is_file() else None
