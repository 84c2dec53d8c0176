"""What a draft's environment needs: Python, the lab's own distribution, what the example imports."""

from __future__ import annotations

import re
from collections.abc import Iterable
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
RELEASE = re.compile(r"\d+(?:\.\d+)*(?:(?:a|b|rc|\.post)\d+)?")
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


def needs(
    snapshot: Snapshot,
    origin: str,
    imports: tuple[str, ...],
    from_source: bool = False,
    only_imports: bool = False,
) -> Needs:
    """The environment for code that imports ``imports``.

    A lab from the package index is installed from there at the staged version, and brings its own
    dependencies. Any other lab runs from a copy of its packages in the skill, and all dependencies it
    declares (without extras) are listed.

    Args:
        snapshot: the lab's snapshot.
        origin: of the staged repository, as its manifest has it.
        imports: top-level names that the example imports, standard library left out.
        from_source: run a copy of the lab's packages although they are on the index, since they cannot be
            installed from there.
        only_imports: leave out what the lab declares and the code does not import.
    """
    match = None if from_source else ON_INDEX.match(origin)
    own = Requirement(f"{match['name']}=={match['version']}", match["name"]) if match else None
    declared = {normal(d.name): d for d in reversed(_plain(snapshot))}
    outside = [root for root in imports if root not in lab_roots(snapshot)]
    wanted = {distribution_of(root) for root in outside}
    if own is None and not only_imports:
        wanted |= set(declared)
    others = tuple(_requirement(name, declared.get(name)) for name in sorted(wanted))
    return Needs(
        _declared_python(snapshot) or _python(snapshot.requires_python),
        own,
        tuple(r for r in others if not own or r.name != own.name),
    )


def release_of(snapshot: Snapshot) -> str:
    """The release that a lab's sources say they are, as an origin of the package index; empty for none."""
    if not snapshot.distribution or not RELEASE.fullmatch(snapshot.version):
        return ""
    return f"pypi:{snapshot.distribution}=={snapshot.version}"


def _plain(snapshot: Snapshot) -> list[Dependency]:
    """Python dependencies that are always needed, without the packaging tools themselves."""
    tools = {"python", "pip", "setuptools", "wheel", "build"}
    return [
        d
        for d in snapshot.dependencies
        if d.ecosystem == "python" and not d.extra and normal(d.name) not in tools
    ]


def _requirement(name: str, declared: Dependency | None) -> Requirement:
    """A requirement, with the lab's own bounds where it declares some; an import's name is put right."""
    specifier = declared.specifier.split(";")[0].strip() if declared else ""
    specifier = specifier.strip("()") if re.fullmatch(r"\(?[<>=!~\d.,*\s\w]*\)?", specifier) else ""
    asked = distribution_of(name)
    return Requirement(f"{asked}{specifier.replace(' ', '')}", asked, declared)


def _declared_python(snapshot: Snapshot) -> str:
    """The minor version of Python that an environment file of the lab pins; empty where none does."""
    pins = (d.specifier for d in snapshot.dependencies if normal(d.name) == "python" and not d.extra)
    found = (re.match(r"={1,2}\s*(3\.\d+)", pin) for pin in pins)
    return next((match[1] for match in found if match), "")


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
    """Add a pip requirement to a draft's ``environment.yaml``; ``False`` where it changes nothing.

    A requirement of a package that is asked for without versions takes its place; an exact pin is kept.
    """
    asked = pip_requirements(folder)
    name = name_of(requirement)
    same = [item for item in asked if name_of(item) == name]
    if requirement in asked or (same and (requirement == name or any("==" in item for item in same))):
        return False
    set_requirements(
        folder, [*(item for item in asked if name_of(item) != name or item != name), requirement]
    )
    return True


def name_of(requirement: str) -> str:
    """The normal name of the package that a requirement asks for."""
    return normal(re.split(r"[^\w.-]", requirement.strip(), maxsplit=1)[0])


def pip_requirements(folder: Path) -> list[str]:
    """The pip requirements of a draft's ``environment.yaml``."""
    content = yaml.safe_load((folder / "environment.yaml").read_text(encoding="utf-8"))
    listed = (item["pip"] for item in content["dependencies"] if isinstance(item, dict))
    return [str(text) for text in next(listed, [])]


def python_of(folder: Path) -> str:
    """The minor version of Python that a draft asks for; the usual one where it asks for none."""
    text = (folder / "environment.yaml").read_text(encoding="utf-8")
    found = re.search(r"python\s*=+\s*(3\.\d+)", text)
    return found[1] if found else PYTHONS[0]


def set_python(folder: Path, version: str) -> bool:
    """Ask for another minor version of Python in ``environment.yaml``; ``False`` if it is that one."""
    if python_of(folder) == version:
        return False
    path = folder / "environment.yaml"
    text = path.read_text(encoding="utf-8")
    write_text(path, re.sub(r"python\s*=+\s*3\.\d+[\w.=]*", f"python={version}", text, count=1))
    return True


def set_requirements(folder: Path, requirements: Iterable[str]) -> None:
    """Write the pip requirements of a draft's ``environment.yaml``."""
    path = folder / "environment.yaml"
    content = yaml.safe_load(path.read_text(encoding="utf-8"))
    others = [item for item in content["dependencies"] if not isinstance(item, dict)]
    content["dependencies"] = [*others, {"pip": list(dict.fromkeys(requirements))}]
    write_text(path, yaml.safe_dump(content, sort_keys=False))
