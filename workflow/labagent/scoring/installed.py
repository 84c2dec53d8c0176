"""Versions of what a run could use, from the records of its environment and of the run itself."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

R = "r"
_CONDA_R = re.compile(r"^(?:r|bioconductor)-(?P<name>.+)$")
_MAPPED_R = re.compile(r"^R package (?P<name>\S+) (?P<version>\S+)$")
_MACHINE_R = re.compile(r"^R (?P<version>\d\S*)$")


def installed_versions(
    lock: Iterable[str], *, mapped: Mapping[str, str], layer: Iterable[str], python: str = ""
) -> dict[str, str]:
    """Versions by canonical name, in which case, ``-``, ``_`` and ``.`` do not count.

    An R package has its plain name, where no Python package has it, and always ``r-<name>``; R itself is
    ``r``. What the run put into its layer goes before what it was given.

    Args:
        lock: the environment's packages, ``name==version``; conda's names of R packages are understood.
        mapped: what the environment took from the machine, ``R 4.2.2``, ``R package susieR 0.12.35``.
        layer: what the run installed, ``name==version`` and ``r:name==version``.
        python: the environment's Python.
    """
    packages, in_r = _locked(lock)
    in_r |= _from_machine(mapped)
    for line in layer:
        name, version = _pair(line)
        if name.startswith("r:"):
            in_r[canonical(name[2:])] = version
        elif version:
            packages[canonical(name)] = version
    if python:
        packages["python"] = python
    return {**in_r, **{f"r-{name}": version for name, version in in_r.items()}, **packages}


def canonical(name: str) -> str:
    """A package's name as pip compares it; ``r:susieR`` and ``bioconductor-x`` as conda's ``r-``."""
    from packaging.utils import canonicalize_name

    plain = canonicalize_name(name.strip().replace(":", "-"))
    return re.sub(r"^bioconductor-", "r-", plain)


def _locked(lock: Iterable[str]) -> tuple[dict[str, str], dict[str, str]]:
    """Packages of a lock: Python's and others, R's."""
    packages: dict[str, str] = {}
    in_r: dict[str, str] = {}
    for line in lock:
        name, version = _pair(line)
        match = _CONDA_R.match(name.lower())
        if name.lower() == "r-base":
            in_r[R] = version
        elif match:
            in_r[canonical(match["name"])] = version
        elif version:
            packages[canonical(name)] = version
    return packages, in_r


def _from_machine(mapped: Mapping[str, str]) -> dict[str, str]:
    """R and its packages, as the environment found them on the machine."""
    found: dict[str, str] = {}
    for said in mapped.values():
        if match := _MAPPED_R.match(said):
            found[canonical(match["name"])] = match["version"]
        elif match := _MACHINE_R.match(said):
            found[R] = match["version"]
    return found


def _pair(line: str) -> tuple[str, str]:
    """Name and version of a line ``name==version``; no version where it says none."""
    name, _, version = line.partition("==")
    return name.strip(), version.strip()
