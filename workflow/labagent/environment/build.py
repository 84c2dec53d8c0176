"""Builds the environment of an (arm, target)."""

from __future__ import annotations

import time
from functools import partial
from pathlib import Path

from labagent.environment.conda import build_conda, conda_program
from labagent.environment.repair import Repaired, build_repaired
from labagent.environment.spec import EnvironmentSpec, default_spec, read_spec
from labagent.environment.store import state_folder
from labagent.environment.venv import build_venv
from labagent.errors import InfrastructureError, LabagentError
from labagent.files import append_jsonl, sha256_json
from labagent.memory import Memory, environment_fingerprint, lesson_event, outcome_event
from labagent.models.config import EnvironmentSettings
from labagent.models.memory import LessonEvent, OutcomeEvent, Provenance
from labagent.models.run import EnvironmentRecord


def build_environment(
    spec_path: Path | None,
    settings: EnvironmentSettings,
    *,
    root: Path,
    log: Path,
    memory: Memory | None = None,
    run: str = "",
) -> EnvironmentRecord:
    """Build or reuse the environment of a specification; one that fails is repaired where lessons say how.

    Args:
        spec_path: ``environment.yaml`` of the selected skill; ``None`` for the default environment.
        settings: builder, channels, Python, time limit, and the folder (below ``root``) of environments.
        root: the project's folder.
        log: receives every command of the build with its output, and every repair that is tried.
        memory: gives the lessons, and receives what worked and what did not; without it only the
            general repairs are tried.
        run: who asks, for the provenance of lessons: ``environment/<arm>/<target>``.

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
    build = build_conda if builder == "conda" else build_venv

    def attempt(wanted: EnvironmentSpec, seconds: float) -> EnvironmentRecord:
        limit = settings.model_copy(update={"build_seconds": max(seconds, 0.001)})
        return build(wanted, limit, root=root, log=log)

    done = build_repaired(
        spec,
        attempt,
        lessons=memory.state() if memory else (),
        tries=settings.repair_tries,
        seconds=settings.repair_seconds,
        build_seconds=settings.build_seconds,
        note=partial(_note, log),
        kept=_kept(spec, builder, settings, root, memory),
    )
    _learn(done, memory, run, log, builder)
    record = done.record or EnvironmentRecord(
        status="env_failed",
        builder="conda" if builder == "conda" else "venv",
        failure_class=done.failure.failure if done.failure else "unknown",
        reason=done.failure.reason if done.failure else "",
    )
    return record.model_copy(
        update={"seconds": round(time.monotonic() - start, 3), "log": log.name, "repairs": done.repairs}
    )


def _note(log: Path, text: str) -> None:
    """Add to the build's log."""
    with log.open("a", encoding="utf-8") as stream:
        stream.write(text)


def _kept(
    spec: EnvironmentSpec, builder: str, settings: EnvironmentSettings, root: Path, memory: Memory | None
) -> Path:
    """Where the repairs of a specification are kept, apart for each memory that may have had a say."""
    asked = {
        "builder": builder,
        "spec": spec.model_dump(mode="json"),
        "python": settings.python,
        "memory": memory.arm if memory and memory.mode != "off" else "",
    }
    return state_folder(root, settings.prefix) / "locks" / f"{sha256_json(asked)[:32]}.repairs.json"


def _learn(done: Repaired, memory: Memory | None, run: str, log: Path, builder: str) -> None:
    """Append what the tries taught. A memory that cannot be written to does not undo the build."""
    if memory is None or not done.tried:
        return
    events: list[LessonEvent | OutcomeEvent] = []
    source = Provenance(run=run, source="a build of the environment")
    for step in done.tried:
        if step.repair.lesson:
            events.append(outcome_event(step.repair.lesson, step.cleared, provenance=source))
        elif step.cleared:
            python = done.record.python if done.record else ""
            here = environment_fingerprint(python=python, builder=builder)
            events.append(
                lesson_event(
                    step.match,
                    step.repair.fix,
                    provenance=source,
                    why="; ".join(step.repair.changes),
                    environment=here,
                )
            )
    append_jsonl(log.with_suffix(".lessons.jsonl"), [event.model_dump(mode="json") for event in events])
    try:
        memory.append(events)
    except LabagentError as error:
        _note(log, f"[lessons are kept in {log.with_suffix('.lessons.jsonl').name} alone: {error}]\n")


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
