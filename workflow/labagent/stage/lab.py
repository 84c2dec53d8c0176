"""Staging a lab: its repository without history and sealed files, papers, tutorials, issue threads."""

from __future__ import annotations

import re
from pathlib import Path

from labagent.models.sources import ArtifactManifest
from labagent.models.tables import Lab
from labagent.stage.documents import KINDS, Collector
from labagent.stage.folder import MANIFEST, built_beside, content_hash, staged_files
from labagent.stage.licence import detect_licence
from labagent.stage.repositories import Fetched, Request, fetch
from labagent.stage.sealing import NOTEBOOK_OUTPUTS, seal, seal_tutorials
from labagent.stage.trees import drop_history, settle_links

TAGS = "git-tags.txt"
SCHEME = re.compile(r"^[\w.+-]+(@[\w.-]+)?:")


def stage_lab(lab: Lab, folder: Path, *, base: Path, cache: Path) -> ArtifactManifest:
    """Fill ``folder`` with a lab's artifacts and write its ``manifest.json``.

    Args:
        lab: the row of ``labs.tsv``.
        folder: replaced whole, at the end: ``repository/``, ``papers/``, ``tutorials/``, ``issues/``.
        base: what relative paths of the row are relative to.
        cache: keeps fetched repositories and archives; a second call works from it without network.

    Raises:
        SourceError: something is not to be had as the row asks; ``folder`` stays as it was.
        InfrastructureError: a server or the package index cannot be reached.
    """
    with built_beside(folder) as fresh:
        repository = fresh / "repository"
        repository.mkdir()
        fetched = _fetch(lab, repository, base, cache, (folder, folder.parent, fresh.parent, cache))
        drop_history(repository)
        sealed, warnings = seal(repository, lab.sealed)
        warnings += settle_links(repository)
        collector = Collector(base=base, repository=repository, cache=cache)
        for kind in KINDS:
            warnings += collector.collect(kind, getattr(lab, kind), fresh / kind)
        _write_tags(fresh / "tutorials" / TAGS, fetched.tags)
        if NOTEBOOK_OUTPUTS in lab.sealed and (cleaned := seal_tutorials(fresh / "tutorials")):
            sealed[NOTEBOOK_OUTPUTS] += cleaned
            warnings = [w for w in warnings if not w.startswith(f'sealed: "{NOTEBOOK_OUTPUTS}"')]
        manifest = _manifest(lab, fresh, fetched, sealed, warnings)
        manifest.write(fresh / MANIFEST)
    return manifest


def _write_tags(path: Path, tags: tuple[str, ...]) -> None:
    """Names of tags as a text that can be cited; an own document of that name stays."""
    if tags and not path.exists():
        path.write_text("".join(f"{tag}\n" for tag in tags), encoding="utf-8", newline="\n")


def _fetch(lab: Lab, repository: Path, base: Path, cache: Path, own: tuple[Path, ...]) -> Fetched:
    """Bring the sources; a folder that contains folders of our ``own`` is copied without them."""
    path = None if SCHEME.match(lab.repository) else base / Path(lab.repository).expanduser()
    return fetch(Request(lab.repository, path, lab.commit, repository, cache, own))


def _manifest(
    lab: Lab, fresh: Path, fetched: Fetched, sealed: dict[str, int], warnings: list[str]
) -> ArtifactManifest:
    """The record of everything that now lies in ``fresh``."""
    parts = {name: staged_files(fresh / name) for name in ("repository", *KINDS)}
    return ArtifactManifest(
        skill=lab.skill,
        origin=fetched.origin,
        commit=fetched.commit,
        released=fetched.released,
        licence=detect_licence(fresh / "repository"),
        repository=parts["repository"],
        papers=parts["papers"],
        tutorials=parts["tutorials"],
        issues=parts["issues"],
        sealed=sealed,
        warnings=(*fetched.warnings, *warnings),
        content_sha256=content_hash(parts.items()),
    )
