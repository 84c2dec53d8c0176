"""Fixes of a run as edits of the skill: requirements go to ``environment.yaml``, commands before the step."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Mapping
from pathlib import Path

import yaml

from labagent.explore.patching.steps import Cleared
from labagent.files import write_text
from labagent.models.exploration import Edit
from labagent.skills.imports import normal

ENVIRONMENT = "environment.yaml"
PIP = re.compile(r"^(?:\S*/)?(?:python[\d.]*\s+-m\s+|uv\s+)?pip[\d.]*\s+install\s+(?P<rest>.+)$", re.S)
CONDA = re.compile(r"^(?:\S*/)?(?:conda|mamba|micromamba)\s+install\s+(?P<rest>.+)$", re.S)
R_INSTALL = re.compile(r"install\.packages\(\s*(?:c\()?(?P<names>[\"'][\w.\"', ]+)\)?")
WITH_VALUE = frozenset(
    {"-i", "--index-url", "--extra-index-url", "-c", "-n", "-p", "--channel", "--find-links"}
)
NAME = re.compile(r"^[A-Za-z0-9][A-Za-z0-9._-]*")
PLACES = (("/data/", "$LABAGENT_DATA/"), ("/skill/", "$LABAGENT_SKILL/"), ("/run/", ""))
HOST_PATH = re.compile(r"(?<![\w./$}-])/(?!dev/null\b|tmp\b|usr\b|bin\b|etc\b)[\w.-]+")
VERSION = re.compile(r"^(?P<head>\s+version:\s*[\"']?)(?P<major>\d+)\.(?P<minor>\d+)(?P<tail>.*)$", re.M)
CONSTRAINT = re.compile(r"[=<>~!@\[]")


def apply_fixes(
    folder: Path, cleared: Iterable[Cleared], installed: Mapping[str, str]
) -> tuple[list[Edit], list[str]]:
    """Change a skill so that its steps run as they did after the run's fixes.

    Args:
        folder: a copy of the skill, changed in place.
        cleared: failing steps, in order.
        installed: versions the run's fixes put on top of its environment, by normal name.

    Returns:
        The edits made, and what could not be made one, with the reason.
    """
    edits, left = list[Edit](), list[str]()
    inserts: list[tuple[Cleared, str]] = []
    for item in cleared:
        if not item.cleared:
            left.append(f"turn {item.turn}, {item.step.name}: nothing in the run cleared {item.key_line!r}")
            continue
        for fix in item.fixes:
            requirements = pip_requirements(fix, installed)
            if requirements:
                edits += [_require(folder, text, fix, item.turn) for text in requirements]
            elif conda := conda_requirements(fix):
                edits += [_require(folder, text, fix, item.turn, conda=True) for text in conda]
            elif portable := _portable(fix):
                inserts.append((item, portable))
            else:
                left.append(f"turn {item.turn}, {item.step.name}: {fix!r} names places of its machine")
        if item.code:
            inserts.append((item, ""))
    # From the end of a file to its beginning, so that line numbers stay right.
    for item, fix in sorted(inserts, key=lambda pair: (pair[0].step.path, -pair[0].step.block.line)):
        edits.append(_insert(folder, item, fix) if fix else _replace(folder, item))
    return [edit for edit in edits if edit.change], left


def pip_requirements(command: str, installed: Mapping[str, str]) -> list[str]:
    """Requirements a ``pip install`` names; one without a version gets the one that was installed."""
    match = PIP.match(command.strip())
    if not match or re.search(r"[;&|]", re.sub(r"'[^']*'|\"[^\"]*\"", "", match["rest"])):
        return []
    words = _words(match["rest"])
    if any(re.match(r"(?:\.|/|git\+|https?:|-r$|-e$)", word) for word in words):
        return []
    return [
        word if CONSTRAINT.search(word) or not (found := installed.get(normal(word))) else f"{word}=={found}"
        for word in words
    ]


def conda_requirements(command: str) -> list[str]:
    """Requirements a ``conda install`` or R's ``install.packages`` names, as conda writes them."""
    if match := CONDA.match(command.strip()):
        return _words(match["rest"])
    if match := R_INSTALL.search(command):
        return [f"r-{name.lower()}" for name in re.findall(r"[\w.]+", match["names"])]
    return []


def bump(folder: Path) -> None:
    """Count up the version that a skill's metadata names, where it names one."""
    path = folder / "SKILL.md"
    text = path.read_text(encoding="utf-8")
    end = text.find("\n---", 3)
    head = VERSION.sub(
        lambda m: f"{m['head']}{m['major']}.{int(m['minor']) + 1}{m['tail']}", text[:end], count=1
    )
    write_text(path, head + text[end:])


def _words(rest: str) -> list[str]:
    """Words of a command that are no options."""
    try:
        words = shlex.split(rest)
    except ValueError:
        return []
    kept, skip = list[str](), False
    for word in words:
        if not skip and not word.startswith("-"):
            kept.append(word)
        skip = word in WITH_VALUE
    return kept


def _require(folder: Path, requirement: str, fix: str, turn: int, *, conda: bool = False) -> Edit:
    """Put a requirement into ``environment.yaml`` in the place of any of the same name."""
    path = folder / ENVIRONMENT
    content = yaml.safe_load(path.read_text(encoding="utf-8"))
    items: list[object] = list(content.get("dependencies") or [])
    match = NAME.match(requirement)
    name = normal(match[0]) if match else requirement
    inner = next((list(i["pip"] or []) for i in items if isinstance(i, dict) and "pip" in i), None)
    gone = [str(i) for i in [*items, *(inner or [])] if isinstance(i, str) and _named(i) == name]
    plain = [i for i in items if not isinstance(i, dict) and not (isinstance(i, str) and _named(i) == name)]
    pip = [i for i in inner or [] if _named(str(i)) != name]
    if conda:
        plain.append(requirement)
    else:
        pip.append(requirement)
        plain += [] if "pip" in plain else ["pip"]
    content["dependencies"] = [*plain, *([{"pip": pip}] if pip else [])]
    changed = requirement not in gone
    if changed:
        write_text(path, yaml.safe_dump(content, sort_keys=False))
    change = f"{requirement}{f' in place of {gone[0]}' if gone else ''}" if changed else ""
    return Edit(file=ENVIRONMENT, change=change, fix=fix, turn=turn)


def _named(requirement: str) -> str:
    """The normal name of a requirement."""
    match = NAME.match(requirement)
    return normal(match[0]) if match else requirement


def _portable(fix: str) -> str:
    """A command free of the run's places; empty where it names others of its machine."""
    for place, instead in PLACES:
        fix = re.sub(rf"(?<![\w./]){re.escape(place)}", instead, fix)
    fix = re.sub(r"(?<![\w./])/(data|skill)(?![\w/])", lambda m: f"$LABAGENT_{m[1].upper()}", fix)
    fix = re.sub(r"(?<![\w./])/run(?![\w/])", ".", fix)
    return "" if HOST_PATH.search(fix) else fix


def _insert(folder: Path, item: Cleared, fix: str) -> Edit:
    """Put a command as a block of its own before the step that failed without it."""
    path = folder / item.step.path
    lines = path.read_text(encoding="utf-8").split("\n")
    fence = item.step.block.line - 2  # the line that opens the block
    said = f"This comes first: without it the next block failed in a run ({item.failure_class})."
    lines[fence:fence] = [said, "", "```bash", *fix.split("\n"), "```", ""]
    write_text(path, "\n".join(lines))
    return Edit(file=item.step.path, change=f"a block before {item.step.name}", fix=fix, turn=item.turn)


def _replace(folder: Path, item: Cleared) -> Edit:
    """Put the code that ran in the place of the block that did not."""
    path = folder / item.step.path
    lines = path.read_text(encoding="utf-8").split("\n")
    first = item.step.block.line - 1
    count = item.step.block.code.count("\n")
    lines[first : first + count] = item.code.rstrip("\n").split("\n")
    write_text(path, "\n".join(lines))
    change = f"the code of {item.step.name} as it ran after {item.failure_class}"
    return Edit(file=item.step.path, change=change, fix=item.code, turn=item.turn)
