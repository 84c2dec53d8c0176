"""The entry of explore: one lab, one explorer, one draft."""

from __future__ import annotations

import time
from pathlib import Path

from labagent.explore.data_files import Repository
from labagent.explore.model_drafter import Drafted, ModelDrafter
from labagent.explore.offline import Draft
from labagent.explore.source_copy import copy_source
from labagent.explore.usage import Usage, usages
from labagent.files import list_files
from labagent.llm import Model
from labagent.models.config import Explorer
from labagent.models.skill import DraftRecord
from labagent.models.snapshot import Snapshot
from labagent.models.sources import ArtifactManifest
from labagent.models.tables import Lab
from labagent.skills.read import skill_sha256

REASONS = 3


def explore(
    lab: Lab,
    *,
    artifacts: Path,
    snapshot: Snapshot,
    explorer: str,
    settings: Explorer,
    model: Model | None,
    destination: Path,
    key: str = "",
) -> DraftRecord:
    """Draft a skill from a lab's staged artifacts.

    Args:
        lab: the lab's row.
        artifacts: the staged folder, with ``manifest.json``.
        snapshot: the lab's API snapshot.
        explorer: the explorer's name.
        settings: the explorer's settings.
        model: the model that drafts; ``None`` for the offline drafter.
        destination: receives ``skill/<name>/`` and, last, ``draft.json``.
        key: what the draft depends on, kept in the record.

    Returns:
        The record written; ``refused`` with reasons where nothing runnable can be assembled.

    Raises:
        InfrastructureError: the model's service failed.
    """
    started = time.monotonic()
    folder = destination / "skill" / lab.skill
    if model is None:
        made = Drafted(draft_offline(lab.skill, artifacts, snapshot, explorer, folder))
    else:
        origin = ArtifactManifest.read(artifacts / "manifest.json").origin
        repairs = settings.max_repairs
        made = ModelDrafter(lab.skill, artifacts, snapshot, origin, model, repairs, folder).draft()
    record = DraftRecord(
        skill=lab.skill,
        explorer=explorer,
        status="refused" if made.reason else "drafted",
        reason=made.reason,
        skill_sha256=skill_sha256(folder) if not made.reason else "",
        struck=made.struck,
        cost_usd=made.cost_usd,
        seconds=round(time.monotonic() - started, 3),
        key=key,
    )
    record.write(destination / "draft.json")
    return record


def draft_offline(skill: str, artifacts: Path, snapshot: Snapshot, explorer: str, folder: Path) -> str:
    """Write the offline draft into ``folder``; the reason where there is none, else empty."""
    root = artifacts / "repository"
    paths = [p.relative_to(root).as_posix() for p in list_files(root)]
    found = usages(snapshot, Repository(root, paths))
    best = next((usage for usage in found if not usage.problems), None)
    if best is None:
        return _why_none(found, snapshot)
    origin = ArtifactManifest.read(artifacts / "manifest.json").origin
    draft = Draft(skill, explorer, origin, snapshot, best)
    draft.write(folder)
    return "" if draft.needs.installed else copy_source(root, snapshot, folder)


def _why_none(found: list[Usage], snapshot: Snapshot) -> str:
    """Why no example can be run."""
    if not found:
        count = sum(e.language == "python" for e in snapshot.examples)
        return f"none of {count} Python examples calls the lab's API ({len(snapshot.objects)} callables)"
    reasons = [f"{u.where}: {u.problems[0]}" for u in found[:REASONS]]
    return f"no example of {len(found)} can run on its own. " + "; ".join(reasons)
