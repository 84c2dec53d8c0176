"""Freezing: what was validated is what later runs read."""

from __future__ import annotations

import shutil
from pathlib import Path

from labagent.files import fresh_folder
from labagent.models.config import EnvironmentSettings, SandboxSettings
from labagent.models.skill import Verdict
from labagent.models.snapshot import Snapshot
from labagent.skills.finding import Scan
from labagent.skills.read import VERDICT, skill_sha256
from labagent.skills.validate import validate_skill


def freeze_skill(folder: Path, destination: Path, verdict: Verdict) -> None:
    """Copy a skill to ``destination`` and write its verdict there, last.

    A refused skill is kept, too: its verdict speaks of lines that can be looked up. Links are left out, so
    that nothing outside the skill is copied.

    Args:
        folder: the skill that was validated.
        destination: ``results/skills/<origin>/<skill>``; what stood there is replaced.
        verdict: of exactly this content.

    Raises:
        ValueError: the skill changed since it was validated.
    """
    fresh_folder(destination)
    shutil.copytree(folder, destination, dirs_exist_ok=True, ignore=left_out, symlinks=True)
    if skill_sha256(destination) != verdict.skill_sha256:
        raise ValueError(f"{folder} changed while it was validated; validate it again")
    verdict.write(destination / VERDICT)


def validate_and_freeze(
    source: Path | None,
    destination: Path,
    *,
    skill: str,
    origin: str,
    snapshot: Snapshot | None,
    artifacts: Path | None,
    environment: EnvironmentSettings,
    sandbox: SandboxSettings,
    root: Path,
    log: Path,
    reason: str = "",
    scan: Scan | None = None,
) -> Verdict:
    """Validate a skill, freeze it with its verdict, and return that.

    The copy is validated, not the source, so that what is frozen is what was looked at.

    Args:
        source: the skill's folder; ``None`` where explore left none.
        destination: ``results/skills/<origin>/<skill>``.
        skill: the skill's name.
        origin: ``curated`` or an explorer's name.
        reason: why there is no source.

    The other arguments are those of :func:`labagent.skills.validate.validate_skill`.

    Raises:
        InfrastructureError: the machinery failed; no verdict is written.
    """
    fresh_folder(destination)
    if source is None or not source.is_dir():
        why = reason or (f"{source} does not exist" if source else "explore left no draft")
        verdict = Verdict(skill=skill, origin=origin, status="missing", reason=why)
    else:
        shutil.copytree(source, destination, dirs_exist_ok=True, ignore=left_out, symlinks=True)
        verdict = validate_skill(
            destination,
            origin=origin,
            snapshot=snapshot,
            artifacts=artifacts,
            environment=environment,
            sandbox=sandbox,
            root=root,
            log=log,
            scan=scan,
        )
    verdict.write(destination / VERDICT)
    return verdict


def left_out(folder: str, names: list[str]) -> list[str]:
    """Names that are not copied: verdicts, compiled leftovers, links."""
    return [n for n in names if n in {VERDICT, "__pycache__"} or (Path(folder) / n).is_symlink()]
