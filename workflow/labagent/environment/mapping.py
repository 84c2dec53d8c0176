"""What the venv builder makes of a conda environment: index packages, the machine's R and programs."""

from __future__ import annotations

import re
import subprocess
from functools import lru_cache
from importlib import resources
from typing import Any

import yaml
from packaging.specifiers import SpecifierSet
from packaging.version import InvalidVersion, Version

from labagent.environment.outcome import BuildFailed
from labagent.environment.spec import CondaRequirement, EnvironmentSpec
from labagent.environment.versions import specifiers
from labagent.models.base import Record
from labagent.models.config import SandboxSettings
from labagent.sandbox import find_command

_R_PACKAGE = re.compile(r"^(?:r|bioconductor)-(.+)$")
_LIST_R = (
    'p <- installed.packages(noCache = TRUE)[, c("Package", "Version")]; '
    'cat(R.version$major, R.version$minor, sep = "."); cat("\\n"); cat(paste(p[, 1], p[, 2]), sep = "\\n")'
)
# A part of every conda environment with Python, so its users count on it.
_ALWAYS = ("pip", "setuptools", "wheel")


class Plan(Record):
    """Requirements for the package index, and what comes from the machine (name → what is used).

    ``unisolated`` and ``build`` are those of the specification.
    """

    requirements: tuple[str, ...]
    mapped: dict[str, str]
    unisolated: tuple[str, ...] = ()
    build: tuple[str, ...] = ()


def plan(spec: EnvironmentSpec) -> Plan:
    """Divide a specification.

    Raises:
        BuildFailed: something is neither on the index nor on this machine; names it and what to do.
    """
    table = _table()
    requirements: list[str] = []
    mapped: dict[str, str] = {}
    for part in spec.conda:
        if part.name in table["ignored"]:
            continue
        if part.name == "r-base" or part.name == "r-essentials":
            mapped[part.name] = f"R {_checked_r(part)}"
        elif _R_PACKAGE.match(part.name):
            mapped[part.name] = _r_package(part)
        elif part.name in table["programs"]:
            mapped[part.name] = _program(part.name, table["programs"][part.name])
        else:
            requirements.append(_index_requirement(part, table["index"]))
    requirements += spec.pip
    named = {re.split(r"[^A-Za-z0-9._-]", text, maxsplit=1)[0].lower() for text in requirements}
    requirements += [name for name in _ALWAYS if name not in named]
    return Plan(
        requirements=tuple(sorted(set(requirements))),
        mapped=dict(sorted(mapped.items())),
        unisolated=spec.unisolated,
        build=spec.build,
    )


@lru_cache(maxsize=1)
def _table() -> dict[str, Any]:
    """``names.yaml``."""
    text = resources.files("labagent.environment").joinpath("names.yaml").read_text("utf-8")
    table: dict[str, Any] = yaml.safe_load(text)
    return table


def index_name(name: str) -> str:
    """The package index' name of a conda package."""
    return str(_table()["index"].get(name, name))


def _index_requirement(part: CondaRequirement, names: dict[str, str]) -> str:
    """A conda requirement in the words of the index."""
    try:
        return names.get(part.name, part.name) + specifiers(part.version)
    except ValueError as error:
        raise BuildFailed(
            "resolver_conflict", f"{part.name}: {error}; write one range, or use conda"
        ) from error


def _program(name: str, program: str) -> str:
    """A program that the commands of a run will find."""
    if found := find_command(program, SandboxSettings()):
        return found
    raise BuildFailed(
        "missing_command",
        f'{name}: the program "{program}" is not on this machine; install it for all users, or use conda',
    )


def _checked_r(part: CondaRequirement) -> str:
    """The machine's R, if it is there and of a version that was asked for."""
    version = _r()[0]
    if not version:
        raise BuildFailed(
            "missing_command", f"{part.name}: R is not on this machine; install r-base, or use conda"
        )
    _check_version("R", version, part)
    return version


def _r_package(part: CondaRequirement) -> str:
    """An installed R package; conda's names are in lower case."""
    _checked_r(CondaRequirement(name=part.name))
    match = _R_PACKAGE.match(part.name)
    wanted = match[1] if match else part.name
    found = {name.lower(): (name, version) for name, version in _r()[1].items()}.get(wanted)
    if not found:
        raise BuildFailed(
            "r_package_missing",
            f'{part.name}: the R package "{wanted}" is not installed in this machine\'s R; '
            "install it for all users (on Debian: r-cran-… or r-bioc-…), or use conda",
        )
    _check_version(found[0], found[1], part)
    return f"R package {found[0]} {found[1]}"


def _check_version(what: str, version: str, part: CondaRequirement) -> None:
    """Refuse a version of the machine's that does not fit."""
    wanted = specifiers(part.version)
    try:
        fits = SpecifierSet(wanted).contains(Version(version.replace("-", ".")), prereleases=True)
    except InvalidVersion:
        fits = not wanted
    if not fits:
        raise BuildFailed(
            "r_package_missing",
            f"{part.name}{part.version}: this machine has {what} {version}; "
            "change the version asked for, install that one, or use conda",
        )


@lru_cache(maxsize=1)
def _r() -> tuple[str, dict[str, str]]:
    """The machine's R version and its packages; empty where there is no R."""
    program = find_command("Rscript", SandboxSettings())
    if not program:
        return "", {}
    done = subprocess.run(
        [program, "--vanilla", "-e", _LIST_R],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    lines = done.stdout.splitlines()
    if done.returncode or not lines:
        return "", {}
    return lines[0].strip(), dict(line.split(" ", 1) for line in lines[1:] if " " in line)
