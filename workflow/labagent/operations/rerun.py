"""Has chosen attempts made anew: their results are put beside, never away, so that the next start plans them.

What an attempt left stays in its folder: tries with their traces, and in ``earlier-<k>/`` the record and the
score. Their costs are in the book and in the new record (``earlier_results``, ``earlier_cost_usd``).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from labagent.inputs import Inputs
from labagent.operations.progress import AttemptState
from labagent.reproduce.guard import guarded
from labagent.workflow.paths import Paths

FAILED = frozenset({"failed", "env_failed", "unscorable"})
EARLIER = "earlier-"
FOLLOWS = frozenset({"data_failed", "skill_refused", "harness_missing"})
"""Ends of attempts that ran nothing: they are made anew by themselves when what they wait for changes."""


@dataclass(frozen=True)
class Plan:
    """What is made anew, and what of the chosen is not, with how many."""

    chosen: tuple[AttemptState, ...]
    follow: int
    planned: int


def plan(
    inputs: Inputs, attempts: Iterable[AttemptState], wanted: frozenset[str], number: int | None
) -> Plan:
    """Choose attempts.

    Args:
        inputs: says which targets name no skill.
        attempts: of the slice.
        wanted: their states.
        number: only this attempt of each entry; ``None`` for all.
    """
    of_slice = [a for a in attempts if number in (None, a.place[2])]
    found = [a for a in of_slice if a.state in wanted]
    follow = [a for a in found if a.ended_by in FOLLOWS and not _chosen_by_itself(inputs, a)]
    return Plan(
        chosen=tuple(a for a in found if a not in follow),
        follow=len(follow),
        planned=sum(a.state in ("waiting", "interrupted") for a in of_slice),
    )


def put_aside(inputs: Inputs, results: Path, attempts: Sequence[AttemptState]) -> list[Path]:
    """Move the results of attempts into their ``earlier-<k>`` folders.

    A kill in between leaves an attempt whole or with its score missing, which is made again for nothing.

    Returns:
        The scores that the next start makes, one an attempt.

    Raises:
        InfrastructureError: a process is still at one of them.
    """
    paths = Paths(str(results))
    scores = [_put_aside(paths, attempt, inputs) for attempt in attempts]
    if scores:
        # Snakemake does not make a missing file anew for a report that stands.
        Path(paths.report, "report.md").unlink(missing_ok=True)
    return scores


def _put_aside(paths: Paths, attempt: AttemptState, inputs: Inputs) -> Path:
    """One attempt: what depends on its record goes first, since a score that stands is not made anew."""
    arm, target, number = attempt.place
    place = {"arm": arm, "target": target, "attempt": number}
    record, score = Path(paths.run.format(**place)), Path(paths.score.format(**place))
    moves = [(score, "score.json")]
    if attempt.ended_by == "env_failed":
        moves.append((Path(paths.environment.format(**place)), "environment.json"))
    if _chosen_by_itself(inputs, attempt):
        moves.append((Path(paths.select.format(**place)), "select.json"))
    with guarded(record.parent, seconds=0.0):
        beside = _next_earlier(record.parent)
        for source, name in [*moves, (record, record.name)]:
            if source.is_file():
                beside.mkdir(exist_ok=True)
                source.rename(beside / name)
    return score


def _chosen_by_itself(inputs: Inputs, attempt: AttemptState) -> bool:
    """Whether the attempt ended because the choice of a skill, which the target leaves open, was refused."""
    return attempt.ended_by == "skill_refused" and not inputs.targets[attempt.place[1]].skill


def _next_earlier(folder: Path) -> Path:
    """The folder for the next result that is put aside."""
    numbers = [
        int(p.name.removeprefix(EARLIER)) for p in folder.glob(f"{EARLIER}*") if p.name[8:].isdecimal()
    ]
    return folder / f"{EARLIER}{max(numbers, default=0) + 1}"
