"""What the item columns of the tables can say: a path, a glob, a URL, each with an optional hash."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from labagent.errors import SourceError
from labagent.files import sha256_file, sha256_tree
from labagent.models.tables import DATA_OPTIONS

REMOTE = re.compile(r"^https?://")
HEX = re.compile(r"[0-9a-f]{64}")
MAGIC = re.compile(r"[*?\[]")


@dataclass(frozen=True)
class Item:
    """An item as written: its place, the hash it must have (or empty), the columns to leave out."""

    text: str
    place: str
    sha256: str
    drop: tuple[str, ...] = ()

    @property
    def is_remote(self) -> bool:
        """Whether the place is a URL."""
        return REMOTE.match(self.place) is not None


def parse_item(text: str) -> Item:
    """Split ``PLACE#drop=COLUMN,…#sha256=HEX``; both options may be left out.

    Raises:
        SourceError: the pin is not 64 hexadecimal digits, or no column is named.
    """
    options = DATA_OPTIONS.search(text)
    if options is None or not options[0]:
        return Item(text, text, "")
    pin = (options["sha256"] or "").lower()
    if options["sha256"] is not None and not HEX.fullmatch(pin):
        raise SourceError(f'"{text}": sha256 must be 64 hexadecimal digits, found {len(pin)} characters')
    drop = tuple(part.strip() for part in (options["drop"] or "").split(",") if part.strip())
    if options["drop"] is not None and not drop:
        raise SourceError(f'"{text}": drop= must name at least one column')
    return Item(text, text[: options.start()], pin, drop)


def find(root: Path, place: str, label: str, *, confined: bool) -> list[Path]:
    """The files and folders that ``place`` names below ``root``, sorted.

    Args:
        root: the folder ``place`` is relative to.
        place: a relative path or a glob (``**`` crosses folders); absolute only if not ``confined``.
        label: the item as written, for messages.
        confined: refuse whatever leads out of ``root``.

    Raises:
        SourceError: nothing is there, or it leads out of ``root``.
    """
    path = Path(place).expanduser() if not confined else Path(place)
    if confined and (path.is_absolute() or ".." in path.parts):
        raise SourceError(f'"{label}": must be a path inside the repository')
    anchor = Path(path.anchor) if path.is_absolute() else root
    relative = path.relative_to(path.anchor) if path.is_absolute() else path
    if MAGIC.search(place) and not (anchor / relative).exists():
        found = sorted(anchor.glob(str(relative)))
    else:
        found = [anchor / relative] if (anchor / relative).exists() else []
    if not found:
        raise SourceError(f'"{label}": {anchor / relative} does not exist')
    if confined and not all(p.resolve().is_relative_to(root.resolve()) for p in found):
        raise SourceError(f'"{label}": leads out of the repository')
    return found


def check_pin(item: Item, found: list[Path]) -> None:
    """Compare the pin, if there is one, with the content.

    Raises:
        SourceError: another hash, or a pin on a glob that matches several files.
    """
    if not item.sha256:
        return
    if len(found) != 1:
        raise SourceError(f'"{item.text}": a sha256 needs exactly one file or folder, {len(found)} match')
    actual = sha256_tree(found[0]) if found[0].is_dir() else sha256_file(found[0])
    if actual != item.sha256:
        raise SourceError(f'"{item.place}": sha256 is {actual}, expected {item.sha256}')
