"""What a watched quick start read and which functions of the lab it ran."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from labagent.models.snapshot import Snapshot
from labagent.skills.calls import lab_roots

LOADER = re.compile(
    r"(^|\.)(_*(load|fetch|get_data|example_data|read_data|make)\w*|datasets?|data|examples?)(\.|$)"
)
NOT_LAB = frozenset({"setup", "conftest", "tests", "test", "docs", "examples", "benchmarks"})
MAX_BYTES = 1 << 20


@dataclass(frozen=True)
class Seen:
    """Files that were read, and functions as (outermost function of the lab, the function itself)."""

    read: tuple[Path, ...]
    called: tuple[tuple[str, str], ...]

    @property
    def methods(self) -> list[str]:
        """Functions of the lab that ran outside of loading data, the outermost ones once each."""
        names = [outermost for outermost, _ in self.called if not LOADER.search(outermost)]
        return list(dict.fromkeys(names))


def watched_roots(snapshot: Snapshot | None) -> tuple[str, ...]:
    """Top-level names of the lab's packages, of Python and R; none without a snapshot."""
    if snapshot is None:
        return ()
    r = {name.partition("::")[0] for name in snapshot.objects if "::" in name}
    python = {root for root in lab_roots(snapshot) if "::" not in root and root not in NOT_LAB}
    return tuple(sorted(r | python))


def read_seen(folder: Path) -> Seen:
    """What a watch left in its folder. It was written by a lab's processes and is trusted in nothing."""
    path = folder / "seen.tsv"
    if path.is_symlink() or not path.is_file():
        return Seen((), ())
    with path.open("rb") as stream:
        lines = stream.read(MAX_BYTES).decode("utf-8", "replace").split("\n")
    rows = [line.split("\t") for line in lines]
    read = [Path(row[1]) for row in rows if row[0] == "read" and len(row) == 2 and row[1].startswith("/")]
    called = [(row[1], row[2]) for row in rows if row[0] == "called" and len(row) == 3]
    return Seen(tuple(dict.fromkeys(read)), tuple(dict.fromkeys(called)))


def below(path: Path, place: str) -> str:
    """A path as seen by a command, relative to ``place``; empty where it lies elsewhere."""
    inside = PurePosixPath(path)
    return inside.relative_to(place).as_posix() if inside.is_relative_to(place) else ""
