"""The offline drafter: the best released example becomes a skill; the next one where it does not run."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from labagent.explore.command_draft import CommandDraft
from labagent.explore.command_usage import CommandUsage, command_usages
from labagent.explore.data_files import Repository
from labagent.explore.mending import Mender
from labagent.explore.outcome import Drafted
from labagent.explore.r_draft import RDraft
from labagent.explore.r_usage import RUsage, r_usages
from labagent.explore.requirements import ON_INDEX, release_of
from labagent.explore.source_copy import MUST_BE_COMPILED, copy_source
from labagent.explore.spare import Spare, effort, is_too_long
from labagent.explore.trial import Trial
from labagent.explore.usage import Usage, test_usages, usages
from labagent.explore.usage_draft import UsageDraft
from labagent.files import list_files
from labagent.models.memory import Lesson
from labagent.models.snapshot import Snapshot
from labagent.models.sources import ArtifactManifest

REASONS = 3
TRIALS = 5
COMMANDS = 3
TESTS = 3
OF_A_FILE = 2
MENDS = 8
SAME_FOR_ALL = "tier 3, run: references/environment.md"
RAN = "tier 3, run"
ON_THE_INDEX = ("tier 2, resolve", "tier 3, build")


Shown = Usage | RUsage | CommandUsage


@dataclass(frozen=True)
class OfflineDrafter:
    """Drafts from examples alone; the same sources give the same draft."""

    skill: str
    explorer: str
    artifacts: Path
    snapshot: Snapshot
    folder: Path
    trial: Trial | None = None
    lessons: Sequence[Lesson] = ()
    spare: Spare = field(default_factory=lambda: Spare(math.inf, math.inf))
    _mender: list[Mender] = field(default_factory=list)

    def draft(self) -> Drafted:
        """Draft from the best example that can run; with a trial, from the first that does.

        Raises:
            InfrastructureError: a registry or the sandbox failed during a trial.
        """
        repository = self._repository()
        found = self._usages(repository)
        failed: dict[str, str] = {}
        if self._first_that_runs(_spread(found), failed):
            return Drafted("", _told(failed))
        if not any(reason.startswith(SAME_FOR_ALL) for reason in failed.values()):
            tests = [] if self._is_r else test_usages(self.snapshot, repository)
            if self._first_that_runs(_spread(tests)[:TESTS], failed):
                return Drafted("", _told(failed))
            found += tests
        if not failed:
            return Drafted(self._why_none(found))
        return Drafted(f"no example runs. {'; '.join(_told(failed))}", _told(failed))

    def _first_that_runs(self, able: list[Shown], failed: dict[str, str]) -> bool:
        """Write the draft of the first usage that runs; those before go to ``failed`` with their reasons."""
        while able and not self.spare.over:
            usage = able.pop(0)
            reason = self._attempt(usage)
            if not reason:
                return True
            failed[usage.where] = reason
            if reason.startswith(SAME_FOR_ALL):
                return False
            if is_too_long(reason):
                able = sorted((u for u in able if _effort(u) < _effort(usage)), key=_effort)
        if able:
            failed[f"{len(able)} more"] = f"not tried: the {self.spare.all_seconds:g} s of the lab are over"
        return False

    @property
    def _is_r(self) -> bool:
        """Whether the lab's package is one of R."""
        return any("::" in name for name in self.snapshot.objects)

    def _repository(self) -> Repository:
        """The staged files of the lab."""
        root = self.artifacts / "repository"
        return Repository(root, [path.relative_to(root).as_posix() for path in list_files(root)])

    def _usages(self, repository: Repository) -> list[Shown]:
        """All examples in the lab's language, judged, the best first; then the commands of its scripts."""
        shown: list[Shown] = [*r_usages(self.snapshot, repository)] if self._is_r else []
        shown = shown or [*usages(self.snapshot, repository)]
        origin = ArtifactManifest.read(self.artifacts / "manifest.json").origin
        given = command_usages(self.snapshot, repository)
        # Scripts inside a package of the index are parts of it; only what its documents run is usage.
        return [*shown, *(u for u in given if u.command.origin != "script" or not ON_INDEX.match(origin))]

    def _attempt(self, usage: Shown) -> str:
        """Write and try the draft of one example; the reason where it cannot be made to run."""
        reason = self._write(usage) or self._try_mending()
        if reason.startswith(ON_THE_INDEX) and isinstance(usage, Usage):
            without = self._write(usage, from_source=True)
            if without.startswith(MUST_BE_COMPILED):
                return f"{reason} ({without})"
            return without or self._try_mending()
        return reason

    def _write(self, usage: Shown, from_source: bool = False) -> str:
        """Write the draft of one example; the reason where its package cannot be brought along."""
        origin = ArtifactManifest.read(self.artifacts / "manifest.json").origin
        if isinstance(usage, RUsage):
            made = RDraft(self.skill, self.explorer, origin, self.snapshot, usage, self.artifacts)
            return made.write(self.folder)
        if isinstance(usage, CommandUsage):
            return CommandDraft(
                self.skill, self.explorer, origin, self.snapshot, usage, self.artifacts
            ).write(self.folder)
        draft = UsageDraft(
            self.skill, self.explorer, origin, self.snapshot, usage, self.artifacts, from_source
        )
        draft.write(self.folder)
        if draft.needs.installed:
            return ""
        reason = copy_source(self.artifacts / "repository", self.snapshot, self.folder)
        release = release_of(self.snapshot)
        if from_source or not release or not reason.startswith(MUST_BE_COMPILED):
            return reason
        draft = UsageDraft(
            self.skill,
            self.explorer,
            origin,
            self.snapshot,
            usage,
            self.artifacts,
            release=release,
        )
        draft.write(self.folder)
        return ""

    def _try_mending(self) -> str:
        """Why the draft is refused, after what can be mended in its environment was mended."""
        if self.trial is None:
            return ""
        mender = self._mend_with()
        mender.prepare(self.folder)
        reason = self._try()
        for _ in range(MENDS):
            if not reason or is_too_long(reason) or self.spare.over:
                break
            if not mender.mend(self.folder, reason, self.trial.printed(reason.startswith(RAN))):
                break
            reason = self._try()
        if reason and mender.unbuilt:
            reason += f" ({', '.join(mender.unbuilt)} cannot be built here)"
        return reason

    def _mend_with(self) -> Mender:
        """One for all examples, since what one needed the next will need."""
        if not self._mender:
            manifest = ArtifactManifest.read(self.artifacts / "manifest.json")
            resolver = self.trial.resolver() if self.trial else None
            self._mender.append(Mender(manifest.released, self.lessons, resolver))
        return self._mender[0]

    def _try(self) -> str:
        """Why the draft is refused, where drafts are tried."""
        if self.trial is None:
            return ""
        return self.trial.refusal(self.folder, self.snapshot, self.artifacts, self.spare)

    def _why_none(self, found: list[Shown]) -> str:
        """Why no example can be run."""
        if not found:
            count = sum(example.language in {"python", "r"} for example in self.snapshot.examples)
            callables = len(self.snapshot.objects)
            return (
                f"none of {count} examples in Python or R calls the lab's API ({callables} callables), "
                "and no command runs one of its scripts"
            )
        reasons = [f"{usage.where}: {usage.problems[0]}" for usage in found[:REASONS]]
        return f"no example of {len(found)} can run on its own. {'; '.join(reasons)}"


def _told(failed: dict[str, str]) -> tuple[str, ...]:
    """What was tried, each with the reason why it was not kept."""
    return tuple(f"{where}: {why}" for where, why in failed.items())


def _effort(usage: Shown) -> tuple[int, int]:
    """What usages are ordered by once one ran for too long."""
    return effort(usage.pieces)


def _spread(found: Sequence[Shown]) -> list[Shown]:
    """The examples to be tried: the best ones without problems, at most two of a file; then commands."""
    seen: Counter[str] = Counter()
    chosen, commands = list[Shown](), list[Shown]()
    for usage in (usage for usage in found if not usage.problems):
        if isinstance(usage, CommandUsage):
            commands.append(usage)
            continue
        file = usage.pieces[-1].file
        seen[file] += 1
        if seen[file] <= OF_A_FILE:
            chosen.append(usage)
    return [*chosen[:TRIALS], *commands[:COMMANDS]]
