"""Running a problem's own scripts: in the sandbox, without network, each in a folder of its own."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

from labagent.errors import InputError, InputFault
from labagent.sandbox import Limits, Mount, open_sandbox
from labagent.scoring.importers._writing import ImportOptions

LIMITS = Limits(seconds=600, mem_mb=4000, processes=256, disk_mb=4000, cores=1)


def run_script(
    root: Path,
    name: str,
    arguments: Sequence[str],
    *,
    mounts: dict[str, tuple[Path, bool]],
    place: Path,
    options: ImportOptions,
) -> None:
    """Run ``python SCRIPT ARGUMENTS`` with this Python.

    Args:
        root: the problem's folder, seen as ``/problem``.
        name: the script's path in it.
        arguments: those that name a place of ``mounts`` are put as the script sees it.
        mounts: host folder by place inside, and whether it may be written to.
        place: scratch, made here; receives what was printed.
        options: the sandbox, and whether scripts may run without one.

    Raises:
        InputError: the script failed or was stopped, or there is no sandbox and ``trust`` is not set.
    """
    script = root / name
    (place / "tmp").mkdir(parents=True, exist_ok=True)
    prefixes = {Path(sys.prefix), Path(sys.base_prefix)}  # mounted where they are, for sys.executable
    outside = [p for p in prefixes if not p.is_relative_to("/usr")]
    sandbox = open_sandbox(
        options.sandbox.model_copy(update={"network": "off"}),
        mounts=[
            Mount(root, "/problem"),
            Mount(place / "tmp", "/tmp", writable=True),
            *(Mount(host, inside, writable) for inside, (host, writable) in mounts.items()),
            *(Mount(prefix, str(prefix)) for prefix in sorted(outside)),
        ],
        variables={"PYTHONDONTWRITEBYTECODE": "1", "PYTHONHASHSEED": "0"},
        cwd="/tmp",
        limits=LIMITS,
    )
    try:
        if sandbox.record.kind == "none" and not options.trust:
            text = "would run without a sandbox (bubblewrap does not work here); read it, then add --trust"
            raise InputError([InputFault(str(script), text)])
        words = [sandbox.path(a) if a.startswith("/") else a for a in arguments]
        command = shlex.join([sys.executable, sandbox.path(f"/problem/{name}"), *words])
        result = sandbox.run(command, output=place / f"{script.stem}.txt", seconds=LIMITS.seconds)
    finally:
        sandbox.close()
    if result.status != 0:
        said = " ".join(result.text.split())[-400:]
        raise InputError([InputFault(str(script), f"ended with status {result.status}: {said}")])
