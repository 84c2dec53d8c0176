"""The manifest of a tool skill: fields, registered tools, schemas, examples, the quick start's arguments."""

from __future__ import annotations

from collections.abc import Iterator

from labagent.skills.finding import Context, Finding, Skipped
from labagent.skills.frontmatter import ROOT
from labagent.skills.manifest import ANSWER, read_manifest, schema_fault
from labagent.skills.read import QUICKSTART

ID, TIER, ORDER = "manifest", 1, 45


def check(context: Context) -> Iterator[Finding]:
    """A field that is wrong is raised and becomes the finding."""
    if not context.skill.is_tool_skill:
        raise Skipped("not a tool skill")
    if context.snapshot is not None or context.artifacts is not None:
        yield Finding(
            "metadata kind: a tool skill has no lab, but this one is validated with the files of one", ROOT, 1
        )
    manifest, start = read_manifest(context.folder, context.skill), context.skill.quickstart
    if start is None:
        return
    if fault := schema_fault(start.protocol, manifest.arguments):
        yield Finding(f"protocol does not fit the schema of arguments: {fault}", QUICKSTART, 1)
    if ANSWER not in {output.file for output in start.outputs}:
        yield Finding(f"outputs lack {ANSWER}, which a tool skill leaves", QUICKSTART, 1)
    if start.data:
        yield Finding("names data, but a tool skill has no lab whose data it could read", QUICKSTART, 1)
