"""What an attempt is made from."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from labagent.models.config import Budget, Harness, ModelSettings, SandboxSettings
from labagent.models.run import EnvironmentRecord, SelectionRecord
from labagent.models.sources import DataManifest
from labagent.models.tables import Quantity

if TYPE_CHECKING:
    from labagent.reproduce.recorded import RecordedTry


@dataclass(frozen=True)
class MemoryChoice:
    """Which lessons an attempt sees, and where it leaves its own.

    ``events`` is the arm's event log, ``library`` the reviewed one it starts from. ``live`` shows lessons
    and keeps new ones, ``frozen`` shows them and keeps none, ``off`` does neither.
    """

    mode: Literal["live", "frozen", "off"]
    events: Path
    library: Path
    at_start: int = 8
    at_failure: int = 3


@dataclass(frozen=True)
class Attempt:
    """One attempt of an arm on a target.

    ``folder`` is ``results/runs/<arm>/<target>/<number>``; ``data_folder`` holds the files of ``data``;
    ``skill`` is the frozen skill's folder (``None`` where none was selected); ``sealed`` are
    globs of the labs' files that hold answers, hidden in installed packages, too; ``model`` is ``None`` for
    the agent without a model; ``key`` is stored in the record. ``replay`` is the recorded try whose replies,
    probe and lessons are used instead of a model, this machine and the memory. ``harness`` is the agent
    of its own that makes the attempt. ``scratch`` is a folder of this machine for what is written while the
    attempt lasts; what stays is copied to ``folder`` at its end.
    """

    arm: str
    target: str
    number: int
    folder: Path
    selection: SelectionRecord
    environment: EnvironmentRecord
    data: DataManifest
    data_folder: Path
    task: Path
    answer: tuple[Quantity, ...]
    budget: Budget
    memory: MemoryChoice
    sandbox: SandboxSettings
    skill: Path | None = None
    protocol: Path | None = None
    sealed: tuple[str, ...] = ()
    model: ModelSettings | None = None
    key: str = ""
    family: str = ""
    replay: RecordedTry | None = None
    harness: Harness | None = None
    scratch: Path | None = None
