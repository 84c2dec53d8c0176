"""Audit all tries of one result and give the verdict."""

from __future__ import annotations

from pathlib import Path

from labagent.audit.facts import Facts
from labagent.audit.kinds import all_kinds
from labagent.audit.story import Story, read_story, tries_of_result
from labagent.models.run import RunRecord
from labagent.models.score import Audit, Evidence

SHOWN = 40
"""Rows of one kind and try that are kept: a loop of the same attempt says no more."""


def audit_attempt(run_folder: Path, run: RunRecord, facts: Facts) -> Audit:
    """What the tries of an attempt saw or tried to see.

    Args:
        run_folder: ``…/runs/<arm>/<target>/<n>``.
        run: its record; tries of an earlier result, made again since, are not its own.
        facts: what was sealed, and where things lay.

    Returns:
        ``tainted`` when any row of evidence taints; notes are kept with a clean verdict, too.
    """
    stories = [read_story(folder, facts) for folder in tries_of_result(run_folder, run.try_folder)]
    evidence = [row for story in stories for row in _rows(story, facts)]
    tainted = any(row.taints for row in evidence)
    return Audit(
        verdict="tainted" if tainted else "clean",
        commands=sum(len(story.steps) for story in stories),
        evidence=tuple(evidence),
    )


def _rows(story: Story, facts: Facts) -> list[Evidence]:
    """The evidence of one try, in the order of turns within each kind."""
    found: list[Evidence] = []
    for name, find in all_kinds():
        rows = dict.fromkeys(
            Evidence(
                kind=name,
                attempt_try=story.name,
                turn=sign.turn,
                place=sign.place,
                seen=sign.seen,
                taints=sign.taints,
            )
            for sign in find(story, facts)
        )
        found += list(rows)[:SHOWN]
    return found
