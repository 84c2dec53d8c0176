"""The tool skills that serve questions, found in ``skills/``: adding one is adding a folder."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from labagent.models.asking import RouteName
from labagent.models.skill import Manifest
from labagent.skills.faults import SkillFault
from labagent.skills.library import curated
from labagent.skills.manifest import read_manifest


@dataclass(frozen=True)
class Discovery:
    """Tool skills by name, and those that cannot be used, with why (file, line, field)."""

    manifests: tuple[Manifest, ...]
    faults: dict[str, str]


def discover(root: Path) -> Discovery:
    """All tool skills of a project's ``skills/``.

    A skill that is broken does not keep the others from being used; what is wrong with it is told.

    Args:
        root: the project's folder.
    """
    found: list[Manifest] = []
    faults: dict[str, str] = {}
    for entry in curated(root):
        if entry.skill is None:
            faults[entry.name] = entry.fault
        elif entry.skill.is_tool_skill:
            try:
                found.append(read_manifest(entry.folder, entry.skill))
            except SkillFault as fault:
                faults[entry.name] = str(fault)
    return Discovery(tuple(found), faults)


def skills_for(route: RouteName, root: Path = Path()) -> list[Manifest]:
    """The tool skills that serve a route, by name; those that are broken are left out (:func:`discover`)."""
    return [manifest for manifest in discover(root).manifests if route in manifest.routes]


def as_event(manifest: Manifest) -> dict[str, Any]:
    """What a trace says of the skill that an answer used: which one, in exactly which version."""
    return {
        "skill": manifest.skill,
        "version": manifest.version,
        "sha256": manifest.sha256,
        "tools": list(manifest.tools),
    }
