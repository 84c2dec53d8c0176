"""A staged folder is built beside its place and swapped in whole."""

from __future__ import annotations

import hashlib
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from labagent.files import list_files, sha256_file
from labagent.models.sources import StagedFile

MANIFEST = "manifest.json"


@contextmanager
def built_beside(folder: Path) -> Iterator[Path]:
    """Yield an empty folder that replaces ``folder`` when the block ends without an error.

    A process killed inside the block leaves ``folder`` as it was; leftovers of killed ones are removed.
    """
    parent = folder.parent
    parent.mkdir(parents=True, exist_ok=True)
    prefix = f".{folder.name}.staging-"
    for stale in parent.glob(f"{prefix}*"):
        shutil.rmtree(stale)
    scratch = Path(tempfile.mkdtemp(prefix=prefix, dir=parent))
    try:
        fresh = scratch / "new"
        fresh.mkdir()
        yield fresh
        if folder.exists() or folder.is_symlink():
            folder.rename(scratch / "old")
        fresh.rename(folder)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def staged_files(folder: Path) -> tuple[StagedFile, ...]:
    """The regular files below ``folder`` with hash and size in bytes; none where it does not exist."""
    if not folder.is_dir():
        return ()
    return tuple(
        StagedFile(
            path=path.relative_to(folder).as_posix(), sha256=sha256_file(path), size=path.stat().st_size
        )
        for path in list_files(folder)
    )


def content_hash(parts: Iterable[tuple[str, tuple[StagedFile, ...]]]) -> str:
    """Hash of ``(folder name, its files)`` pairs: ``files.sha256_tree`` of the folder they share."""
    lines = {
        (f"{name}/{file.path}" if name else file.path): file.sha256 for name, files in parts for file in files
    }
    digest = hashlib.sha256()
    for path in sorted(lines):
        digest.update(f"{path}\0{lines[path]}\n".encode())
    return digest.hexdigest()
