"""Secrets in files that commands wrote: outputs of commands, and what stays in a run's folder."""

from __future__ import annotations

from pathlib import Path

from labagent.files import list_files
from labagent.redaction import redact

PIECE = 4 << 20


def redact_folder(folder: Path) -> None:
    """Redact all regular text files below a folder; links are not followed."""
    for path in list_files(folder):
        redact_file(path)


def redact_file(path: Path) -> None:
    """Redact a file in place, in pieces that end with a line; a file without a secret is not touched."""
    if path.is_symlink() or not path.is_file() or not _holds_secret(path):
        return
    fresh = path.with_name(f".{path.name}.redacted")
    with path.open("rb") as source, fresh.open("wb") as target:
        while piece := source.read(PIECE) + source.readline():
            target.write(_clean(piece))
    fresh.chmod(path.stat().st_mode)
    fresh.replace(path)


def _holds_secret(path: Path) -> bool:
    """Whether redaction would change anything."""
    with path.open("rb") as source:
        while piece := source.read(PIECE) + source.readline():
            if _clean(piece) != piece:
                return True
    return False


def _clean(piece: bytes) -> bytes:
    """A piece of text without secrets; bytes that are no text stay as they are."""
    text = piece.decode("utf-8", errors="surrogateescape")
    clean = redact(text)
    return piece if clean == text else clean.encode("utf-8", errors="surrogateescape")
