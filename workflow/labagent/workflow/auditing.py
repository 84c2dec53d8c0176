"""Puts together what a run is audited against, and audits it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from labagent.inputs import load_lab
from labagent.models.config import Config
from labagent.models.tables import LAB_DATA, Lab, Target
from labagent.workflow.paths import Paths

if TYPE_CHECKING:
    from labagent.inputs.load import TargetInputs
    from labagent.models.score import Audit


def labs_of(root: Path, config: Config, target: Target, skill: str | None) -> list[Lab]:
    """The labs whose skill or files a run of a target sees."""
    data = (match["skill"] for item in target.data if (match := LAB_DATA.match(item)))
    return [load_lab(root, config, name) for name in sorted({target.skill, skill or "", *data} - {""})]


def audit(root: Path, config: Config, arm: str, attempt: int, found: TargetInputs) -> Audit:
    """The leak audit of one attempt.

    Args:
        root: the project's folder.
        config: its config.
        arm: the arm that made the attempt.
        attempt: its number.
        found: the target with its references, as the score stage has them.
    """
    from labagent.audit import Facts, audit_attempt
    from labagent.models.run import RunRecord

    paths = Paths(config.results)
    row = found.target
    place = {"arm": arm, "target": row.target}
    run_file = root / paths.run.format(attempt=attempt, **place)
    record = RunRecord.read(run_file)
    labs = labs_of(root, config, row, record.skill)
    data = (root / paths.data.format(target=row.target)).parent / "files"
    skill = None
    if record.skill and record.skill_origin:
        skill = (root / paths.verdict.format(origin=record.skill_origin, skill=record.skill)).parent
    facts = Facts(
        references=found.references,
        sealed=tuple(glob for lab in labs for glob in lab.sealed),
        repositories=tuple(lab.repository for lab in labs),
        root=root.resolve(),
        own=tuple(p for p in (data, skill, root / config.environment.prefix) if p),
        data=data,
        task=Path(row.task),
        protocol=Path(row.protocol) if row.protocol else None,
        skill=skill,
        labels=found.labels,
    )
    return audit_attempt(run_file.parent, record, facts)
