"""What ``labagent doctor`` looks at, and what it concludes."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

PROGRAMS = {
    "git": ("--version",),
    "uv": ("--version",),
    "conda": ("--version",),
    "mamba": ("--version",),
    "micromamba": ("--version",),
    "Rscript": ("--version",),
    "sbatch": ("--version",),
    "sinfo": ("--version",),
}
KNOWN_KEYS = (
    "ANTHROPIC_API_KEY",
    "AZURE_API_KEY",
    "COHERE_API_KEY",
    "DEEPSEEK_API_KEY",
    "GEMINI_API_KEY",
    "GROQ_API_KEY",
    "MISTRAL_API_KEY",
    "OPENAI_API_KEY",
    "OPENROUTER_API_KEY",
)
MIN_DISK_GB = 5.0
SHOWN_FAULTS = 5
_SLURM = "snakemake --profile profiles/slurm"
_SECONDS = 20


def facts(root: Path) -> dict[str, Any]:
    """What is here.

    Args:
        root: the workflow's folder; its config says which models need which key.
    """
    from labagent.sandbox.bubblewrap import find_bubblewrap

    programs = {name: _program(name, words) for name, words in PROGRAMS.items()}
    program, reason = find_bubblewrap()
    programs["bwrap"] = {
        "here": bool(program),
        "version": _first_line([program, "--version"]) if program else "",
    }
    config = _config(root)
    return {
        "programs": programs,
        "bubblewrap": {"works": bool(program), "reason": reason},
        "machine": _machine(root),
        "keys": _keys(config),
        "harnesses": _harnesses(config),
        "slurm": {
            "reachable": programs["sinfo"]["here"] and _first_line(["sinfo", "--noheader"]) != "",
            "plugin": importlib.util.find_spec("snakemake_executor_plugin_slurm") is not None,
        },
        "config": {"readable": config is not None, "faults": _faults(root)},
    }


def conclusions(found: dict[str, Any]) -> list[dict[str, Any]]:
    """What follows: topic, whether it works, whether every run needs it, and with what or what to do."""
    programs, slurm = found["programs"], found["slurm"]
    conda = next((name for name in ("mamba", "micromamba", "conda") if programs[name]["here"]), "")
    here = {name: bool(program["here"]) for name, program in programs.items()}
    disk = found["machine"]["disk_free_gb"]
    keys = [name for name, key in found["keys"].items() if key["set"]]
    lacking = sorted({m for key in found["keys"].values() if not key["set"] for m in key["models"]})
    weaker = f"runs go on with less isolation: {found['bubblewrap']['reason']}"
    return [
        _row("builder venv", here["uv"], "", "install uv (pip install uv)", needed=not conda),
        _row("builder conda", bool(conda), f"with {conda}", "put conda, mamba or micromamba on PATH for it"),
        _row("sandbox bubblewrap", found["bubblewrap"]["works"], "", weaker),
        _row("sources from git", here["git"], "", "install git"),
        _row("targets in R", here["Rscript"], "with the machine's R", _r_text(conda)),
        _row("executor local", True, f"snakemake --cores {found['machine']['cores']}", "", needed=True),
        _row("executor slurm", _has_slurm(found), _SLURM, _slurm_text(here["sbatch"], slurm)),
        _row("arm offline", True, "needs no key and no model", "", needed=True),
        _row("models", bool(keys) and not lacking, f"set: {', '.join(keys)}", _models_text(lacking)),
        *(
            _row(f"arm {arm}", not reason, "its harness is here", reason)
            for arm, reason in found["harnesses"].items()
        ),
        _row(
            "disk",
            disk >= MIN_DISK_GB,
            "",
            f"environments need several GB; {disk} GB are free",
            needed=True,
        ),
        _row("config", not found["config"]["faults"], "", _faults_text(found["config"]["faults"])),
    ]


def _row(topic: str, works: bool, text: str, otherwise: str, *, needed: bool = False) -> dict[str, Any]:
    """One conclusion."""
    return {"topic": topic, "works": works, "needed": needed, "text": text if works else otherwise}


def _has_slurm(found: dict[str, Any]) -> bool:
    """Whether jobs can go to SLURM."""
    slurm = found["slurm"]
    return bool(slurm["reachable"] and slurm["plugin"] and found["programs"]["sbatch"]["here"])


def _program(name: str, words: tuple[str, ...]) -> dict[str, Any]:
    """Whether a program is on PATH (or beside this Python), and its version."""
    path = shutil.which(name) or shutil.which(name, path=str(Path(sys.executable).parent))
    return {"here": path is not None, "version": _first_line([path, *words]) if path else ""}


def _first_line(words: list[str]) -> str:
    """The first line a program prints; empty where it fails."""
    try:
        done = subprocess.run(
            words, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    lines = (done.stdout or done.stderr).strip().splitlines()
    return lines[0].strip() if done.returncode == 0 and lines else ""


def _machine(root: Path) -> dict[str, Any]:
    """Size of the machine and versions of what the workflow stands on."""
    import psutil

    from labagent.sandbox.machine import probe

    here = probe()
    disk = shutil.disk_usage(root if root.exists() else Path())
    return {
        "system": here["system"],
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else here["cores"],
        "memory_mb": here["memory_mb"],
        "memory_free_mb": psutil.virtual_memory().available // 2**20,
        "disk_free_gb": round(disk.free / 1e9, 1),
        "gpu": here["gpu"],
        "python": ".".join(map(str, sys.version_info[:3])),
        **{name: _version(name) for name in ("labagent", "litellm", "snakemake")},
    }


def _version(distribution: str) -> str:
    """The installed version, without importing the package."""
    try:
        return version(distribution)
    except PackageNotFoundError:
        return "not installed"


def _config(root: Path) -> Any:
    """The workflow's config; ``None`` where it cannot be read."""
    from labagent.errors import InputError
    from labagent.inputs import load_config

    try:
        return load_config(root)
    except InputError:
        return None


def _faults(root: Path) -> list[str]:
    """What is wrong in config, tables and families, as the workflow would say before it starts.

    Models and their keys are left out: they are a finding of their own.
    """
    from labagent.errors import InputError
    from labagent.inputs import load_inputs
    from labagent.workflow.session import check_scorers

    try:
        check_scorers(load_inputs(root))
    except InputError as error:
        return [str(fault) for fault in error.faults]
    return []


def _faults_text(faults: list[str]) -> str:
    """The first faults, one a line."""
    more = len(faults) - SHOWN_FAULTS
    return "\n".join([*faults[:SHOWN_FAULTS], *([f"and {more} more"] if more > 0 else [])])


def _keys(config: Any) -> dict[str, dict[str, Any]]:
    """Variables that may hold a key: whether set, and which configured models name them. Never a value."""
    needed: dict[str, list[str]] = {name: [] for name in KNOWN_KEYS}
    for model, settings in (config.models if config else {}).items():
        if settings.api_key_env:
            needed.setdefault(settings.api_key_env, []).append(model)
    return {n: {"set": bool(os.environ.get(n)), "models": models} for n, models in sorted(needed.items())}


def _harnesses(config: Any) -> dict[str, str]:
    """What each arm with a harness lacks here, empty where nothing is lacking."""
    from labagent.reproduce.harness.checks import missing_here

    arms = config.arms.items() if config else ()
    return {name: missing_here(arm.harness) for name, arm in arms if arm.harness is not None}


def _r_text(conda: str) -> str:
    """What to do where the machine has no R."""
    return f"only through {conda}" if conda else "install R (Debian: r-base-core) or conda"


def _slurm_text(sbatch: bool, slurm: dict[str, bool]) -> str:
    """What SLURM lacks."""
    if not sbatch:
        return "no sbatch on PATH"
    if not slurm["reachable"]:
        return "sinfo gets no answer from the controller"
    return "pip install snakemake-executor-plugin-slurm"


def _models_text(lacking: list[str]) -> str:
    """What is missing for models."""
    if lacking:
        return f"no key set for: {', '.join(lacking)}"
    return "set a provider's key to use a model (config: models)"
