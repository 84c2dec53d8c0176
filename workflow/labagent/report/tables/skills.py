"""Skills and what validation said of them."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from labagent.models.skill import Verdict
from labagent.report.study import Study
from labagent.report.tables import Row

TITLE = "Skills and their validation"
CAPTION = "Every skill that was validated, refused ones too. A refused skill is given to no run."
ORDER = 70
SHOWN = True
COLUMNS = {
    "skill": "the skill",
    "origin": "curated, or the explorer that drafted it",
    "verdict": "valid, refused, or missing (exploring left no draft)",
    "tier_reached": "the last tier that was run: 1 files, 2 names resolve, 3 quick start",
    "reason": "why it was refused",
    "loci": "workflow steps it holds",
    "first_failing_check": "the first check that failed",
    "entries": "entries attempted with it",
}


def rows(study: Study) -> Iterator[Row]:
    """Rows in the order of labs, then origins."""
    used = Counter(
        (entry.first.run.skill_origin, entry.first.run.skill) for entry in study.entries if entry.first.run
    )
    for verdict, folder in study.verdicts:
        yield (
            verdict.skill,
            verdict.origin,
            verdict.status,
            max((t.tier for t in verdict.tiers if t.status != "not_run"), default=0),
            verdict.reason,
            _loci(folder),
            _first_failing(verdict),
            used[verdict.origin, verdict.skill],
        )


def _loci(folder: Path) -> int:
    """Files in ``references/``."""
    return sum(1 for path in (folder / "references").glob("*.md") if path.is_file())


def _first_failing(verdict: Verdict) -> str | None:
    """Id and place of the first check that failed."""
    for tier in verdict.tiers:
        for check in tier.checks:
            if check.status == "failed":
                place = f" ({check.file}{f':{check.line}' if check.line else ''})" if check.file else ""
                return f"{check.id}{place}"
    return None
