"""Environments made by conda, mamba or micromamba, whichever is on PATH."""

from __future__ import annotations

import json
import re
import shutil
from functools import partial
from pathlib import Path

import yaml

from labagent.environment.layer import write_base_hook
from labagent.environment.outcome import failed
from labagent.environment.pythons import ask
from labagent.environment.shell import BuildShell, quiet_variables
from labagent.environment.spec import EnvironmentSpec
from labagent.environment.store import build_once, exclusive, place, remove, state_folder
from labagent.files import read_json, sha256_json, write_json
from labagent.models.base import Record
from labagent.models.config import EnvironmentSettings
from labagent.models.run import EnvironmentRecord
from labagent.sandbox import Mount

_PROGRAMS = ("micromamba", "mamba", "conda")


class CondaLock(Record):
    """An explicit list (addresses with md5) and the pip requirements that come on top."""

    explicit: tuple[str, ...]
    pip: tuple[str, ...]


def conda_program() -> str:
    """The fastest of the conda programs on PATH, empty where there is none."""
    return next((found for name in _PROGRAMS if (found := shutil.which(name))), "")


def conda_file(spec: EnvironmentSpec, settings: EnvironmentSettings) -> str:
    """The specification as conda reads it, with the settings' channels and Python where it names none."""
    version = spec.python or f"={settings.python}"
    wanted = [f"python{version}" if version[0] in "=<>!~" else f"python={version}", "pip"]
    wanted += [part.name + _joined(part.version) for part in spec.conda]
    dependencies: list[object] = [*wanted]
    if spec.pip:
        dependencies.append({"pip": list(spec.pip)})
    channels = list(spec.channels or settings.channels)
    return yaml.safe_dump({"channels": channels, "dependencies": dependencies}, sort_keys=True)


def create_command(program: str, prefix: Path, file: Path) -> list[str]:
    """The command that makes an environment from a file, asking nothing."""
    verb = ["create"] if Path(program).name == "micromamba" else ["env", "create"]
    return [program, *verb, "--yes", "--quiet", "--prefix", str(prefix), "--file", str(file)]


def list_command(program: str, prefix: Path) -> list[str]:
    """The command that prints an environment's explicit lock."""
    if Path(program).name == "micromamba":
        return [program, "env", "export", "--explicit", "--md5", "--prefix", str(prefix)]
    return [program, "list", "--explicit", "--md5", "--prefix", str(prefix)]


def build_conda(
    spec: EnvironmentSpec, settings: EnvironmentSettings, *, root: Path, log: Path
) -> EnvironmentRecord:
    """Make or reuse a conda environment; conda can only lock what it has made.

    The environment is first made under the hash of the request; its lock is then kept beside it, and the
    record's hash is that of the lock. A later build of the same request reuses it, offline.

    Raises:
        BuildFailed: the specification cannot be had.
        InfrastructureError: a channel cannot be reached, or the disk is full.
    """
    program = conda_program()
    text = conda_file(spec, settings)
    constraints = {"build": spec.build} if spec.build else {}
    request = sha256_json({"builder": "conda", "file": text, **constraints})
    prefix = place(root, settings.prefix, request)
    state = state_folder(root, settings.prefix)
    locked = state / "locks" / f"{request[:32]}.json"
    make = partial(_build, program, prefix, text, spec.build, locked, settings, state, log)
    with exclusive(locked.with_suffix(".lock"), seconds=settings.build_seconds):
        if not locked.exists():
            remove(prefix)
        reused = build_once(prefix, request, make, seconds=settings.build_seconds)
    lock = CondaLock.model_validate(read_json(locked))
    python = ask(str(prefix / "bin" / "python"))
    packages = (*sorted(map(_named, lock.explicit)), *lock.pip)
    return EnvironmentRecord(
        status="ready",
        builder="conda",
        prefix=str(prefix),
        python=python.version if python else "",
        lock=packages,
        lock_sha256=sha256_json({"builder": "conda", "explicit": lock.explicit, "pip": lock.pip}),
        reused=reused,
    )


def _build(
    program: str,
    prefix: Path,
    text: str,
    build: tuple[str, ...],
    locked: Path,
    settings: EnvironmentSettings,
    state: Path,
    log: Path,
) -> None:
    """Make the environment and write down what came out."""
    packages = state / "cache" / "conda"
    packages.mkdir(parents=True, exist_ok=True)
    variables = {**quiet_variables(), "CONDA_PKGS_DIRS": str(packages), "CONDA_CHANNEL_PRIORITY": "strict"}
    mounts = [Mount(packages, str(packages), writable=True)]
    prefix.parent.mkdir(parents=True, exist_ok=True)
    with BuildShell(log=log, mounts=mounts, variables=variables, seconds=settings.build_seconds) as shell:
        file = shell.folder / "environment.yml"
        file.write_text(text, encoding="utf-8")
        variables = _constrained(shell.folder / "build.txt", build)
        # conda's own files lie all over the account it is installed in: it runs outside the sandbox.
        made = shell.run(create_command(program, prefix, file), sandboxed=False, variables=variables)
        if made.status != 0:
            raise failed("conda", made.text)
        listed = shell.run(list_command(program, prefix), sandboxed=False)
        if listed.status != 0:
            raise failed("conda list", listed.text)
        explicit = [line for line in listed.output.read_text("utf-8").splitlines() if "://" in line]
        pip = _pip_packages(shell, prefix)
    write_json(locked, CondaLock(explicit=tuple(sorted(explicit)), pip=pip).model_dump(mode="json"))
    write_base_hook(prefix)


def _constrained(file: Path, build: tuple[str, ...]) -> dict[str, str]:
    """What makes conda's pip build source distributions with these versions (old and new variable)."""
    if not build:
        return {}
    file.write_text("\n".join(build) + "\n", encoding="utf-8")
    return {"PIP_CONSTRAINT": str(file), "PIP_BUILD_CONSTRAINT": str(file)}


def _pip_packages(shell: BuildShell, prefix: Path) -> tuple[str, ...]:
    """What pip put on top of conda's packages."""
    words = [str(prefix / "bin" / "python"), "-m", "pip", "list", "--format", "json"]
    result = shell.run(words, sandboxed=False)
    if result.status != 0:
        return ()
    lines = [line for line in result.output.read_text("utf-8").splitlines() if line.startswith("[")]
    found = json.loads(lines[0]) if lines else []
    return tuple(sorted(f"{package['name']}=={package['version']}" for package in found))


def _joined(version: str) -> str:
    """A version part that can stand right behind a name."""
    return version if not version or version[0] in "=<>!~" else f"={version}"


def _named(address: str) -> str:
    """``name=version=build`` of an explicit line."""
    file = address.split("#")[0].rsplit("/", 1)[-1]
    stem = re.sub(r"\.(conda|tar\.bz2)$", "", file)
    return "=".join(stem.rsplit("-", 2))
