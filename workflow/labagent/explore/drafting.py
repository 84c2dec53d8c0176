"""The entry of explore: one lab, one explorer, one draft."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path

from labagent.explore.agent.agent import ExploreAgent
from labagent.explore.agent.brief import Subject
from labagent.explore.briefing import briefing
from labagent.explore.offline import OfflineDrafter
from labagent.explore.requirements import ON_INDEX
from labagent.explore.spare import Spare
from labagent.explore.trial import Trial
from labagent.memory import Memory
from labagent.models.config import Explorer, ModelSettings
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
    model: ModelSettings | None,
    destination: Path,
    key: str = "",
    trial: Trial | None = None,
    tasks: Mapping[str, str] | None = None,
    memory: Memory | None = None,
) -> DraftRecord:
    """Draft a skill from a lab's staged artifacts.

    Args:
        lab: the lab's row.
        artifacts: the staged folder, with ``manifest.json``.
        snapshot: the lab's API snapshot.
        explorer: the explorer's name.
        settings: the explorer's settings.
        model: settings of the model that explores; ``None`` for the offline drafter.
        destination: receives ``skill/<name>/`` and, last, ``draft.json``; from a model also ``trace.jsonl``,
            ``calls/`` and ``exploration.json``.
        key: what the draft depends on, kept in the record.
        trial: how drafts are tried before one is kept; ``None`` keeps the first, untried.
        tasks: texts of the targets that name the skill, for a model.
        memory: takes in what repairs of drafts teach; ``None`` for none.

    Returns:
        The record written; ``refused`` with reasons where nothing runnable can be assembled.

    Raises:
        InfrastructureError: the model's service failed.
    """
    started = time.monotonic()
    folder = destination / "skill" / lab.skill
    if model is None:
        lessons = memory.state() if memory else ()
        spare = Spare(settings.wall_seconds, settings.example_seconds, started)
        made = OfflineDrafter(lab.skill, explorer, artifacts, snapshot, folder, trial, lessons, spare).draft()
    else:
        manifest = ArtifactManifest.read(artifacts / "manifest.json")
        made = ExploreAgent(
            subject=_subject(lab, artifacts, snapshot, manifest, model, tasks or {}),
            explorer=explorer,
            settings=settings,
            model=model,
            artifacts=artifacts,
            folder=destination,
            draft=folder,
            installed=ON_INDEX.match(manifest.origin) is not None,
            trial=trial,
            memory=memory,
            key=key,
            content=manifest.content_sha256,
        ).explore()
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


def _subject(
    lab: Lab,
    artifacts: Path,
    snapshot: Snapshot,
    manifest: ArtifactManifest,
    model: ModelSettings,
    tasks: Mapping[str, str],
) -> Subject:
    """What a model is told to explore."""
    from labagent.llm.service import context_tokens

    known = briefing(artifacts, snapshot, manifest.origin, context_tokens(model))
    return Subject(lab.skill, snapshot, known, dict(tasks))
