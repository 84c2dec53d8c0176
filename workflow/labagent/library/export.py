"""Skills as other agents read them: folders of the Agent Skills form that say what labagent sets."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

from labagent.errors import SkillError
from labagent.files import write_text
from labagent.skills.freeze import left_out
from labagent.skills.frontmatter import ROOT, parse_frontmatter
from labagent.skills.library import Entry

NOTE = """
## Where this skill runs outside its project

Before the first block: make an environment from `environment.yaml`, work in an empty folder, and set
`LABAGENT_SKILL` to this skill's folder, `LABAGENT_DATA` to the folder of the data and `LABAGENT_PROTOCOL`
to a JSON file (`{}` where nothing is given). Files carry over between blocks. What the statements rest on is
in `evidence.jsonl`.
"""


def export(entries: Sequence[Entry], destination: Path, *, replace: bool = False) -> list[Path]:
    """Copy skills into a folder, one folder each; verdicts and links stay behind.

    Args:
        entries: the skills; all must be readable and none refused.
        destination: made where it is missing.
        replace: take the place of folders of the same name that hold a skill.

    Returns:
        The folders written.

    Raises:
        SkillError: a skill is refused or unreadable, two have one name, or a folder is in the way.
    """
    names = [entry.name for entry in entries]
    if twice := next((name for name in names if names.count(name) > 1), ""):
        raise SkillError(f"{twice} is asked for twice; name one version, as in offline/{twice}")
    if not all(place.is_dir() for place in (destination, *destination.parents) if place.exists()):
        raise SkillError(f"{destination}: a file is in the way; give a folder")
    for entry in entries:
        _check(entry, destination / entry.name, replace)
    return [_write(entry, destination / entry.name) for entry in entries]


def _check(entry: Entry, target: Path, replace: bool) -> None:
    """What can be said before anything is written."""
    if entry.skill is None:
        raise SkillError(f"{entry.name} cannot be read: {entry.fault}")
    if entry.verdict is not None and entry.status != "valid":
        raise SkillError(f"{entry.origin}/{entry.name} is {entry.status}: {entry.verdict.reason}")
    if target.exists() and not (replace and (target / ROOT).is_file()):
        hint = "use --replace" if (target / ROOT).is_file() else "it holds no skill; choose another folder"
        raise SkillError(f"{target} exists; {hint}")


def _write(entry: Entry, target: Path) -> Path:
    """One skill, put in place whole."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=".export-") as scratch:
        fresh = Path(scratch) / entry.name
        shutil.copytree(entry.folder, fresh, ignore=left_out, symlinks=True)
        text = (fresh / ROOT).read_text(encoding="utf-8-sig").rstrip("\n") + "\n" + NOTE
        parse_frontmatter(text, entry.name)
        write_text(fresh / ROOT, text)
        if target.exists():
            target.rename(Path(scratch) / "old")
        fresh.rename(target)
    return target
