"""The entry of explore: one lab, one explorer, one draft."""

from __future__ import annotations

import time
from pathlib import Path

from labagent.explore.model_drafter import ModelDrafter
from labagent.explore.offline import OfflineDrafter
from labagent.explore.trial import Trial
from labagent.llm import Model
from labagent.models.config import Explorer
from labagent.models.skill import DraftRecord
from labagent.models.snapshot import Snapshot
from labagent.models.sources import ArtifactManifest
from labagent.models.tables import Lab
from labagent.skills.read import skill_sha256


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
    trial: Trial | None = None,
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
        trial: how drafts are tried before one is kept; ``None`` keeps the first, untried.

    Returns:
        The record written; ``refused`` with reasons where nothing runnable can be assembled.

    Raises:
        InfrastructureError: the model's service failed.
    """
    started = time.monotonic()
    folder = destination / "skill" / lab.skill
    if model is None:
        made = OfflineDrafter(lab.skill, explorer, artifacts, snapshot, folder, trial).draft()
    else:
        origin = ArtifactManifest.read(artifacts / "manifest.json").origin
        repairs = settings.max_repairs
        made = ModelDrafter(lab.skill, artifacts, snapshot, origin, model, repairs, folder, trial).draft()
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
