"""Builds the environment of an (arm, target)."""

from __future__ import annotations

import time
from pathlib import Path

from labagent.environment.conda import build_conda, conda_program
from labagent.environment.outcome import BuildFailed
from labagent.environment.spec import default_spec, read_spec
from labagent.environment.venv import build_venv
from labagent.errors import InfrastructureError
from labagent.models.config import EnvironmentSettings
from labagent.models.run import EnvironmentRecord


def build_environment(
    spec_path: Path | None, settings: EnvironmentSettings, *, root: Path, log: Path
) -> EnvironmentRecord:
    """Build or reuse the environment of a specification.

    Args:
        spec_path: ``environment.yaml`` of the selected skill; ``None`` for the default environment.
        settings: builder, channels, Python, time limit, and the folder (below ``root``) of environments.
        root: the project's folder.
        log: receives every command of the build with its output.

    Returns:
        ``ready``, or ``env_failed`` with the class and reason when the specification cannot be had here.

    Raises:
        InputError: the specification is malformed.
        InfrastructureError: the registry cannot be reached, the disk is full, or ``builder: conda`` is
            asked for and no conda is on PATH.
    """
    spec = read_spec(spec_path) if spec_path else default_spec()
    builder = choose_builder(settings)
    log.parent.mkdir(parents=True, exist_ok=True)
    log.write_text("", encoding="utf-8")
    start = time.monotonic()
    try:
        build = build_conda if builder == "conda" else build_venv
        record = build(spec, settings, root=root, log=log)
    except BuildFailed as failure:
        record = EnvironmentRecord(
            status="env_failed",
            builder="conda" if builder == "conda" else "venv",
            failure_class=failure.failure,
            reason=failure.reason,
        )
        with log.open("a", encoding="utf-8") as stream:
            stream.write(f"{failure}\n")
    return record.model_copy(update={"seconds": round(time.monotonic() - start, 3), "log": log.name})


def choose_builder(settings: EnvironmentSettings) -> str:
    """``conda`` or ``venv``: what ``auto`` means on this machine.

    Raises:
        InfrastructureError: conda is asked for and is not there.
    """
    if settings.builder == "conda" and not conda_program():
        raise InfrastructureError(
            'environment.builder is "conda", but none of micromamba, mamba, conda is on PATH; '
            'install one, or set "auto" or "venv"'
        )
    if settings.builder == "auto":
        return "conda" if conda_program() else "venv"
    return settings.builder
