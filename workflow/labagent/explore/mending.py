"""Changes of a draft's environment when it fails: a missing module, a known fix, versions of then."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from pathlib import Path, PurePosixPath

import yaml

from labagent.explore.era import Resolver, era_python
from labagent.explore.requirements import (
    PYTHONS,
    add_requirement,
    name_of,
    pip_requirements,
    python_of,
    requirement_for,
    set_python,
    set_requirements,
)
from labagent.files import write_text
from labagent.memory.fixes import can_render, render_fix
from labagent.memory.match import match
from labagent.models.memory import Lesson
from labagent.skills.imports import normal

MISSING = re.compile(r"(?:ModuleNotFoundError|ImportError): No module named '?([\w.]+)'?")
INSTALL = re.compile(r"^(?:python3? -m )?pip install (.+)$")
REQUIREMENT = re.compile(
    r"[A-Za-z0-9][\w.-]*(?:\[[\w,.-]+\])?(?:[<>=!~]=?=?[\w.*+!-]+(?:,[<>=!~]=?=?[\w.*+!-]+)*)?"
)
UNBUILT = re.compile(r"Failed to build `([A-Za-z0-9][\w.-]*)(?:\[[^\]`]*\])?==")
LISTED = "for name in ["
FOLDER = re.compile(r"mkdir -p \{(folder|path)\}$")
START = "```bash\ncd source\n"
RUN = "tier 3, run"
UNRESOLVED = ("tier 3, build", "tier 2, resolve")
BROKEN = ("tier 3, run", "tier 3, build", "tier 2, resolve")


@dataclass
class Mender:
    """Mends a draft once for each failure; what was learned on one draft is given to the next ones, too."""

    released: str
    lessons: Sequence[Lesson] = ()
    resolver: Resolver | None = None
    learned: list[str] = field(default_factory=list)
    era_tried: bool = False
    loosened: bool = False
    unbuilt: list[str] = field(default_factory=list)
    other_python: bool = False
    python: str = ""

    def prepare(self, folder: Path) -> None:
        """Give a new draft what helped others."""
        if self.python:
            set_python(folder, self.python)
        if self.other_python:
            set_python(folder, PYTHONS[0])
        for requirement in self.learned:
            add_requirement(folder, requirement)
        for name in self.unbuilt:
            _leave_out(folder, name)

    def mend(self, folder: Path, reason: str, output: str) -> str:
        """Change a draft's ``environment.yaml`` after a failure.

        Args:
            folder: the draft.
            reason: why it was refused.
            output: what the failing step printed.

        Returns:
            What was changed; empty where nothing is known that could help.
        """
        if not reason.startswith(BROKEN):
            return ""
        if "python_version" in reason and set_python(folder, PYTHONS[0]):
            self.other_python = True
            return f"Python {PYTHONS[0]} instead of the one the lab names, which is not to be had here"
        missing = MISSING.search(reason)
        own = missing is not None and missing[1].split(".")[0] in sys.stdlib_module_names
        if missing and not own and self._add(folder, requirement_for(missing[1])):
            return f"added {requirement_for(missing[1])}"
        for requirements in self._known(f"{output}\n{reason}"):
            added = [text for text in requirements if self._add(folder, text)]
            if added:
                return f"added {', '.join(added)}, which the memory knows for this failure"
        made = _add_folder(folder, f"{output}\n{reason}", self.lessons) or _put_right(folder, reason)
        made = made or self._era(folder) or self._loosened(folder, reason)
        return made or self._without_unbuilt(folder, reason) or self._era_python(folder, reason)

    def _add(self, folder: Path, requirement: str) -> bool:
        """Add a requirement and remember it; ``False`` where it is there already or cannot be built."""
        if name_of(requirement) in self.unbuilt or not add_requirement(folder, requirement):
            return False
        self.learned.append(requirement)
        return True

    def _known(self, output: str) -> list[list[str]]:
        """Requirements that fixed this failure elsewhere: of lessons whose fix is one installation."""
        found = match(output, self.lessons, status=1)
        installs = [INSTALL.match(lesson.fix) for lesson in found.lessons]
        listed = [shlex.split(m[1]) for m in installs if m and "{" not in m[1]]
        return [words for words in listed if all(REQUIREMENT.fullmatch(word) for word in words)]

    def _era(self, folder: Path) -> str:
        """Pin everything to the lab's days, once."""
        if self.era_tried or self.resolver is None:
            return ""
        self.era_tried = True
        pins = self.resolver.pins(pip_requirements(folder), python_of(folder), self.released)
        if not pins:
            return ""
        set_requirements(folder, pins)
        self.learned += pins
        return f"pinned {len(pins)} packages to the days of the release ({self.released})"

    def _era_python(self, folder: Path, reason: str) -> str:
        """Take the Python of the lab's days with versions of then, once, where code or a build broke."""
        python = era_python(self.released)
        broke = reason.startswith(RUN) or "Failed to build" in reason
        if self.python or self.other_python or self.resolver is None or not broke:
            return ""
        self.python = python
        loose = [re.sub(r"==[\w.*+!-]+", "", text) for text in pip_requirements(folder)]
        pins = self.resolver.pins(loose, python, self.released) if python else ()
        if not pins or not set_python(folder, python):
            return ""
        set_requirements(folder, pins)
        self.learned[:] = pins
        return f"Python {python} and {len(pins)} packages of the days of the release ({self.released})"

    def _without_unbuilt(self, folder: Path, reason: str) -> str:
        """Leave out a dependency that cannot be built; what needs it will say so, and not everything does."""
        found = UNBUILT.search(reason) if reason.startswith(UNRESOLVED) else None
        name = normal(found[1]) if found else ""
        if not name or not _leave_out(folder, name):
            return ""
        self.unbuilt.append(name)
        self.learned[:] = [text for text in self.learned if name_of(text) != name]
        return f"left out {name}, which cannot be built here"

    def _loosened(self, folder: Path, reason: str) -> str:
        """Take out exact versions that cannot be had together any more, once."""
        asked = pip_requirements(folder)
        loose = [re.sub(r"==[\w.*+!-]+", "", text) for text in asked]
        if self.loosened or loose == asked or not reason.startswith(UNRESOLVED):
            return ""
        self.loosened = True
        resolver = self.resolver
        pins = resolver.pins(loose, python_of(folder), self.released) if resolver else ()
        set_requirements(folder, pins or loose)
        self.learned += pins
        return f"exact versions left out, since they cannot be had together: {', '.join(asked)}"[:300]


def _leave_out(folder: Path, name: str) -> bool:
    """Take a package out of what a draft asks for and looks for; ``False`` where it asks for none."""
    asked = pip_requirements(folder)
    kept = [text for text in asked if name_of(text) != name]
    if kept == asked:
        return False
    set_requirements(folder, kept)
    path = folder / "references" / "environment.md"
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    head, listed, rest = text.partition(LISTED)
    if listed:
        inside, _, after = rest.partition("]")
        names = [item for item in inside.split(", ") if normal(item.strip("'\"")) != name]
        note = (
            f"The lab declares `{name}`, which cannot be built here and is left out: what needs it stops.\n\n"
        )
        head = head.replace("```python\n", f"{note}```python\n", 1)
        write_text(path, f"{head}{listed}{', '.join(names)}]{after}")
    return True


def _add_folder(folder: Path, output: str, lessons: Sequence[Lesson]) -> str:
    """Let a draft of a command make a folder that the command misses, where the memory knows this fix."""
    path = folder / "references" / "run.md"
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    found = match(output, lessons, status=1)
    for lesson in found.lessons:
        if not FOLDER.match(lesson.fix) or not can_render(lesson.fix, found.groups) or START not in text:
            continue
        command = render_fix(lesson.fix, found.groups, {})
        inside = PurePosixPath(shlex.split(command)[-1])
        if not inside.is_absolute() and ".." not in inside.parts and f"\n{command}\n" not in text:
            write_text(path, text.replace(START, f"{START}{command}\n", 1))
            return f"made the folder {inside}, which the command expects"
    return ""


def _put_right(folder: Path, reason: str) -> str:
    """Let a draft of a command put names of the standard library right that moved since (``moved.yaml``)."""
    path = folder / "references" / "run.md"
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    for row in _moved():
        found = re.search(row["pattern"], reason)
        command = row["fix"].replace("{name}", found["name"]) if found else ""
        if command and START in text and command not in text:
            line = f"# A departure: the released code is older than this Python.\n{command}\n"
            write_text(path, text.replace(START, f"{START}{line}", 1))
            return f"{found['name'] if found else ''} is imported from where it is now"
    return ""


@cache
def _moved() -> list[dict[str, str]]:
    """The rows of ``moved.yaml``."""
    text = resources.files("labagent.explore").joinpath("moved.yaml").read_text("utf-8")
    rows: list[dict[str, str]] = yaml.safe_load(text)
    return rows
