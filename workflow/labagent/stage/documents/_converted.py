"""What a converter gives back."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from labagent.errors import SourceError


@dataclass(frozen=True)
class Converted:
    """Text to be staged, the suffix of its file, and what the user should know."""

    text: str
    suffix: str
    warnings: tuple[str, ...] = ()


def read_text(path: Path) -> str:
    """UTF-8 text with or without a byte-order mark, else Latin-1; line ends become ``\\n``.

    Raises:
        SourceError: the file is binary.
    """
    data = path.read_bytes()
    if b"\0" in data:
        raise SourceError(f"{path.name}: is a binary file, not text")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def unsupported(path: Path, allowed: tuple[str, ...]) -> SourceError:
    """The error for a kind of file that cannot be converted."""
    return SourceError(f'{path.name}: "{path.suffix}" files are not supported here; use {", ".join(allowed)}')
