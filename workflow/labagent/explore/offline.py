"""The offline drafter: the best released example becomes a skill; the next one where it does not run."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from labagent.explore.data_files import Repository
from labagent.explore.outcome import Drafted
from labagent.explore.source_copy import copy_source
from labagent.explore.trial import Trial
from labagent.explore.usage import Usage, usages
from labagent.explore.usage_draft import UsageDraft
from labagent.files import list_files
from labagent.models.snapshot import Snapshot
from labagent.models.sources import ArtifactManifest

REASONS = 3
TRIALS = 4


@dataclass(frozen=True)
class OfflineDrafter:
    """Drafts from examples alone; the same sources give the same draft."""

    skill: str
    explorer: str
    artifacts: Path
    snapshot: Snapshot
    folder: Path
    trial: Trial | None = None

    def draft(self) -> Drafted:
        """Draft from the best example that can run; with a trial, from the first that does.

        Raises:
            InfrastructureError: a registry or the sandbox failed during a trial.
        """
        found = self._usages()
        able = [usage for usage in found if not usage.problems]
        if not able:
            return Drafted(self._why_none(found))
        failed: list[str] = []
        for usage in able[:TRIALS]:
            reason = self._write(usage) or self._try()
            if not reason:
                return Drafted("", tuple(failed))
            failed.append(f"{usage.where}: {reason}")
            if not reason.startswith("tier 3, run"):
                break
        return Drafted(f"no example runs. {'; '.join(failed)}", tuple(failed))

    def _usages(self) -> list[Usage]:
        """All examples, judged, the best first."""
        root = self.artifacts / "repository"
        paths = [path.relative_to(root).as_posix() for path in list_files(root)]
        return usages(self.snapshot, Repository(root, paths))

    def _write(self, usage: Usage) -> str:
        """Write the draft of one example; the reason where its package cannot be brought along."""
        origin = ArtifactManifest.read(self.artifacts / "manifest.json").origin
        draft = UsageDraft(self.skill, self.explorer, origin, self.snapshot, usage, self.artifacts)
        draft.write(self.folder)
        if draft.needs.installed:
            return ""
        return copy_source(self.artifacts / "repository", self.snapshot, self.folder)

    def _try(self) -> str:
        """Why the draft is refused, where drafts are tried."""
        return self.trial.refusal(self.folder, self.snapshot, self.artifacts) if self.trial else ""

    def _why_none(self, found: list[Usage]) -> str:
        """Why no example can be run."""
        if not found:
            count = sum(example.language == "python" for example in self.snapshot.examples)
            callables = len(self.snapshot.objects)
            return f"none of {count} Python examples calls the lab's API ({callables} callables)"
        reasons = [f"{usage.where}: {usage.problems[0]}" for usage in found[:REASONS]]
        return f"no example of {len(found)} can run on its own. {'; '.join(reasons)}"
