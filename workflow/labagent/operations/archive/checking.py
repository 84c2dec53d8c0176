"""Checks an archive: whole, every hash, nothing else in it, and its description."""

from __future__ import annotations

import gzip
import hashlib
import json
import tarfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from labagent.errors import InputError, InputFault
from labagent.files import CHUNK
from labagent.models.archive import ArchivedFile, ArchiveManifest
from labagent.models.base import first_fault
from labagent.operations.archive.crate import CRATE, faults_of
from labagent.operations.archive.packing import MANIFEST

KEPT = {CRATE, MANIFEST}
LARGEST_PAGE = 1 << 30


@dataclass(frozen=True)
class Checked:
    """An archive's manifest, and what is wrong with it."""

    manifest: ArchiveManifest
    faults: tuple[str, ...]


def verify(archive: Path) -> Checked:
    """Check an archive.

    Args:
        archive: as :func:`labagent.operations.archive.packing.pack` writes it.

    Raises:
        InputError: it cannot be read at all, or is no such archive.
    """
    found: dict[str, ArchivedFile] = {}
    pages: dict[str, bytes] = {}
    faults: list[str] = []
    with opened(archive) as tar:
        for member in members(archive, tar):
            if not is_safe(member):
                faults.append(f"{member.name}: is no plain file below the archive's root")
            elif member.name in found:
                faults.append(f"{member.name}: stands twice")
            else:
                stream = tar.extractfile(member)
                assert stream is not None
                digest, size = hashlib.sha256(), 0
                kept = member.name in KEPT and member.size < LARGEST_PAGE
                while chunk := _read(archive, stream):
                    digest.update(chunk)
                    size += len(chunk)
                    if kept:
                        pages[member.name] = pages.get(member.name, b"") + chunk
                found[member.name] = ArchivedFile(sha256=digest.hexdigest(), bytes=size)
    manifest = _manifest(archive, pages.get(MANIFEST))
    return Checked(manifest, (*faults, *_compare(manifest, found), *_crate(pages.get(CRATE), found)))


def opened(archive: Path) -> tarfile.TarFile:
    """The archive, open for reading.

    Raises:
        InputError: it cannot be read.
    """
    try:
        return tarfile.open(archive, "r:gz")
    except (OSError, tarfile.TarError, EOFError, zlib.error) as error:
        raise InputError([InputFault(str(archive), f"is no readable archive: {error}")]) from error


def members(archive: Path, tar: tarfile.TarFile) -> Iterator[tarfile.TarInfo]:
    """Its members.

    Raises:
        InputError: it breaks off, or is damaged.
    """
    try:
        yield from tar
    except (OSError, tarfile.TarError, EOFError, zlib.error) as error:
        raise InputError([InputFault(str(archive), f"is damaged or breaks off: {error}")]) from error


def is_safe(member: tarfile.TarInfo) -> bool:
    """Whether a member is a plain file that stays below the folder it is unpacked to."""
    path = PurePosixPath(member.name)
    return member.isreg() and not path.is_absolute() and ".." not in path.parts and "\\" not in member.name


def _read(archive: Path, stream: object) -> bytes:
    """The next part of a member."""
    try:
        return stream.read(CHUNK)  # type: ignore[attr-defined, no-any-return]
    except (OSError, EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise InputError([InputFault(str(archive), f"is damaged or breaks off: {error}")]) from error


def _manifest(archive: Path, content: bytes | None) -> ArchiveManifest:
    """The manifest."""
    if content is None:
        raise InputError(
            [InputFault(str(archive), f"has no {MANIFEST}: not made by labagent results archive")]
        )
    try:
        return ArchiveManifest.model_validate_json(content)
    except ValueError as error:
        raise InputError([InputFault(f"{archive}: {MANIFEST}", first_fault(error))]) from error


def _compare(manifest: ArchiveManifest, found: dict[str, ArchivedFile]) -> Iterator[str]:
    """Files that are missing, other than they were, or not in the manifest."""
    for name, wanted in sorted(manifest.files.items()):
        if name not in found:
            yield f"{name}: is missing"
        elif found[name] != wanted:
            yield f"{name}: is not what it was (sha256 {found[name].sha256[:12]}, was {wanted.sha256[:12]})"
    for name in sorted(found.keys() - manifest.files.keys() - KEPT):
        yield f"{name}: is not in {MANIFEST}"


def _crate(content: bytes | None, found: dict[str, ArchivedFile]) -> list[str]:
    """Faults of the description."""
    if content is None:
        return [f"{CRATE}: is missing"]
    try:
        return faults_of(json.loads(content), set(found))
    except ValueError as error:
        return [f"{CRATE}: is no JSON: {error}"]
