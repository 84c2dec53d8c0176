"""What the rest of the package knows of a sandbox."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from labagent.models.run import SandboxRecord


@dataclass(frozen=True)
class Mount:
    """A file or folder of the host and its place inside (absolute, without ``..``)."""

    host: Path
    inside: str
    writable: bool = False


@dataclass(frozen=True)
class Limits:
    """What one command may use.

    ``seconds`` is the most any command may take, ``mem_mb`` holds for all its processes together,
    ``processes`` counts processes (and threads, where the kernel enforces it), ``disk_mb`` is the sum of
    the writable folders and the command's output; ``cores`` sets the thread variables.
    """

    seconds: float
    mem_mb: int
    processes: int
    disk_mb: int
    cores: int


@dataclass(frozen=True)
class CommandResult:
    """The outcome of one command.

    ``status`` is the exit status (128 + n after signal n, as bash says it), ``None`` when the command was
    stopped at its time limit. ``limit`` names the limit whose excess ended it (``seconds``, ``memory``,
    ``processes``, ``disk``) or is empty. ``text`` is the observation: head and tail of ``output``, which
    holds all ``bytes``; ``omitted`` of them are not in ``text``.
    """

    status: int | None
    timed_out: bool
    signal: int | None
    seconds: float
    text: str
    bytes: int
    omitted: int
    output: Path
    limit: str = ""


def _nothing() -> tuple[str, str]:
    """No reason to stop."""
    return "", ""


@dataclass(frozen=True)
class Guest:
    """What a program that runs by itself gets besides: an agent of its own, in one command.

    ``variables`` are added for this command alone, as they are; ``look`` is called at every look of
    the watch; it names a limit and a sentence where the command has to be ended, else two empty texts.
    """

    variables: Mapping[str, str] = field(default_factory=dict)
    look: Callable[[], tuple[str, str]] = _nothing


class Sandbox(Protocol):
    """Runs one shell command at a time; files carry over between commands, shell state does not."""

    @property
    def record(self) -> SandboxRecord:
        """What isolation was really achieved."""

    def run(self, command: str, *, output: Path, seconds: float, guest: Guest | None = None) -> CommandResult:
        """Run ``bash -c command`` to its end or its limits.

        Args:
            command: shell text, passed as it is.
            output: file that receives standard output and standard error; parents must exist.
            seconds: time limit of this command, cut to the sandbox's own.
            guest: what a program gets that runs by itself.

        Raises:
            InfrastructureError: the sandbox itself cannot be set up.
        """

    def path(self, name: str) -> str:
        """The path under which a command finds what is mounted at ``name`` (or below it)."""

    def close(self) -> None:
        """Remove what the sandbox keeps on the host; mounted folders stay."""
