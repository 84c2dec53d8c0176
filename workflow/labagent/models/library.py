"""The index of the library of skills."""

from __future__ import annotations

from typing import Literal

from labagent.models.base import FileRecord, Record


class VerdictSummary(Record):
    """A verdict in short: status and seconds of each tier, and the hash of the environment it ran in."""

    status: Literal["valid", "refused", "missing"]
    tiers: dict[str, Literal["passed", "refused", "not_run"]] = {}
    seconds: dict[str, float] = {}
    lock_sha256: str = ""


class Provenance(Record):
    """Who made a skill (``curated`` or an explorer), and the pinned source of its lab."""

    origin: str = "curated"
    lab: str = ""
    source: str = ""
    commit: str = ""


class IndexEntry(Record):
    """A skill of the library. ``verdict`` is of exactly the content that ``sha256`` names, or ``None``."""

    name: str
    description: str
    licence: str = ""
    loci: tuple[str, ...]
    evidence: int
    sha256: str
    verdict: VerdictSummary | None = None
    provenance: Provenance = Provenance()


class LibraryIndex(FileRecord):
    """``skills/index.json``; skills by name."""

    skills: tuple[IndexEntry, ...] = ()
