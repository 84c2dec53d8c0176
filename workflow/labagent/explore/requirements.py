"""What a draft's environment needs: Python, the lab's own distribution, what the example imports."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from labagent.files import write_text
from labagent.models.snapshot import Dependency, Snapshot
from labagent.skills.calls import lab_roots
from labagent.skills.imports import distribution_of, normal

PYTHONS = ("3.11", "3.12", "3.13", "3.10", "3.9", "3.8", "3.7")
BOUNDED = {"pkg_resources": "setuptools<81", "distutils": "setuptools<81"}
ON_INDEX = re.compile(r"^pypi:(?P<name>[^=\s]+)==(?P<version>\S+)")


@dataclass(frozen=True)
class Requirement:
    """A requirement as it goes into ``environment.yaml``; ``declared`` is where the lab says so."""

    text: str
    name: str
    declared: Dependency | None = None


@dataclass(frozen=True)
class Needs:
    """The environment of a draft. ``installed``: the lab's package comes from the package index."""

    python: str
    own: Requirement | None
    others: tuple[Requirement, ...]

    @property
    def installed(self) -> bool:
        """Whether the lab's own package is installed; otherwise it runs from the skill's copy."""
        return self.own is not None

    def environment(self) -> dict[str, Any]:
        """``environment.yaml`` as a mapping."""
        pip = [r.text for r in (*((self.own,) if self.own else ()), *self.others)]
        return {
            "channels": ["conda-forge", "nodefaults"],
            "dependencies": [f"python={self.python}", "pip", *([{"pip": pip}] if pip else [])],
        }


def needs(snapshot: Snapshot, origin: str, imports: tuple[str, ...]) -> Needs:
    """The environment for code that imports ``imports``.

    A lab from the package index is installed from there at the staged version, and brings its own
    dependencies. Any other lab runs from a copy of its packages in the skill, and all dependencies it
    declares (without extras) are listed.

    Args:
        snapshot: the lab's snapshot.
        origin: of the staged repository, as its manifest has it.
        imports: top-level names that the example imports, standard library left out.
    """
    match = ON_INDEX.match(origin)
    own = Requirement(f"{match['name']}=={match['version']}", match["name"]) if match else None
    declared = {normal(d.name): d for d in reversed(_plain(snapshot))}
    outside = [root for root in imports if root not in lab_roots(snapshot)]
    wanted = {distribution_of(root) for root in outside}
    if own is None:
        wanted |= set(declared)
    others = tuple(_requirement(name, declared.get(name)) for name in sorted(wanted))
    return Needs(
        _python(snapshot.requires_python), own, tuple(r for r in others if not own or r.name != own.name)
    )


def _plain(snapshot: Snapshot) -> list[Dependency]:
    """Python dependencies that are always needed, without the packaging tools themselves."""
    tools = {"python", "pip", "setuptools", "wheel", "build"}
    return [
        d
        for d in snapshot.dependencies
        if d.ecosystem == "python" and not d.extra and normal(d.name) not in tools
    ]


def _requirement(name: str, declared: Dependency | None) -> Requirement:
    """A requirement, with the lab's own bounds where it declares some."""
    specifier = declared.specifier.split(";")[0].strip() if declared else ""
    specifier = specifier.strip("()") if re.fullmatch(r"\(?[<>=!~\d.,*\s\w]*\)?", specifier) else ""
    return Requirement(f"{name}{specifier.replace(' ', '')}", name, declared)


def _python(requires: str) -> str:
    """The first Python of ``PYTHONS`` that the lab allows; the first where it says nothing readable."""
    from packaging.specifiers import InvalidSpecifier, SpecifierSet

    try:
        allowed = SpecifierSet(requires)
    except InvalidSpecifier:
        return PYTHONS[0]
    return next((p for p in PYTHONS if allowed.contains(f"{p}.9")), PYTHONS[0])


def requirement_for(module: str) -> str:
    """The requirement that brings a module found missing at run time."""
    return BOUNDED.get(module.split(".")[0], distribution_of(module))


def add_requirement(folder: Path, requirement: str) -> bool:
    """Add a pip requirement to a draft's ``environment.yaml``; ``False`` where it is there already."""
    path = folder / "environment.yaml"
    content = yaml.safe_load(path.read_text(encoding="utf-8"))
    pip = next((item["pip"] for item in content["dependencies"] if isinstance(item, dict)), None)
    if pip is None:
        pip = []
        content["dependencies"].append({"pip": pip})
    if requirement in pip:
        return False
    pip.append(requirement)
    write_text(path, yaml.safe_dump(content, sort_keys=False))
    return True
