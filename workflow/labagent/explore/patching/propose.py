"""A proposed version of a skill, validated, and left beside the skill: it takes no place unseen."""

from __future__ import annotations

import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

from labagent.errors import SkillError
from labagent.explore.patching.edits import apply_fixes, bump
from labagent.explore.patching.steps import failed_steps
from labagent.files import fresh_folder
from labagent.models.config import EnvironmentSettings, SandboxSettings
from labagent.models.exploration import PatchRecord
from labagent.models.run import RunRecord
from labagent.models.skill import DraftRecord, Verdict
from labagent.models.snapshot import Snapshot
from labagent.skills.finding import Scan
from labagent.skills.freeze import freeze_skill
from labagent.skills.imports import normal
from labagent.skills.read import VERDICT, read_skill, skill_sha256
from labagent.skills.validate import validate_skill
from labagent.trace import read_trace

RUN, TRACE = "run.json", "trace.jsonl"
PREFIX = "patch-"


@dataclass(frozen=True)
class Lab:
    """What a patched skill is validated against, and how."""

    snapshot: Snapshot | None
    artifacts: Path | None
    environment: EnvironmentSettings
    sandbox: SandboxSettings
    root: Path


def propose(run: Path, skills: Path, lab: Lab, *, tier: int = 3, scan: Scan | None = None) -> PatchRecord:
    """Make a patch from a run whose skill failed by its own instruction.

    The new version goes to ``<skills>/patch-<arm>.<target>.<n>/<skill>/`` with its verdict, so that it can be
    shown, compared and promoted by that name; ``<skill>.patch.json`` beside it says what was changed and why.

    Args:
        run: the attempt's folder, with ``run.json``.
        skills: ``results/skills``.
        lab: what the new version is validated against.
        tier: the last tier of its validation.
        scan: values no skill may hold.

    Raises:
        SkillError: the run has no skill, or its skill is no longer there as it was.
        InfrastructureError: a registry or the sandbox failed.
    """
    record = _run(run)
    origin = f"{PREFIX}{record.arm}.{record.target}.{record.attempt}"
    base = skills / str(record.skill_origin) / str(record.skill)
    if not base.is_dir() or skill_sha256(base) != record.skill_sha256:
        raise SkillError(f"{base}: is not the skill this run used ({record.skill_sha256[:12]}); run it again")
    events = read_trace(run / record.try_folder / TRACE)
    destination = skills / origin / base.name
    with tempfile.TemporaryDirectory(prefix="labagent-patch-") as work:
        folder = Path(work) / base.name
        shutil.copytree(base, folder, ignore=shutil.ignore_patterns(VERDICT))
        edits, left = apply_fixes(folder, failed_steps(read_skill(base), events), _installed(record))
        patch = PatchRecord(
            skill=base.name,
            origin=str(record.skill_origin),
            run=f"{record.arm}/{record.target}/{record.attempt}",
            status="nothing",
            reason="" if edits else left[0] if left else "no step of the skill failed in this run",
            base_sha256=record.skill_sha256,
            edits=tuple(edits),
            left=tuple(left),
            tier=tier,
        )
        if edits:
            bump(folder)
            verdict = _validate(folder, origin, lab, tier, destination, scan)
            freeze_skill(folder, destination, verdict)
            status = "proposed" if verdict.status == "valid" else "refused"
            patch = patch.model_copy(
                update={"status": status, "reason": verdict.reason, "skill_sha256": verdict.skill_sha256}
            )
    patch.write(destination.with_name(f"{base.name}.patch.json"))
    return patch


def admit(patch: PatchRecord, skills: Path, draft: Path) -> PatchRecord:
    """Put a proposed patch in the place of the explorer's draft it was made from.

    Args:
        patch: a proposal that passed all tiers.
        skills: ``results/skills``.
        draft: the explorer's ``draft.json``, with the draft beside it.

    Raises:
        SkillError: it did not pass all tiers, or the draft is another one by now.
    """
    record = DraftRecord.read(draft)
    if patch.status != "proposed" or patch.tier < 3:
        raise SkillError(
            f"{patch.skill}: only a patch that passed all tiers is admitted (it is {patch.status})"
        )
    if record.skill_sha256 != patch.base_sha256:
        raise SkillError(f"{draft}: the draft is not the version the patch was made from; make it again")
    place = place_of(patch, skills)
    target = fresh_folder(draft.parent / "skill" / patch.skill)
    shutil.copytree(place, target, dirs_exist_ok=True, ignore=shutil.ignore_patterns(VERDICT))
    record.model_copy(update={"skill_sha256": skill_sha256(target)}).write(draft)
    admitted = patch.model_copy(update={"status": "admitted"})
    admitted.write(place.with_name(f"{patch.skill}.patch.json"))
    return admitted


def skill_of(run: Path) -> str:
    """The skill an attempt used.

    Raises:
        SkillError: as :func:`propose`.
    """
    return str(_run(run).skill)


def place_of(patch: PatchRecord, skills: Path) -> Path:
    """The folder of a proposed version."""
    return skills / f"{PREFIX}{patch.run.replace('/', '.')}" / patch.skill


def _run(run: Path) -> RunRecord:
    """The record of a run that used a skill.

    Raises:
        SkillError: there is none, or it used no skill, or nothing ran.
    """
    try:
        record = RunRecord.read(run / RUN)
    except (OSError, ValueError) as error:
        raise SkillError(f"{run}: holds no readable {RUN} of a finished attempt") from error
    if not record.skill or not record.skill_origin:
        raise SkillError(f"{run}: the run used no skill")
    if not record.try_folder:
        raise SkillError(f"{run}: nothing ran in it ({record.ended_by}: {record.reason})")
    return record


def _installed(record: RunRecord) -> dict[str, str]:
    """What the run put on top of its environment, by normal name."""
    pairs = (item.partition("==") for item in record.installed if not item.startswith("r:"))
    return {normal(name): version for name, _, version in pairs if version}


def _validate(
    folder: Path, origin: str, lab: Lab, tier: int, destination: Path, scan: Scan | None
) -> Verdict:
    """The new version's verdict."""
    return validate_skill(
        folder,
        origin=origin,
        snapshot=lab.snapshot,
        artifacts=lab.artifacts,
        root=lab.root,
        log=destination.parent.parent / f".{origin}.log",
        environment=lab.environment,
        sandbox=lab.sandbox,
        tier=tier,
        scan=scan,
    )
