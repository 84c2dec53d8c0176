"""Resolves a specification without making an environment: can it be had here at all?"""

from __future__ import annotations

from pathlib import Path

from labagent.environment.build import choose_builder
from labagent.environment.conda import conda_file, conda_program, create_command
from labagent.environment.mapping import plan
from labagent.environment.outcome import failed
from labagent.environment.pythons import find_python
from labagent.environment.shell import BuildShell, quiet_variables
from labagent.environment.spec import EnvironmentSpec, read_spec
from labagent.environment.store import state_folder
from labagent.environment.venv import _resolve
from labagent.models.config import EnvironmentSettings


def resolve_environment(spec_path: Path, settings: EnvironmentSettings, *, root: Path, log: Path) -> None:
    """Resolve ``environment.yaml`` for this platform with the builder that would build it.

    A resolution by uv is kept and used again by the build.

    Raises:
        InputError: the specification is malformed.
        BuildFailed: it cannot be had here; names the class and the reason.
        InfrastructureError: the registry cannot be reached.
    """
    spec = read_spec(spec_path)
    log.parent.mkdir(parents=True, exist_ok=True)
    if choose_builder(settings) == "conda":
        _dry_run(spec, settings, root, log)
        return
    python, _ = find_python(spec.python, settings.python)
    _resolve(plan(spec), python, settings, state_folder(root, settings.prefix), log)


def _dry_run(spec: EnvironmentSpec, settings: EnvironmentSettings, root: Path, log: Path) -> None:
    """Let conda solve without creating anything."""
    packages = state_folder(root, settings.prefix) / "cache" / "conda"
    packages.mkdir(parents=True, exist_ok=True)
    variables = {**quiet_variables(), "CONDA_PKGS_DIRS": str(packages)}
    with BuildShell(log=log, mounts=[], variables=variables, seconds=settings.build_seconds) as shell:
        file = shell.folder / "environment.yml"
        file.write_text(conda_file(spec, settings), encoding="utf-8")
        command = create_command(conda_program(), shell.folder / "unused", file)
        done = shell.run([*command, "--dry-run"], sandboxed=False)
        if done.status != 0:
            raise failed("conda", done.text)
