"""An arm's memory: the reviewed library and the arm's own events."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from labagent.errors import MemoryStoreError
from labagent.files import sha256_file, write_json
from labagent.memory.log import append_events, read_events, store_error
from labagent.memory.snapshot import state_of
from labagent.models.base import SCHEMA_VERSION
from labagent.models.config import MemorySettings
from labagent.models.memory import Lesson, LessonEvent, OutcomeEvent

Mode = Literal["live", "frozen", "off"]


@dataclass(frozen=True)
class Memory:
    """One arm's memory. ``live`` reads and appends; ``frozen`` only reads; ``off`` does neither."""

    arm: str
    mode: Mode
    library: Path
    live: Path

    def state(self) -> tuple[Lesson, ...]:
        """All lessons as of now, sorted by id.

        Raises:
            MemoryStoreError: a file cannot be read, or the library has a line that is no event.
        """
        if self.mode == "off":
            return ()
        return state_of(list(read_events(self.library, strict=True)), self.live)

    def append(self, events: Sequence[LessonEvent | OutcomeEvent]) -> None:
        """Add events, on disk when this returns; nothing happens where the mode is not ``live``.

        Raises:
            MemoryStoreError: the memory's folder cannot be written to.
            InfrastructureError: the disk is full.
        """
        if self.mode == "live":
            append_events(self.live, events)

    def freeze(self, path: Path) -> str:
        """Write the state as a run sees it, and return the file's SHA-256 (the same for the same state)."""
        lessons = [lesson.model_dump(mode="json") for lesson in self.state()]
        try:
            write_json(path, {"schema_version": SCHEMA_VERSION, "lessons": lessons})
            return sha256_file(path)
        except OSError as error:
            raise store_error(path, error) from error


def open_memory(settings: MemorySettings, arm: str, mode: Mode, *, root: Path) -> Memory:
    """The memory of an arm.

    Args:
        settings: where library and live files are, relative to ``root``.
        arm: the arm's name; its events are in ``<folder>/<arm>.jsonl``.
        mode: ``live``, ``frozen`` (library and live file as they are, no appends) or ``off``.
        root: the project's folder.

    Raises:
        MemoryStoreError: the arm's live file would be the library.
    """
    library, live = root / settings.library, root / settings.folder / f"{arm}.jsonl"
    if library.resolve() == live.resolve():
        raise MemoryStoreError(
            f'arm "{arm}": its live file would be the reviewed library {library}; rename the arm'
        )
    return Memory(arm=arm, mode=mode, library=library, live=live)


def read_frozen(path: Path) -> tuple[Lesson, ...]:
    """The lessons of a file written by :meth:`Memory.freeze`."""
    from labagent.files import read_json

    try:
        return tuple(Lesson.model_validate(lesson) for lesson in read_json(path)["lessons"])
    except (OSError, ValueError, KeyError) as error:
        raise MemoryStoreError(f"{path}: not a frozen memory: {error}") from error
