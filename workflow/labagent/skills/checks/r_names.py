"""Functions that R blocks call by name alone exist: in the block, in R, or in a package it attaches."""

from __future__ import annotations

from collections.abc import Iterator

from labagent.files import list_files
from labagent.skills.finding import Context, Finding, Skipped
from labagent.skills.r_calls import r_packages
from labagent.skills.r_names import definitions, unknown_calls

ID, TIER, ORDER = "r-names", 2, 33


def check(context: Context) -> Iterator[Finding]:
    """Calls of the lab's R code that nothing defines; blocks are processes of their own."""
    if context.snapshot is None:
        raise Skipped("the lab's API snapshot is not at hand")
    blocks = [
        (locus, block) for locus in context.skill.loci for block in locus.blocks if block.language == "r"
    ]
    if not blocks or not r_packages(context.snapshot):
        return
    scripts = [path for path in list_files(context.folder) if path.suffix in {".R", ".r"}]
    sourced = {n for path in scripts for n in definitions(path.read_text("utf-8", errors="replace"))}
    for locus, block in blocks:
        for call in unknown_calls(block.code, context.snapshot, sourced):
            hint = f"; did you mean {call.near}?" if call.near else ""
            message = f'"{call.name}" is defined neither here nor by R, the lab, or an attached package{hint}'
            yield Finding(message, locus.path, block.line + call.line - 1)
