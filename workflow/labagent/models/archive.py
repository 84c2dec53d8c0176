"""What an archive of a run set says of itself."""

from __future__ import annotations

from labagent.models.base import FileRecord, Record


class ArchivedFile(Record):
    """A file of an archive."""

    sha256: str
    bytes: int


class ArchiveManifest(FileRecord):
    """``manifest.json`` of an archive: every other file with its hash.

    ``labagent`` and ``packages`` are the versions the archive was made with, ``results`` the folder of
    results below the workflow's. ``outside`` are sources of inputs that lie outside the workflow's folder
    and are not in the archive; ``newest`` is the time of the last event of any run, in seconds since the
    epoch.
    """

    labagent: str
    python: str
    packages: tuple[str, ...] = ()
    results: str = "results"
    entries: int = 0
    runs: int = 0
    newest: float = 0.0
    outside: tuple[str, ...] = ()
    files: dict[str, ArchivedFile] = {}
