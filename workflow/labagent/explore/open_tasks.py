"""Exploring open tasks: no method is named, the sources are the task texts, their data and a local corpus."""

from __future__ import annotations

import shutil
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from labagent.errors import InputError, InputFault
from labagent.explore.agent.agent import ExploreAgent
from labagent.explore.agent.brief import Subject
from labagent.explore.briefing import briefing
from labagent.explore.trial import Trial
from labagent.files import fresh_folder, list_files, sha256_file, sha256_json, write_text
from labagent.memory import Memory
from labagent.models.config import Explorer, ModelSettings
from labagent.models.skill import DraftRecord
from labagent.models.snapshot import Snapshot
from labagent.models.sources import ArtifactManifest, StagedFile
from labagent.skills.frontmatter import NAME

PAPERS = frozenset({".txt", ".md"})
MAX_DATA = 2 << 20  # bytes of a data file that is brought along, for quick starts and for its header


@dataclass(frozen=True)
class OpenTask:
    """A task: its text, and the folder of its staged data, where it was staged."""

    text: str
    data: Path | None = None


def explore_open(
    name: str,
    tasks: Mapping[str, OpenTask],
    *,
    explorer: str,
    settings: Explorer,
    model: ModelSettings,
    destination: Path,
    corpus: Sequence[Path] = (),
    trial: Trial | None = None,
    memory: Memory | None = None,
) -> DraftRecord:
    """Draft the skills that answer open tasks: one for each kind of analysis, with loci in common.

    Args:
        name: what the exploration is called.
        tasks: the tasks by target; their texts hold no reference values.
        explorer: the explorer's name.
        settings: the explorer's settings.
        model: the model that explores.
        destination: receives ``sources/`` (what evidence cites), ``skill/<analysis>/`` for each skill,
            ``exploration.json`` and, last, ``draft.json``.
        corpus: text files (papers, a form feed between pages) or folders of them, searched and cited.
        trial: how drafts are tried.
        memory: takes in what repairs teach.

    Raises:
        InputError: no task, or a path of the corpus that is not there.
        InfrastructureError: the model's service failed; the next call goes on from what was paid for.
    """
    from labagent.llm.service import context_tokens

    if not tasks:
        raise InputError([InputFault("tasks", "at least one target is needed")])
    if not NAME.fullmatch(name):
        raise InputError([InputFault("name", f'"{name}" must be lowercase letters, digits, single hyphens')])
    started = time.monotonic()
    sources = destination / "sources"
    manifest = stage_tasks(sources, name, tasks, corpus)
    empty = Snapshot(skill=name, language="none")
    known = briefing(sources, empty, manifest.origin, context_tokens(model))
    texts = {target: task.text for target, task in tasks.items()}
    key = sha256_json([manifest.content_sha256, model.model, settings.model_dump(mode="json")])[:24]
    made = ExploreAgent(
        subject=Subject(name, empty, known, texts, open=True),
        explorer=explorer,
        settings=settings,
        model=model,
        artifacts=sources,
        folder=destination,
        draft=destination / "skill" / name,
        installed=False,
        trial=trial,
        memory=memory,
        key=key,
        content=manifest.content_sha256,
    ).explore()
    record = DraftRecord(
        skill=name,
        explorer=explorer,
        status="refused" if made.reason else "drafted",
        reason=made.reason,
        struck=made.struck,
        cost_usd=made.cost_usd,
        seconds=round(time.monotonic() - started, 3),
        key=key,
    )
    record.write(destination / "draft.json")
    return record


def stage_tasks(
    folder: Path, name: str, tasks: Mapping[str, OpenTask], corpus: Sequence[Path]
) -> ArtifactManifest:
    """Lay out tasks and corpus as a lab's sources are, so that they are searched and cited like them.

    Raises:
        InputError: a path of the corpus is not there.
    """
    fresh_folder(folder)
    (folder / "repository").mkdir()
    for target, task in sorted(tasks.items()):
        write_text(folder / "repository" / "tasks" / f"{target}.md", task.text)
        for path in list_files(task.data) if task.data else ():
            if path.stat().st_size <= MAX_DATA and task.data:
                _copy(path, folder / "repository" / "data" / target / path.relative_to(task.data))
    for place in corpus:
        if not place.exists():
            raise InputError([InputFault(str(place), "there is no such file or folder")])
        for path in [place] if place.is_file() else list_files(place):
            if path.suffix.lower() in PAPERS:
                inside = path.name if place.is_file() else path.relative_to(place).as_posix()
                _copy(path, folder / "papers" / inside)
    staged = {kind: _staged(folder / kind) for kind in ("repository", "papers")}
    content = sha256_json([[f.model_dump() for f in files] for files in staged.values()])
    manifest = ArtifactManifest(
        skill=name, origin=f"tree:{content[:16]}", commit="", licence="", content_sha256=content, **staged
    )
    manifest.write(folder / "manifest.json")
    return manifest


def _copy(source: Path, target: Path) -> None:
    """Copy a regular file."""
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)


def _staged(folder: Path) -> tuple[StagedFile, ...]:
    """The files of a folder as a manifest lists them."""
    return tuple(
        StagedFile(path=p.relative_to(folder).as_posix(), sha256=sha256_file(p), size=p.stat().st_size)
        for p in (list_files(folder) if folder.is_dir() else ())
    )
