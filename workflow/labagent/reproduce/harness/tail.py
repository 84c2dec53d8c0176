"""Reads lines of files that still grow, in bounded memory and time."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

MAX_LINE = 4 << 20
"""Bytes of a line; what is longer is no event and is passed over."""
AT_ONCE = 8 << 20
"""Bytes read at one look."""
MAX_OUTPUT = 64 << 20
"""Bytes of a transcript: what a tool prints beyond is a flood."""


class Tail:
    """A file of JSON lines, read from where the last look ended."""

    def __init__(self, path: Path) -> None:
        """Nothing was read yet; the file need not be there."""
        self._path = path
        self._read = 0
        self._rest = b""
        self._long = False
        self.unread = 0

    def size(self) -> int:
        """Bytes the file has now."""
        try:
            return self._path.stat().st_size
        except OSError:
            return 0

    def objects(self, *, to_end: bool = False) -> Iterator[dict[str, Any]]:
        """JSON objects of the lines that are whole by now; ``to_end`` takes the last one as it is, too."""
        while piece := self._piece():
            yield from self._take(piece)
            if not to_end:
                return
        if to_end and self._rest:
            yield from self._parsed(self._rest)
            self._rest = b""

    def _piece(self) -> bytes:
        """The next bytes; none beyond ``MAX_OUTPUT``, and none through a link."""
        try:
            if self._path.is_symlink():
                return b""
            with self._path.open("rb") as stream:
                stream.seek(self._read)
                piece = stream.read(max(min(AT_ONCE, MAX_OUTPUT - self._read), 0))
        except OSError:
            return b""
        self._read += len(piece)
        return piece

    def _take(self, piece: bytes) -> Iterator[dict[str, Any]]:
        """Whole lines of what is there; the rest waits for its end."""
        *lines, rest = (self._rest + piece).split(b"\n")
        for line in lines:
            if not self._long:
                yield from self._parsed(line)
            self._long = False
        if len(rest) > MAX_LINE:
            self._long, rest = True, b""
        self._rest = rest

    def _parsed(self, line: bytes) -> Iterator[dict[str, Any]]:
        """A line's JSON object; what is none is counted."""
        if self._long or not line.strip():
            return
        try:
            found = json.loads(line) if len(line) <= MAX_LINE else None
        except (ValueError, RecursionError):
            found = None
        if isinstance(found, dict):
            yield _writable(found) if b"\\ud" in line.lower() else found
        else:
            self.unread += 1


def _writable(value: Any) -> Any:
    """A JSON value whose texts can be written: halves of surrogate pairs as they were escaped."""
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode("utf-8")
    if isinstance(value, dict):
        return {_writable(key): _writable(item) for key, item in value.items()}
    return [_writable(item) for item in value] if isinstance(value, list) else value
