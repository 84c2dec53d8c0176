"""What was found in single files, kept under their content so that a changed repository is read only in part.

A value depends on nothing but the file's path, its bytes and the code that read it; therefore a snapshot made
with values that were kept is the same as one made without.
"""

from __future__ import annotations

import hashlib
import marshal
import os
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from importlib.metadata import version
from pathlib import Path, PurePosixPath
from typing import Any

from labagent.snapshot.walk import Tree

MARK = b"labagent-snapshot-1\n"


class Kept:
    """Values by file and content.

    Args:
        path: the file they are kept in; ``None`` keeps nothing. A damaged or outdated file counts as none.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = path
        self.known: dict[str, Any] = _read(path) if path else {}
        self.used: dict[str, Any] = {}
        self.computed = 0

    def of(self, tree: Tree, file: PurePosixPath, kind: str, compute: Callable[[], Any]) -> Any:
        """The value of one kind for a file: the one kept, else computed now.

        Args:
            tree: the repository.
            file: a file in it.
            kind: what the value is, with all it depends on but the file.
            compute: gives a value made of built-in types.
        """
        if self.path is None:
            return compute()
        key = f"{tree.sha256(file)} {kind} {file}"
        if key in self.known:
            value = self.known[key]
        else:
            value = compute()
            self.computed += 1
        self.used[key] = value
        return value

    def write(self) -> None:
        """Keep what was used this time, and nothing older."""
        if self.path is None or (not self.computed and len(self.used) == len(self.known)):
            return
        body = marshal.dumps(self.used)
        head = MARK + _reader().encode() + b"\n" + hashlib.sha256(body).hexdigest().encode() + b"\n"
        with suppress(OSError):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=self.path.parent, prefix=f".{self.path.name}.")
            try:
                with os.fdopen(handle, "wb") as stream:
                    stream.write(head + body)
                Path(name).replace(self.path)
            except BaseException:
                Path(name).unlink(missing_ok=True)
                raise


def _read(path: Path) -> dict[str, Any]:
    """Values written by the same code; none where the file is not whole."""
    try:
        mark, reader, digest, body = path.read_bytes().split(b"\n", 3)
    except (OSError, ValueError):
        return {}
    whole = mark + b"\n" == MARK and hashlib.sha256(body).hexdigest().encode() == digest
    if not whole or reader != _reader().encode():
        return {}
    try:
        found = marshal.loads(body)
    except (EOFError, ValueError, TypeError):
        return {}
    return found if isinstance(found, dict) else {}


@cache
def _reader() -> str:
    """Hash of the code that reads files: this subpackage, the parser, the interpreter."""
    digest = hashlib.sha256(f"{sys.version} griffe {version('griffe')}".encode())
    for source in sorted(Path(__file__).parent.rglob("*.py")):
        digest.update(source.read_bytes())
    return digest.hexdigest()
