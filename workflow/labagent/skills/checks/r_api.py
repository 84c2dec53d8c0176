"""Calls of the lab's R package exist in the snapshot, with such arguments."""

from __future__ import annotations

from collections.abc import Iterator

from labagent.skills.finding import Context, Finding, Skipped
from labagent.skills.r_calls import attached, faults, r_calls, r_packages

ID, TIER, ORDER = "r-api", 2, 32


def check(context: Context) -> Iterator[Finding]:
    """Each call in R blocks that can be followed to the lab's package; blocks are processes of their own."""
    if context.snapshot is None:
        raise Skipped("the lab's API snapshot is not at hand")
    packages = r_packages(context.snapshot)
    for locus in context.skill.loci:
        for block in locus.blocks:
            if block.language != "r" or not packages:
                continue
            for call in r_calls(block.code, packages, attached(block.code, packages)):
                for fault in faults(call, context.snapshot):
                    yield Finding(fault, locus.path, block.line + call.line - 1)
