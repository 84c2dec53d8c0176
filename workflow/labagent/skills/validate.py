"""Validation in three tiers: file, resolve, run. Each check is a module of ``labagent.skills.checks``."""

from __future__ import annotations

import math
import tempfile
import time
from pathlib import Path
from typing import Literal

from labagent.models.config import EnvironmentSettings, SandboxSettings
from labagent.models.skill import Check, Skill, TierVerdict, Verdict
from labagent.models.snapshot import Snapshot
from labagent.skills.checks import all_checks
from labagent.skills.faults import SkillFault
from labagent.skills.finding import CheckModule, Context, Finding, Scan, Skipped
from labagent.skills.read import read_skill, skill_sha256

Tier = Literal[1, 2, 3]
TIERS: tuple[Tier, ...] = (1, 2, 3)
READABLE = "readable"
MAX_FINDINGS = 50


def validate_skill(
    folder: Path,
    *,
    origin: str,
    snapshot: Snapshot | None,
    artifacts: Path | None,
    root: Path,
    log: Path,
    environment: EnvironmentSettings | None = None,
    sandbox: SandboxSettings | None = None,
    tier: int = 3,
    skip: frozenset[str] = frozenset(),
    all_tiers: bool = False,
    scan: Scan | None = None,
    run_seconds: float = math.inf,
    until: float = math.inf,
) -> Verdict:
    """Check a skill up to ``tier``; a tier that refuses ends it.

    Args:
        folder: the skill; nothing is written to it.
        origin: ``curated`` or an explorer's name.
        snapshot: the lab's API; ``None`` skips the checks that need it.
        artifacts: the lab's staged folder; ``None`` skips what needs it.
        root: the project's folder, which relative settings are relative to.
        log: receives the output of what tier 3 runs.
        environment: how environments are built.
        sandbox: how commands are isolated.
        tier: the last tier to run, 1 to 3.
        skip: ids of checks that are left out.
        all_tiers: go on after a tier that refuses, to say all that is wrong at once.
        scan: finds published values in a text; ``None`` skips the check that needs it.
        run_seconds: the most that one run of the quick start may take, whatever it asks for.
        until: no run goes on after this time of the monotonic clock.

    Raises:
        InfrastructureError: a registry or the sandbox failed, which says nothing about the skill.
    """
    started = time.monotonic()
    try:
        skill = read_skill(folder)
    except SkillFault as fault:
        check = _as_check(READABLE, 1, Finding(fault.message, fault.file, fault.line))
        first = TierVerdict(tier=1, status="refused", seconds=_since(started), checks=(check,))
        return _verdict(folder, origin, (first, _not_run(2), _not_run(3)))
    with tempfile.TemporaryDirectory(prefix="labagent-validate-") as work:
        context = Context(
            folder=folder,
            skill=skill,
            snapshot=snapshot,
            artifacts=artifacts,
            environment=environment or EnvironmentSettings(),
            sandbox=sandbox or SandboxSettings(),
            root=root,
            work=Path(work),
            log=log,
            scan=scan,
            run_seconds=run_seconds,
            until=until,
        )
        tiers = run_tiers(context, tier, skip, all_tiers)
    lock = context.built.lock_sha256 if context.built else ""
    return _verdict(folder, origin, tiers, skill, lock)


def run_tiers(
    context: Context, last: int, skip: frozenset[str] = frozenset(), all_tiers: bool = False
) -> tuple[TierVerdict, ...]:
    """Run the tiers in order up to ``last``, or to the first that refuses."""
    verdicts: list[TierVerdict] = []
    refused = False
    for tier in TIERS:
        verdict = _not_run(tier) if refused or tier > last else run_tier(context, tier, skip)
        refused = refused or (verdict.status == "refused" and not all_tiers)
        verdicts.append(verdict)
    return tuple(verdicts)


def run_tier(context: Context, tier: Tier, skip: frozenset[str] = frozenset()) -> TierVerdict:
    """Run the checks of one tier. In tier 3 each builds on the one before: the first failure ends it."""
    started = time.monotonic()
    checks = [Check(id=READABLE, tier=1, status="passed")] if tier == 1 else []
    for module in (m for m in all_checks() if tier == m.TIER and m.ID not in skip):
        checks += run_check(module, context, tier)
        if tier == 3 and checks[-1].status == "failed":
            break
    failed = any(check.status == "failed" for check in checks)
    return TierVerdict(
        tier=tier, status="refused" if failed else "passed", seconds=_since(started), checks=tuple(checks)
    )


def run_check(module: CheckModule, context: Context, tier: Tier) -> list[Check]:
    """One check: its findings, failures last so that the last status speaks for it."""
    try:
        findings = list(module.check(context))[:MAX_FINDINGS]
    except Skipped as reason:
        return [Check(id=module.ID, tier=tier, status="skipped", message=str(reason))]
    except SkillFault as fault:
        findings = [Finding(fault.message, fault.file, fault.line)]
    if not findings:
        return [Check(id=module.ID, tier=tier, status="passed")]
    ordered = sorted(findings, key=lambda f: 0 if f.passed else 1 if f.warning else 2)
    return [_as_check(module.ID, tier, finding) for finding in ordered]


def first_failure(tiers: tuple[TierVerdict, ...]) -> Check | None:
    """The first failed check."""
    return next((c for t in tiers for c in t.checks if c.status == "failed"), None)


def _verdict(
    folder: Path, origin: str, tiers: tuple[TierVerdict, ...], skill: Skill | None = None, lock: str = ""
) -> Verdict:
    """The record: refused with the first failing check as its reason, or valid."""
    failure = first_failure(tiers)
    return Verdict(
        skill=skill.name if skill else folder.resolve().name,
        origin=origin,
        status="refused" if failure else "valid",
        reason=_reason(failure) if failure else "",
        skill_sha256=skill.sha256 if skill else skill_sha256(folder),
        lock_sha256=lock,
        tiers=tiers,
    )


def _reason(check: Check) -> str:
    """Tier, check, place and message of a failure."""
    place = f"{check.file}{f', line {check.line}' if check.line else ''}: " if check.file else ""
    return f"tier {check.tier}, {check.id}: {place}{check.message}"


def _as_check(name: str, tier: Tier, finding: Finding) -> Check:
    """A finding as the record of a check."""
    return Check(
        id=name,
        tier=tier,
        status="passed" if finding.passed else "warning" if finding.warning else "failed",
        message=finding.message,
        file=finding.file,
        line=finding.line,
    )


def _not_run(tier: Tier) -> TierVerdict:
    """The verdict of a tier that did not run."""
    return TierVerdict(tier=tier, status="not_run")


def _since(started: float) -> float:
    """Seconds since ``started``."""
    return round(time.monotonic() - started, 3)
