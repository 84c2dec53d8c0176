"""Facts about the machine as a command finds it, for the agent and for ``run.json``."""

from __future__ import annotations

import re
import tempfile
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Any

from labagent.models.config import SandboxSettings
from labagent.sandbox.opening import open_sandbox
from labagent.sandbox.types import Limits, Mount, Sandbox

_SECONDS = 15.0
_cache: dict[str, dict[str, list[str]]] = {}


def probe(sandbox: Sandbox | None = None) -> dict[str, Any]:
    """What there is to work with; no host name, no user name, no path.

    Args:
        sandbox: where to look; default the host itself. Programs are asked once a process for each kind.

    Returns:
        ``cores``, ``memory_mb``, ``system``, ``libc``, ``distribution``, ``gpu`` (names), ``cuda``,
        ``tools`` (name → version), ``python`` (versions on PATH), ``python_default``, ``network`` (``open``
        or ``off``, as set) and ``sandbox``.
    """
    facts = _facts(sandbox) if sandbox else _host_facts()
    limits = sandbox.record.limits if sandbox else {}
    memory = int(_one(facts, "memory_kb") or 0) // 1024
    cores = int(_one(facts, "cores") or 1)
    return {
        "cores": min(cores, limits.get("cores", cores)),
        "memory_mb": min(memory, limits.get("mem_mb", memory)),
        "system": _one(facts, "system"),
        "libc": _one(facts, "libc"),
        "distribution": _one(facts, "distribution"),
        "gpu": facts.get("gpu", []),
        "cuda": _one(facts, "cuda"),
        "tools": _tools(facts),
        "python": sorted(set(facts.get("python", [])), key=lambda v: int(v.partition(".")[2])),
        "python_default": _one(facts, "python-default"),
        "network": "open" if not sandbox or sandbox.record.network == "open" else "off",
        "sandbox": sandbox.record.kind if sandbox else "none",
    }


def too_few_gpus(wanted: int) -> str:
    """Why a budget's number of GPUs cannot be had on this machine; empty where it can."""
    found = probe()["gpu"] if wanted else []
    if len(found) >= wanted:
        return ""
    here = f"{len(found)} ({', '.join(found)})" if found else "none that nvidia-smi shows"
    return f"the budget asks for {wanted} (gpus), this machine has {here}; run the target where they are"


@lru_cache(maxsize=1)
def _host_facts() -> dict[str, list[str]]:
    """The facts of the host itself."""
    with tempfile.TemporaryDirectory(prefix="labagent-probe-") as folder:
        sandbox = open_sandbox(
            SandboxSettings(kind="none"),
            mounts=[Mount(Path(folder), "/run", writable=True)],
            variables={},
            cwd="/run",
            limits=Limits(seconds=_SECONDS, mem_mb=1 << 20, processes=1 << 14, disk_mb=1 << 20, cores=1),
        )
        return _facts(sandbox)


def _facts(sandbox: Sandbox) -> dict[str, list[str]]:
    """Run the questions once for each way of looking."""
    key = f"{sandbox.record.kind} {sandbox.record.network}"
    if key not in _cache:
        script = resources.files("labagent.sandbox").joinpath("machine.sh").read_text("utf-8")
        with tempfile.TemporaryDirectory(prefix="labagent-probe-") as folder:
            output = Path(folder) / "facts.tsv"
            sandbox.run(script, output=output, seconds=_SECONDS)
            _cache[key] = _parse(output.read_text("utf-8", "replace"))
    return _cache[key]


def _parse(text: str) -> dict[str, list[str]]:
    """Lines ``name<tab>value`` as lists of values by name."""
    facts: dict[str, list[str]] = {}
    for line in text.splitlines():
        name, tab, value = line.partition("\t")
        if tab:
            facts.setdefault(name, []).append(value.strip())
    return facts


def _one(facts: dict[str, list[str]], name: str) -> str:
    """The first value of a fact, empty where there is none."""
    return next(iter(facts.get(name, [])), "")


def _tools(facts: dict[str, list[str]]) -> dict[str, str]:
    """Programs with their version, ``present`` where it was not asked."""
    found = {name.removeprefix("have:"): "present" for name in facts if name.startswith("have:")}
    for name, values in facts.items():
        if name.startswith("tool:"):
            found[name.removeprefix("tool:")] = _version(values[0])
    if "Rscript" in found and found.get("R") == "present":
        found["R"] = found["Rscript"]
    return dict(sorted(found.items()))


def _version(text: str) -> str:
    """The version number in a tool's own line."""
    match = re.search(r"\d+(?:\.\d+)+\w*", text)
    return match.group() if match else "present"
