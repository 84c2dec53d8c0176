"""Secrets in files that commands wrote: outputs of commands, and what stays in a run's folder.

Contents, names of files and folders, and what links point to.
"""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from labagent.redaction import find_secrets, longest_secret, redact

PIECE = 1 << 20
"""Bytes read at once."""
OVERLAP = 1 << 16
"""Bytes that are looked at again with the next piece, at least: more than the longest known kind of key."""
NAMELESS = "[redacted]"
"""What stands for a secret in a name."""
COPIED = 256 << 20
"""Bytes on disk up to which a file is made anew without its secrets; in a larger one they become ``*``."""


def redact_folder(folder: Path) -> None:
    """Redact all regular files below a folder, their names and those of folders; links are not followed."""
    for place, folders, names in os.walk(folder):
        for name in folders:
            inner = Path(place) / name
            if not inner.is_symlink() and not os.access(inner, os.R_OK | os.X_OK):
                inner.chmod(0o700)
        for name in sorted(names):
            redact_file(Path(place) / name)
    _redact_names(folder)


def _redact_names(folder: Path) -> None:
    """Rename what holds a secret in its name, or the part of one that a path spells; deepest first."""
    found: dict[str, list[tuple[int, int]]] = {}
    for place, folders, names in os.walk(folder):
        for name in [*folders, *names]:
            path = Path(place) / name
            if path.is_symlink():
                _redact_link(path)
            shown = path.relative_to(folder).as_posix()
            for start, end in find_secrets(shown):
                for first, last in _names_between(shown, start, end):
                    found.setdefault(shown[:last], []).append((max(start, first), min(end, last)))
    for shown in sorted(found, key=lambda path: -path.count("/")):
        path = folder / shown
        path.rename(_free(path.with_name(_clean_name(shown, found[shown]))))


def _names_between(shown: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Start and end of each name of a path of which a part stands between two places."""
    first = 0
    for name in shown.split("/"):
        last = first + len(name)
        if first < end and start < last:
            yield first, last
        first = last + 1


def _clean_name(shown: str, secrets: list[tuple[int, int]]) -> str:
    """The last name of a path without the secrets in it."""
    done = shown.rfind("/") + 1
    name = ""
    for start, end in sorted(set(secrets)):
        if end > done:
            name += shown[done : max(start, done)] + NAMELESS
            done = end
    return name + shown[done:]


def _redact_link(path: Path) -> None:
    """A link whose target spells a secret points nowhere instead."""
    target = str(path.readlink())
    clean = redact(target)
    if clean != target:
        path.unlink()
        path.symlink_to(clean.replace("/", "_"))


def _free(path: Path) -> Path:
    """``path``, or the first of its numbered names that nothing has."""
    found, number = path, 2
    while os.path.lexists(found):
        found, number = path.with_name(f"{path.stem}-{number}{path.suffix}"), number + 1
    return found


def redact_file(path: Path) -> None:
    """Redact a file in bounded memory; a file without a secret is not touched, holes stay holes.

    Up to ``COPIED`` bytes on disk a file is written anew and put in place by rename. In a larger one the
    secrets are overwritten where they stand, unless it has another name, which would change with it.
    """
    if path.is_symlink() or not path.is_file():
        return
    if not os.access(path, os.R_OK):
        path.chmod(0o600)
    if not _holds_secret(path):
        return
    facts = path.stat()
    if facts.st_blocks * 512 > COPIED and facts.st_nlink == 1:
        with path.open("r+b") as stream:
            _overwrite(stream)
        return
    fresh = path.with_name(f".{path.name}.redacted")
    with path.open("rb") as source, fresh.open("wb") as target:
        _copy(source, target)
    fresh.chmod(facts.st_mode)
    fresh.replace(path)


def _holds_secret(path: Path) -> bool:
    """Whether redaction would change anything."""
    with path.open("rb") as source:
        for start, end in _extents(source):
            carried = b""
            for _, fresh in _pieces(source, start, end):
                piece = carried + fresh
                if _clean(piece) != piece:
                    return True
                carried = piece[-_overlap() :]
    return False


def _copy(source: BinaryIO, target: BinaryIO) -> None:
    """Write a file anew, without its secrets."""
    done = 0
    for start, end in _extents(source):
        target.seek(start - done, os.SEEK_CUR)
        for _, rest, piece in _whole(source, start, end):
            target.write(_clean(piece[rest:]))
        done = end
    target.seek(os.fstat(source.fileno()).st_size - done, os.SEEK_CUR)
    target.truncate()


def _overwrite(stream: BinaryIO) -> None:
    """Make each secret of a file as many ``*``."""
    for start, end in _extents(stream):
        for place, rest, piece in _whole(stream, start, end):
            os.pwrite(stream.fileno(), b"*" * rest, place)
            text = _text(piece)
            for first, last in find_secrets(text):
                offset = place + len(_bytes(text[:first]))
                os.pwrite(stream.fileno(), b"*" * len(_bytes(text[first:last])), offset)


def _extents(source: BinaryIO) -> Iterator[tuple[int, int]]:
    """Start and end of what a file holds between its holes, which are zeros and no secret."""
    size = os.fstat(source.fileno()).st_size
    end = 0
    while end < size:
        try:
            start = os.lseek(source.fileno(), end, os.SEEK_DATA)
            end = min(size, os.lseek(source.fileno(), start, os.SEEK_HOLE))
        except (AttributeError, OSError) as error:
            if getattr(error, "errno", None) == errno.ENXIO:
                return
            start, end = end, size
        yield start, end


def _pieces(source: BinaryIO, start: int, end: int) -> Iterator[tuple[int, bytes]]:
    """What stands from ``start`` to ``end``, each piece with its place."""
    while start < end and (piece := os.pread(source.fileno(), min(PIECE, end - start), start)):
        yield start, piece
        start += len(piece)


def _whole(source: BinaryIO, start: int, end: int) -> Iterator[tuple[int, int, bytes]]:
    """The same in pieces that end where no secret stands: place, bytes of a longer one's rest, piece.

    A secret longer than a piece is known by its beginning alone; what could go on with it is its rest.
    """
    carried = b""
    longer = False
    for place, fresh in _pieces(source, start, end):
        content = carried + fresh
        rest = _REST.match(content).end() if longer else 0  # type: ignore[union-attr]
        text = _text(content[rest:])
        longer = longer and rest == len(content)
        cut = len(text)
        if place + len(fresh) < end:
            cut = _cut(text)
            longer = longer or (cut > 0 and any(first < cut < last for first, last in find_secrets(text)))
        piece = content[: rest + len(_bytes(text[:cut]))]
        yield place - len(carried), rest, piece
        carried = content[len(piece) :]


_REST = re.compile(rb"(?:[A-Za-z0-9+/_=.~!@#%^&*-]++|\s++(?=[A-Za-z0-9+/=]{16}))*")
"""What a key goes on with: its characters, and for a private key further lines of them."""


def _cut(text: str) -> int:
    """A place well before the end of ``text`` that is inside no secret, unless one began with the text."""
    place = max(len(text) - _overlap(), 0)
    for start, end in find_secrets(text):
        if start < place < end:
            # A key of many lines is known line by line.
            return start or (text.rfind("\n", 0, place) + 1) or place
    return place


def _overlap() -> int:
    """Bytes to look at again, so that no secret is seen in halves alone."""
    return max(OVERLAP, 2 * longest_secret())


def _clean(piece: bytes) -> bytes:
    """A piece of text without secrets; bytes that are no text stay as they are."""
    text = _text(piece)
    clean = redact(text)
    return piece if clean == text else _bytes(clean)


def _text(piece: bytes) -> str:
    """Bytes as text, those that are none as surrogates."""
    return piece.decode("utf-8", errors="surrogateescape")


def _bytes(text: str) -> bytes:
    """The bytes that a text was."""
    return text.encode("utf-8", errors="surrogateescape")
