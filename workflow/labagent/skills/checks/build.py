"""The environment is built (or reused, where an equal one is there)."""

from __future__ import annotations

from collections.abc import Iterator

from labagent.environment import build_environment
from labagent.environment.shell import builds_cut
from labagent.skills.checks._environment import build_faults
from labagent.skills.finding import Context, Finding
from labagent.skills.own_environment import own_environment
from labagent.skills.read import ENVIRONMENT

ID, TIER, ORDER = "build", 3, 10


def check(context: Context) -> Iterator[Finding]:
    """Build from ``environment.yaml``; what was mapped to the machine is said as a warning."""
    if context.skill.is_tool_skill:
        context.built = own_environment()
        return
    log = context.log.with_name(f"{context.log.stem}.environment.log")
    spec = context.folder / ENVIRONMENT
    with builds_cut(context.sandbox.network == "off"):
        record = build_environment(spec, context.environment, root=context.root, log=log)
    if record.status != "ready":
        yield from build_faults(context.folder, record.failure_class, record.reason)
        return
    context.built = record
    for repair in record.repairs:
        said = f"{repair.failure_class}, built only after a repair: {'; '.join(repair.changes)}"
        yield Finding(said, ENVIRONMENT, warning=True)
    for name, used in sorted(record.mapped.items()):
        yield Finding(f"{name} is taken from the machine: {used}", ENVIRONMENT, warning=True)
