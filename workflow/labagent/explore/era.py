"""Versions as they were when a lab was released: pins for what its draft asks for."""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from collections.abc import Sequence
from datetime import date, timedelta
from pathlib import Path

from labagent.sandbox.variables import allowed_variables

# Binary packages for a Python are common some months after its release; before, nothing but sources fits.
WHEELS_SINCE = {
    "3.8": date(2020, 4, 1),
    "3.9": date(2021, 4, 1),
    "3.10": date(2022, 4, 1),
    "3.11": date(2023, 4, 1),
    "3.12": date(2024, 4, 1),
    "3.13": date(2025, 4, 1),
}
AFTER = timedelta(days=30)
SECONDS = 180.0
PIN = re.compile(r"^([A-Za-z0-9][\w.-]*)==([^\s;\\]+)", re.MULTILINE)


def era_pins(requirements: Sequence[str], python: str, released: str) -> tuple[str, ...]:
    """All packages that the requirements bring, pinned to the newest of a lab's days.

    Only what packages say of themselves is read: nothing is built or run.

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
    with tempfile.TemporaryDirectory(prefix="labagent-era-") as folder:
        wanted = Path(folder) / "requirements.in"
        wanted.write_text("".join(f"{line}\n" for line in requirements), encoding="utf-8")
        words = [_uv(), "pip", "compile", "--quiet", "--no-header", "--no-annotate", "--no-build"]
        words += ["--python-version", python, "--exclude-newer", day.isoformat(), str(wanted)]
        home = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
        try:
            done = subprocess.run(
                words,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                timeout=SECONDS,
                check=False,
                env={**allowed_variables(os.environ), **home},
            )
        except subprocess.TimeoutExpired:
            return ()
    return tuple(sorted(f"{n}=={v}" for n, v in PIN.findall(done.stdout))) if done.returncode == 0 else ()


def _uv() -> str:
    """The program that the ``uv`` package ships."""
    import uv

    return str(uv.find_uv_bin())
