"""Unpacking source archives without trusting their names or sizes."""

from __future__ import annotations

import shutil
import stat
import sys
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from labagent.errors import SourceError

# The first releases of Python 3.11 have no filters in tarfile.
if sys.version_info >= (3, 12):
    import tarfile
else:
    from backports import tarfile

MAX_BYTES = 8 << 30
MAX_FILES = 500_000


def unpack(archive: Path, folder: Path) -> None:
    """Unpack a tar (any compression) or zip archive into ``folder``.

    Raises:
        SourceError: not an archive, damaged, too large, or an entry that would land outside ``folder``.
    """
    try:
        if zipfile.is_zipfile(archive):
            _unpack_zip(archive, folder)
        elif tarfile.is_tarfile(archive):
            _unpack_tar(archive, folder)
        else:
            raise SourceError(f"{archive.name}: neither a tar nor a zip archive")
    except (tarfile.TarError, zipfile.BadZipFile, zlib.error, EOFError) as error:
        raise SourceError(f"{archive.name}: cannot be unpacked: {error}") from error


def _unpack_tar(archive: Path, folder: Path) -> None:
    """Extract with the ``data`` filter, which refuses what points outside."""
    with tarfile.open(archive) as tar:
        tar.extractall(folder, members=_counted(archive.name, tar), filter="data")


def _counted(name: str, tar: tarfile.TarFile) -> Iterator[tarfile.TarInfo]:
    """The files, folders and links of a tar, up to the size limits."""
    total = 0
    for number, member in enumerate(tar, start=1):
        total += member.size
        _check_size(name, total, number)
        if member.isreg() or member.isdir() or member.issym() or member.islnk():
            yield member


def _check_size(name: str, size: int, count: int) -> None:
    """Refuse archives that unpack to more than a source distribution can sensibly hold."""
    if size > MAX_BYTES or count > MAX_FILES:
        raise SourceError(f"{name}: unpacks to more than {MAX_BYTES >> 30} GiB or {MAX_FILES} files; refused")


def _unpack_zip(archive: Path, folder: Path) -> None:
    """Extract regular files and folders; links in zip archives are left out."""
    with zipfile.ZipFile(archive) as bundle:
        entries = bundle.infolist()
        _check_size(archive.name, sum(e.file_size for e in entries), len(entries))
        for entry in entries:
            path = PurePosixPath(entry.filename)
            if path.is_absolute() or ".." in path.parts or "\\" in entry.filename:
                raise SourceError(f'{archive.name}: the entry "{entry.filename}" would land outside')
            mode = entry.external_attr >> 16
            if entry.is_dir() or stat.S_ISLNK(mode):
                continue
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            with bundle.open(entry) as source, target.open("wb") as stream:
                shutil.copyfileobj(source, stream)
            target.chmod(0o755 if mode & stat.S_IXUSR else 0o644)
