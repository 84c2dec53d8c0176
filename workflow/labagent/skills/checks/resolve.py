"""All dependencies can be had together, for this platform and Python."""

from __future__ import annotations

from collections.abc import Iterator

from labagent.environment.outcome import BuildFailed
from labagent.environment.resolving import resolve_environment
from labagent.skills.checks._environment import build_faults, foreign_references
from labagent.skills.finding import Context, Finding, Skipped
from labagent.skills.read import ENVIRONMENT

ID, TIER, ORDER = "resolve", 2, 90


def check(context: Context) -> Iterator[Finding]:
    """Resolve ``environment.yaml``; nothing is installed."""
    if context.skill.is_tool_skill:
        raise Skipped("a tool skill runs in the environment of labagent itself")
    if foreign_references(context):
        raise Skipped("an address is not allowed, so nothing is fetched")
    log = context.log.with_name(f"{context.log.stem}.resolve.log")
    try:
        resolve_environment(context.folder / ENVIRONMENT, context.environment, root=context.root, log=log)
    except BuildFailed as failure:
        yield from build_faults(context.folder, failure.failure, failure.reason)
