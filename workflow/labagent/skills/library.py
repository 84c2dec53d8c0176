"""The skills of a project: those in ``skills/``, and frozen ones with verdicts in ``results/skills/``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from labagent.models.skill import Skill, Verdict
from labagent.skills.faults import SkillFault
from labagent.skills.frontmatter import ROOT
from labagent.skills.read import VERDICT, read_skill, skill_sha256


@dataclass(frozen=True)
class Entry:
    """A skill's folder. ``skill`` is ``None`` where it cannot be read (``fault`` says why)."""

    name: str
    origin: str
    folder: Path
    skill: Skill | None
    verdict: Verdict | None
    fault: str = ""

    @property
    def status(self) -> str:
        """``valid``, ``refused``, ``missing``, or ``not validated`` for this very content."""
        if self.verdict is None:
            return "not validated"
        if self.verdict.status != "missing" and self.verdict.skill_sha256 != skill_sha256(self.folder):
            return "changed since validated"
        return self.verdict.status


def curated(root: Path) -> list[Entry]:
    """The skills of ``skills/`` alone, by name.

    Args:
        root: the project's folder.
    """
    return [_entry("library", folder) for folder in _folders(root / "skills")]


def library(root: Path, results: str = "results") -> list[Entry]:
    """All skills of a project: those of ``skills/`` first, then the frozen ones by origin.

    Args:
        root: the project's folder.
        results: the folder of results, relative to it.
    """
    frozen = [
        _entry(origin.name, folder)
        for origin in _children(root / results / "skills")
        for folder in _children(origin)
    ]
    return [*curated(root), *frozen]


def find(entries: list[Entry], name: str) -> Entry | None:
    """The entry of a name: one that can be read, and among those one that was validated, goes first."""
    named = [entry for entry in entries if entry.name == name]
    return min(named, key=lambda entry: (entry.skill is None, entry.verdict is None), default=None)


def _folders(place: Path) -> Iterator[Path]:
    """Folders that hold a skill."""
    return (folder for folder in _children(place) if (folder / ROOT).is_file())


def _children(place: Path) -> list[Path]:
    """Sub-folders that are not hidden, by name."""
    if not place.is_dir():
        return []
    return sorted(path for path in place.iterdir() if path.is_dir() and not path.name.startswith("."))


def _entry(origin: str, folder: Path) -> Entry:
    """A folder as an entry."""
    verdict = None
    if (folder / VERDICT).is_file():
        try:
            verdict = Verdict.read(folder / VERDICT)
        except (ValidationError, ValueError):
            return Entry(folder.name, origin, folder, None, None, f"{VERDICT} cannot be read")
    try:
        return Entry(folder.name, origin, folder, read_skill(folder), verdict)
    except SkillFault as fault:
        return Entry(folder.name, origin, folder, None, verdict, str(fault))
