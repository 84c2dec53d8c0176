"""What ``stage`` leaves: manifests of a lab's artifacts and of a target's data."""

from __future__ import annotations

from typing import Literal

from labagent.models.base import FileRecord, Record


class StagedFile(Record):
    """A file; ``path`` is relative to the folder of its kind (``repository/``, ``papers/``, ``files/``)."""

    path: str
    sha256: str
    size: int


class ArtifactManifest(FileRecord):
    """``results/artifacts/<skill>/manifest.json``; everything it lists lies beside it.

    ``origin`` is the pinned source of the repository (``pypi:NAME==VERSION sha256:…``, ``git URL@COMMIT``
    or ``tree:HASH`` for a plain folder), ``released`` the day of its commit or upload where known. ``sealed``
    counts the files taken out by glob, without naming their contents. ``content_sha256`` covers all files.
    """

    skill: str
    origin: str
    commit: str
    released: str = ""
    licence: str
    repository: tuple[StagedFile, ...]
    papers: tuple[StagedFile, ...] = ()
    tutorials: tuple[StagedFile, ...] = ()
    issues: tuple[StagedFile, ...] = ()
    sealed: dict[str, int] = {}
    warnings: tuple[str, ...] = ()
    content_sha256: str


class DataManifest(FileRecord):
    """``results/data/<target>/manifest.json``; the files lie in ``files/`` beside it."""

    target: str
    status: Literal["staged", "failed"]
    reason: str = ""
    files: tuple[StagedFile, ...] = ()
    content_sha256: str = ""
