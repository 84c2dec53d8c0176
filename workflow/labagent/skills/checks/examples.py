"""The examples of a tool skill hold: its loci, run on their arguments, leave the facts expected."""

from __future__ import annotations

from collections.abc import Iterator

from labagent.skills.finding import Context, Finding, Skipped
from labagent.skills.manifest import read_manifest

ID, TIER, ORDER = "examples", 3, 50


def check(context: Context) -> Iterator[Finding]:
    """Each example, at its line."""
    from labagent.skills.example_runs import run_examples

    if not context.skill.is_tool_skill:
        raise Skipped("not a tool skill")
    if context.built is None or context.skill.quickstart is None:
        raise Skipped("there is no quick start or no environment")
    manifest = read_manifest(context.folder, context.skill)
    name = context.skill.metadata["examples"]
    held = 0
    for outcome in run_examples(context, manifest):
        for fault in outcome.faults:
            yield Finding(f"example {outcome.number}: {fault}", name, outcome.number)
        held += not outcome.faults
    if held == len(manifest.examples):
        yield Finding(f"{held} examples hold", name, passed=True)
