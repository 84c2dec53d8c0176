"""What checks are made of."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from labagent.models.config import EnvironmentSettings, SandboxSettings
from labagent.models.run import EnvironmentRecord
from labagent.models.skill import Skill
from labagent.models.snapshot import Snapshot


@dataclass(frozen=True)
class Finding:
    """Something a check found. ``file`` is relative to the skill; ``line`` counts from 1.

    ``passed``: what shows that the check holds, kept with the verdict.
    """

    message: str
    file: str = ""
    line: int | None = None
    warning: bool = False
    passed: bool = False


class Skipped(Exception):
    """Raised by a check that cannot be made here; its text says why."""


@dataclass(frozen=True)
class Leak:
    """A published value in a text: of which target and quantity, and at which line (from 1)."""

    target: str
    quantity: str
    line: int


Scan = Callable[[str], list[Leak]]
"""Finds published values in a text."""


@dataclass
class Context:
    """All that checks look at.

    ``artifacts`` and ``snapshot`` are ``None`` where a skill is checked without its lab. ``work`` is a
    scratch folder; ``log`` receives what commands print; ``built`` is filled by the check that builds the
    environment, ``output`` and ``watch`` (what was seen meanwhile) by the one that runs the blocks.
    ``run_seconds`` caps what one run of the quick start may take, whatever it asks for; none goes on after
    ``until`` (on the monotonic clock).
    ``scan`` looks for published values of all targets; ``None`` where the references are not at hand.
    """

    folder: Path
    skill: Skill
    snapshot: Snapshot | None
    artifacts: Path | None
    environment: EnvironmentSettings
    sandbox: SandboxSettings
    root: Path
    work: Path
    log: Path
    built: EnvironmentRecord | None = None
    output: Path | None = None
    watch: Path | None = None
    scan: Scan | None = None
    run_seconds: float = math.inf
    until: float = math.inf


class CheckModule(Protocol):
    """A module of ``labagent.skills.checks``. Within a tier, a lower ``ORDER`` comes first."""

    ID: str
    TIER: int
    ORDER: int

    @staticmethod
    def check(context: Context) -> Iterator[Finding]:
        """Yield what is wrong; nothing where all is well. May raise :class:`Skipped`."""
