"""Files as bytes, plain or gzipped, with the place of a fault in them."""

from __future__ import annotations

import gzip
import hashlib
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from labagent.errors import InputError, InputFault

CHUNK = 1 << 20
GZIP = b"\x1f\x8b"
BOM = b"\xef\xbb\xbf"


def fault(path: Path, line: int | None, message: str, entry: str = "") -> InputError:
    """An error that names file, line (from 1) and entry."""
    about = f"entry {entry}: " if entry else ""
    return InputError([InputFault(str(path), about + message, row=line)])


class Source:
    """A file that is read once, from the start; ``read`` gives what it holds, unpacked.

    ``taken`` counts bytes of the file itself and ``digest`` is their SHA-256, once all are read.
    """

    def __init__(self, path: Path, stream: BinaryIO) -> None:
        self.path, self.taken = path, 0
        self._raw, self._hash = stream, hashlib.sha256()
        head = stream.read(2)
        stream.seek(0)
        self._unpacked = (
            cast(BinaryIO, gzip.GzipFile(fileobj=cast(BinaryIO, _Counted(self)))) if head == GZIP else None
        )

    def read(self, size: int = CHUNK) -> bytes:
        """At most ``size`` unpacked bytes; none at the end. A damaged archive is an ``InputError``."""
        if self._unpacked is None:
            return self.take(size)
        try:
            return self._unpacked.read(size)
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            raise fault(self.path, None, f"the gzip archive is damaged or incomplete: {error}") from error

    def take(self, size: int) -> bytes:
        """Bytes of the file as they are."""
        found = self._raw.read(size)
        self.taken += len(found)
        self._hash.update(found)
        return found

    @property
    def digest(self) -> str:
        """SHA-256 of the bytes read so far."""
        return self._hash.hexdigest()


class _Counted:
    """The bytes of a source, for ``gzip``."""

    def __init__(self, source: Source) -> None:
        self.read: Callable[[int], bytes] = source.take


@contextmanager
def opened(path: Path) -> Iterator[Source]:
    """A file for reading; one that is not there, empty or a folder is an ``InputError``."""
    try:
        if not path.stat().st_size:
            raise fault(path, None, "the file is empty")
        with path.open("rb") as stream:
            yield Source(path, stream)
    except OSError as error:
        raise fault(path, None, f"cannot be read: {error.strerror or error}") from error


def text_of(raw: bytes, path: Path, line: int, entry: str = "") -> str:
    """UTF-8 as text; ``line`` is the first line's number. What is no UTF-8 is an ``InputError``."""
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        at = line + raw.count(b"\n", 0, error.start)
        byte = f"byte 0x{raw[error.start]:02x}"
        raise fault(path, at, f"{byte} is no UTF-8; convert the file to UTF-8", entry) from error
