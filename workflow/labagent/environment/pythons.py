"""The Python interpreters of this machine; nothing is downloaded."""

from __future__ import annotations

import json
import os
import re
import subprocess
from functools import lru_cache
from pathlib import Path

from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.version import Version

from labagent.environment.outcome import BuildFailed
from labagent.environment.versions import specifiers
from labagent.models.base import Record

_ASK = """
import json, platform, sys
print(json.dumps({
    "version": platform.python_version(),
    "prefix": getattr(sys, "base_prefix", sys.prefix),
    "implementation": platform.python_implementation(),
    "platform": sys.platform + "-" + platform.machine(),
}))
"""


class Interpreter(Record):
    """A Python of this machine: its program and the folder it lives in."""

    program: str
    version: str
    prefix: str
    implementation: str
    platform: str


def find_python(wanted: str, default: str) -> tuple[Interpreter, str]:
    """The newest Python that fits.

    Args:
        wanted: version part of the dependency ``python`` in conda's form, may be empty.
        default: minor version where ``wanted`` is empty.

    Returns:
        The interpreter, and a remark when only its patch version differs from the one pinned.

    Raises:
        BuildFailed: class ``python_version``, naming the versions this machine has.
    """
    found = interpreters()
    try:
        allowed = SpecifierSet(specifiers(wanted) or f"=={default}.*")
    except InvalidSpecifier as error:
        raise BuildFailed("python_version", f'"python{wanted}" is no version constraint') from error
    fitting = [python for python in found if allowed.contains(python.version, prereleases=True)]
    if fitting:
        return fitting[-1], ""
    if pinned := re.fullmatch(r"={1,2}(3\.\d+)\.\d+(=.*)?", wanted):
        near = [python for python in found if python.version.startswith(pinned[1] + ".")]
        if near:
            return near[-1], f"{near[-1].version} ({wanted.lstrip('=')} was asked for)"
    versions = ", ".join(python.version for python in found) or "none"
    raise BuildFailed(
        "python_version",
        f"no Python {allowed} on this machine (it has {versions}): install one, or use conda",
    )


def interpreters() -> list[Interpreter]:
    """All CPython 3 of this machine, one a version, oldest first."""
    asked = (ask(str(program)) for program in _programs())
    by_version = {python.version: python for python in asked if python}
    return sorted(by_version.values(), key=lambda python: Version(python.version))


@lru_cache(maxsize=64)
def ask(program: str) -> Interpreter | None:
    """What an interpreter says of itself; ``None`` for one that does not run or is no CPython 3."""
    try:
        done = subprocess.run(
            [program, "-I", "-c", _ASK],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=10,
            check=True,
        )
        python = Interpreter(program=program, **json.loads(done.stdout))
    except (OSError, subprocess.SubprocessError, ValueError):
        return None
    return python if python.implementation == "CPython" and python.version.startswith("3.") else None


def _programs() -> list[Path]:
    """Programs ``python3.N``, later ones preferred: system, pyenv, uv, then PATH without pyenv's shims."""
    home = Path.home()
    pyenv = Path(os.environ.get("PYENV_ROOT", home / ".pyenv"))
    folders = [Path("/usr/bin"), Path("/usr/local/bin")]
    folders += sorted((pyenv / "versions").glob("*/bin"))
    folders += sorted((home / ".local/share/uv/python").glob("cpython-*/bin"))
    folders += [Path(p) for p in os.environ.get("PATH", "").split(":") if p and "shims" not in p]
    found: dict[Path, None] = {}
    for folder in folders:
        for program in sorted(folder.glob("python3.*")):
            if re.fullmatch(r"python3\.\d+", program.name):
                found[program.resolve()] = None
    return list(found)
