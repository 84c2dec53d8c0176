"""Versions as they were when a lab was released: pins for what its draft asks for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

from labagent.environment.outcome import BuildFailed
from labagent.environment.pythons import find_python
from labagent.environment.shell import BuildShell
from labagent.environment.store import state_folder
from labagent.models.config import EnvironmentSettings
from labagent.sandbox import Mount

# Binary packages for a Python are common some months after its release; before, nothing but sources fits.
WHEELS_SINCE = {
    "3.8": date(2020, 4, 1),
    "3.9": date(2021, 4, 1),
    "3.10": date(2022, 4, 1),
    "3.11": date(2023, 4, 1),
    "3.12": date(2024, 4, 1),
    "3.13": date(2025, 4, 1),
}
OLDEST = "3.7"
AFTER = timedelta(days=30)
SECONDS = 180.0
PIN = re.compile(r"^([A-Za-z0-9][\w.-]*)==([^\s;\\]+)", re.MULTILINE)


def era_python(released: str) -> str:
    """The newest Python that had binary packages on a lab's day; empty where that is not known."""
    try:
        day = date.fromisoformat(released)
    except ValueError:
        return ""
    return next((python for python, since in reversed(WHEELS_SINCE.items()) if since <= day), OLDEST)


@dataclass(frozen=True)
class Resolver:
    """How versions are looked up: settings of environments, the project's folder, and a log."""

    settings: EnvironmentSettings
    root: Path
    log: Path

    def pins(self, requirements: Sequence[str], python: str, released: str) -> tuple[str, ...]:
        """All packages that the requirements bring, pinned to the newest of a lab's days.

        What has to be built to know what it needs is built in the sandbox.

        Args:
            requirements: as they stand in ``environment.yaml``.
            python: minor version.
            released: the day of the lab (``YYYY-MM-DD``).

        Returns:
            ``name==version``, sorted; empty where the day is not known or nothing of then fits together.
        """
        try:
            day = date.fromisoformat(released) + AFTER
        except ValueError:
            return ()
        day = max(day, WHEELS_SINCE.get(python, day))
        try:
            printed = self._compile(requirements, python, day)
        except BuildFailed:
            return ()
        return tuple(sorted(f"{name}=={version}" for name, version in PIN.findall(printed)))

    def _compile(self, requirements: Sequence[str], python: str, day: date) -> str:
        """What uv resolves for a day; empty where nothing fits."""
        program, _ = find_python(f"={python}", self.settings.python)
        cache = state_folder(self.root, self.settings.prefix) / "cache" / "uv"
        cache.mkdir(parents=True, exist_ok=True)
        mounts = [Mount(cache, str(cache), writable=True), Mount(Path(_uv()), _uv())]
        if not program.prefix.startswith("/usr"):
            mounts.append(Mount(Path(program.prefix), program.prefix))
        variables = {"UV_CACHE_DIR": str(cache)}
        with BuildShell(log=self.log, mounts=mounts, variables=variables, seconds=SECONDS) as shell:
            wanted, locked = shell.folder / "requirements.in", shell.folder / "requirements.txt"
            wanted.write_text("".join(f"{line}\n" for line in requirements), encoding="utf-8")
            words = [_uv(), "pip", "compile", "--quiet", "--no-header", "--no-annotate"]
            words += ["--python", program.program, "--exclude-newer", day.isoformat()]
            done = shell.run([*words, str(wanted), "--output-file", str(locked)], sandboxed=True)
            return locked.read_text(encoding="utf-8") if done.status == 0 else ""


def _uv() -> str:
    """The program that the ``uv`` package ships."""
    import uv

    return str(uv.find_uv_bin())
