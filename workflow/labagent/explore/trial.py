"""Trying a draft: the whole validation, so that explore leaves what runs."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

from labagent.explore.era import Resolver
from labagent.explore.spare import Spare
from labagent.models.config import EnvironmentSettings, SandboxSettings
from labagent.models.snapshot import Snapshot
from labagent.skills.validate import validate_skill

SHOWN = 20_000


@dataclass(frozen=True)
class Trial:
    """How drafts are tried.

    ``root`` is the project's folder; ``log`` receives what a draft prints.
    """

    environment: EnvironmentSettings
    sandbox: SandboxSettings
    root: Path
    log: Path

    def resolver(self) -> Resolver:
        """What looks up versions of a day in the same project."""
        return Resolver(self.environment, self.root, self.log.with_name(f"{self.log.stem}.era.log"))

    def printed(self, ran: bool) -> str:
        """What the last trial printed: its steps if they ``ran``, else what resolving and building said."""
        logs = [self.log.with_name(f"{self.log.stem}.{kind}.log") for kind in ("resolve", "environment")]
        texts = (
            path.read_text("utf-8", "replace") for path in ([self.log] if ran else logs) if path.exists()
        )
        return "\n".join(text[-SHOWN:] for text in texts)

    def refusal(
        self, folder: Path, snapshot: Snapshot | None, artifacts: Path, spare: Spare | None = None
    ) -> str:
        """Why a draft is refused, empty where it passes all tiers; ``spare`` is the time that runs have.

        Raises:
            InfrastructureError: a registry or the sandbox failed.
        """
        verdict = validate_skill(
            folder,
            origin="draft",
            snapshot=snapshot,
            artifacts=artifacts,
            environment=self.environment,
            sandbox=self.sandbox,
            root=self.root,
            log=self.log,
            run_seconds=spare.example_seconds if spare else math.inf,
            until=spare.until if spare else math.inf,
        )
        return verdict.reason
