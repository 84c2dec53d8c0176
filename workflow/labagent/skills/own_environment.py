"""The environment of tool skills: the one that labagent itself runs in, read-only."""

from __future__ import annotations

import platform
import sys
from pathlib import Path

import labagent
from labagent.files import sha256_json
from labagent.models.run import EnvironmentRecord
from labagent.sandbox import Mount

DISTRIBUTION = "labagent"


def own_environment() -> EnvironmentRecord:
    """A record of it; the lock's hash changes with the version of labagent and of any tool."""
    from labagent.tools import registry

    tools = tuple(f"{name}=={tool.version}" for name, tool in registry().items())
    lock = (f"{DISTRIBUTION}=={labagent.__version__}", *tools)
    return EnvironmentRecord(
        status="ready",
        builder="venv",
        prefix=sys.prefix,
        python=platform.python_version(),
        lock=lock,
        lock_sha256=sha256_json(list(lock)),
        reused=True,
    )


def own_package() -> Mount:
    """The package where it lies, which is outside of the environment where it is installed editable."""
    folder = Path(labagent.__file__).resolve().parent
    return Mount(folder, str(folder))
