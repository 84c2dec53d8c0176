"""What a killed workflow leaves behind: Snakemake's lock, and jobs on a cluster that nobody waits for.

A workflow says in ``.labagent/workflow.json`` who runs it. The next one on the same machine sees that this
process is gone, and clears up before it starts; where that was another machine, or cannot be told, nothing is
touched, and Snakemake says what to do.
"""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

from labagent.errors import LabagentError
from labagent.files import read_json, write_json

STATE = ".labagent/workflow.json"
LOCKS = ".snakemake/locks"
CANCEL_SECONDS = 60.0


def begin(root: Path) -> None:
    """Say that this process runs the workflow of ``root``, and with which config."""
    who = {"host": socket.gethostname(), "pid": os.getpid(), "began": _began(os.getpid())}
    write_json(root / STATE, {**who, "config": os.environ.get("LABAGENT_CONFIG", "")})


def end(root: Path) -> None:
    """Say that the workflow has ended by itself."""
    (root / STATE).unlink(missing_ok=True)


def only_looks(words: Sequence[str]) -> bool:
    """Whether a ``snakemake`` command line asks for a dry run; the Snakefile is not told while it is read."""
    return any(
        word in ("--dry-run", "--dryrun") or re.fullmatch(r"-[a-zA-Z]*n[a-zA-Z]*", word) for word in words
    )


def running(root: Path) -> str:
    """Who runs the workflow of ``root`` (``process 12 on HOST``); empty where nobody is known to.

    Of a process on another machine it cannot be told whether it lives; it counts as running.
    """
    state = _read(root)
    if state is None or _is_dead(state):
        return ""
    return f"process {state['pid']} on {state['host']}"


def config_of(root: Path) -> Path | None:
    """The resolved config of the workflow that runs in ``root``; ``None`` where none does."""
    state = _read(root)
    stored = Path(str(state.get("config", ""))) if state is not None and not _is_dead(state) else None
    return stored if stored is not None and stored.is_file() else None


def started(root: Path) -> float | None:
    """When the workflow that runs in ``root`` began, in seconds since the epoch."""
    try:
        return (root / STATE).stat().st_mtime
    except OSError:
        return None


def clear(root: Path, *, unlock: bool = False) -> list[str]:
    """Remove the lock of a workflow that was killed on this machine, and cancel its jobs on a cluster.

    Args:
        root: the workflow's folder.
        unlock: the user says that nobody runs it (``snakemake --unlock``).

    Returns:
        What was done, a sentence each.

    Raises:
        LabagentError: somebody runs it.
    """
    state = _read(root)
    if unlock:
        end(root)
    if state is None or unlock:
        return []
    if not _is_dead(state):
        raise LabagentError(_busy(root, state))
    done = []
    locks = list((root / LOCKS).glob("*"))
    if locks:
        jobs = _cancel(root)
        for lock in locks:
            lock.unlink(missing_ok=True)
        done.append(f"the last run (process {state['pid']}) was killed; its lock is removed")
        if jobs:
            done.append(
                f"{len(jobs)} of its jobs were still on the cluster and are cancelled: {', '.join(jobs)}"
            )
    end(root)
    return done


def _busy(root: Path, state: dict[str, object]) -> str:
    """Who runs the workflow, and what to do."""
    who = f"process {state['pid']} on {state['host']}"
    message = f"{root}: {who} runs this workflow; wait until it is done, or end it there"
    if state["host"] == socket.gethostname():
        return message
    return f"{message}. If it is no more, say so with `snakemake --unlock`, and cancel the jobs it left"


def _read(root: Path) -> dict[str, object] | None:
    """The state as written, or nothing."""
    try:
        state = read_json(root / STATE)
    except (OSError, ValueError):
        return None
    return state if isinstance(state, dict) and {"host", "pid", "began"} <= state.keys() else None


def _is_dead(state: dict[str, object]) -> bool:
    """Whether the process was one of this machine and is gone, or its number is another's now."""
    pid = state["pid"]
    return state["host"] == socket.gethostname() and isinstance(pid, int) and _began(pid) != state["began"]


def _began(pid: int) -> str:
    """When a process began, in the kernel's words and which start of the machine; empty: there is none."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
        boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    except OSError:
        return ""
    fields = stat.rpartition(")")[2].split()
    return "" if fields[0] == "Z" else f"{boot} {fields[19]}"


def _cancel(root: Path) -> list[str]:
    """Cancel this user's SLURM jobs that work in ``root``, and wait until they are gone."""
    if not shutil.which("squeue"):
        return []
    jobs = _jobs(root)
    if jobs:
        subprocess.run(["scancel", *jobs], capture_output=True, timeout=CANCEL_SECONDS, check=False)
        until = time.monotonic() + CANCEL_SECONDS
        while _jobs(root) and time.monotonic() < until:
            time.sleep(0.5)
    return jobs


def _jobs(root: Path) -> list[str]:
    """Numbers of the jobs that wait or run."""
    command = ["squeue", "--noheader", "--me", "--states=PD,R,S,CG,CF", "--format=%i|%Z"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=CANCEL_SECONDS, check=True)
    except (OSError, subprocess.SubprocessError):
        return []
    rows = [line.partition("|") for line in done.stdout.splitlines()]
    return [number for number, _, folder in rows if folder and Path(folder) == root.resolve()]
