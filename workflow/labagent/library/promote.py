"""The only way into ``skills/``: a frozen skill that passed all tiers, as it was validated."""

from __future__ import annotations

import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

from labagent.errors import SkillError
from labagent.library.index import write_index
from labagent.library.published import published_values
from labagent.models.skill import Check, Verdict
from labagent.skills.finding import Scan
from labagent.skills.freeze import left_out
from labagent.skills.library import Entry, library
from labagent.skills.read import skill_sha256
from labagent.skills.validate import validate_skill


@dataclass(frozen=True)
class Promoted:
    """What was done: the folder, the version's hash, and whether another one stood there."""

    folder: Path
    sha256: str
    replaced: bool


def promote(
    root: Path, name: str, *, origin: str = "", results: str = "results", replace: bool = False
) -> Promoted:
    """Copy a frozen skill into ``skills/`` and renew the index.

    Args:
        root: the project's folder.
        name: the skill's name.
        origin: whose version (``curated`` or an explorer); needed where several passed.
        results: the folder of results, relative to ``root``.
        replace: take the place of another version that is in the library.

    Raises:
        SkillError: there is no such version, it was not validated in all tiers as it is now, it holds or
            cites a published value of a target, or another version is in the way.
        InputError: the project's tables have faults.
    """
    entry = _frozen(root, name, origin, results)
    verdict = _checked(entry)
    _look_again(entry, root, root / results / "artifacts" / name, published_values(root))
    destination = root / "skills" / name
    there = skill_sha256(destination) if destination.is_dir() else ""
    if there and there != verdict.skill_sha256 and not replace:
        shown = f"labagent skills diff {name} {entry.origin}/{name}"
        raise SkillError(
            f"skills/{name} is another version ({there[:12]}); look at {shown}, then use --replace"
        )
    if there != verdict.skill_sha256:
        _put(entry.folder, destination, verdict.skill_sha256)
    write_index(root, results=results)
    return Promoted(destination, verdict.skill_sha256, bool(there))


def _frozen(root: Path, name: str, origin: str, results: str) -> Entry:
    """The one frozen version that is meant."""
    entries = [e for e in library(root, results) if e.origin != "library" and e.name == name]
    named = [e for e in entries if origin in ("", e.origin)]
    if not named:
        known = ", ".join(f"{e.origin}/{e.name}" for e in entries) or "none"
        raise SkillError(
            f'there is no frozen skill "{name}"{f" of {origin}" if origin else ""}; there are: {known}'
        )
    valid = [e for e in named if e.status == "valid"]
    if len(valid) > 1:
        raise SkillError(f"{name} is valid from {', '.join(e.origin for e in valid)}; name one with --origin")
    return (valid or named)[0]


def _checked(entry: Entry) -> Verdict:
    """The verdict of exactly this content, of three tiers."""
    shown = f"{entry.origin}/{entry.name}"
    if entry.verdict is None or entry.skill is None:
        raise SkillError(f"{shown} {entry.fault or 'was not validated'}; let the workflow validate it")
    if entry.status != "valid":
        raise SkillError(f"{shown} is {entry.status}: {entry.verdict.reason or 'its content is another'}")
    missing = [f"{tier.tier}" for tier in entry.verdict.tiers if tier.status != "passed"]
    if len(entry.verdict.tiers) != 3 or missing:
        raise SkillError(f"{shown} was not validated in tier {', '.join(missing) or '1 to 3'}")
    return entry.verdict


def _look_again(entry: Entry, root: Path, artifacts: Path, scan: Scan) -> None:
    """Tier 1 as it is now: the rules, the evidence in what is staged, and the references of all targets."""
    staged = artifacts if (artifacts / "repository").is_dir() else None
    cited = [item for item in entry.skill.evidence if item.source.kind != "url"] if entry.skill else []
    if staged is None and cited:
        raise SkillError(
            f"{artifacts} is not there: the evidence of {entry.name} cannot be looked up; stage the lab"
        )
    with tempfile.TemporaryDirectory(prefix="labagent-promote-") as scratch:
        log = Path(scratch) / "log"
        verdict = validate_skill(
            entry.folder,
            origin=entry.origin,
            snapshot=None,
            artifacts=staged,
            root=root,
            log=log,
            tier=1,
            scan=scan,
        )
    failed = [check for tier in verdict.tiers for check in tier.checks if check.status == "failed"]
    if failed:
        raise SkillError(f"{entry.origin}/{entry.name} is not admitted\n" + "\n".join(map(_line, failed)))


def _line(check: Check) -> str:
    """A failed check in a line."""
    place = f"{check.file}{f', line {check.line}' if check.line else ''}: " if check.file else ""
    return f"  - {check.id}: {place}{check.message}"


def _put(source: Path, destination: Path, sha256: str) -> None:
    """Copy beside the place, look at the copy, and put it there by rename."""
    destination.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=destination.parent, prefix=".promote-") as scratch:
        fresh = Path(scratch) / destination.name
        shutil.copytree(source, fresh, ignore=left_out, symlinks=True)
        if skill_sha256(fresh) != sha256:
            raise SkillError(f"{source} changed since it was validated; validate it again")
        if destination.exists():
            destination.rename(Path(scratch) / "old")
        fresh.rename(destination)
