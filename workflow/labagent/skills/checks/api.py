"""Calls of the lab's API exist in the snapshot, with such arguments."""

from __future__ import annotations

from collections.abc import Iterator

from labagent.skills.calls import call_sites, faults
from labagent.skills.checks._python import python_blocks
from labagent.skills.finding import Context, Finding, Skipped

ID, TIER, ORDER = "api", 2, 30


def check(context: Context) -> Iterator[Finding]:
    """Each import and call that can be followed to the lab's packages."""
    if context.snapshot is None:
        raise Skipped("the lab's API snapshot is not at hand")
    for path, line, tree in python_blocks(context.skill):
        for site in call_sites(tree, context.snapshot):
            for fault in faults(site, context.snapshot):
                yield Finding(fault, path, line + site.line - 1)
