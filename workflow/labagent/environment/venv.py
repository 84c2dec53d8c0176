"""Environments from the package index, made by uv over a Python of this machine."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path

from packaging.utils import canonicalize_name

from labagent.environment.layer import write_base_hook
from labagent.environment.mapping import Plan, plan
from labagent.environment.outcome import failed
from labagent.environment.pythons import Interpreter, find_python
from labagent.environment.shell import BuildShell, index_variables
from labagent.environment.spec import EnvironmentSpec
from labagent.environment.store import build_once, exclusive, place, state_folder
from labagent.files import read_json, sha256_json, write_json
from labagent.models.base import Record
from labagent.models.config import EnvironmentSettings
from labagent.models.run import EnvironmentRecord
from labagent.sandbox import Mount, allowed_variables

_PINNED = re.compile(r"^([A-Za-z0-9][\w.-]*)(?:\[[^]]*\])?\s*(==\s*[^\s;\\]+|@\s*[^\s;\\]+)", re.MULTILINE)


class Lock(Record):
    """A resolved specification: ``packages`` as ``name==version``, ``text`` with their files' hashes."""

    packages: tuple[str, ...]
    text: str


def build_venv(
    spec: EnvironmentSpec, settings: EnvironmentSettings, *, root: Path, log: Path
) -> EnvironmentRecord:
    """Resolve, then build or reuse; see :func:`labagent.environment.build_environment`.

    Raises:
        BuildFailed: the specification cannot be had here.
        InfrastructureError: the registry cannot be reached, or the disk is full.
    """
    python, remark = find_python(spec.python, settings.python)
    parts = plan(spec)
    mapped = {**parts.mapped, **({"python": remark} if remark else {})}
    state = state_folder(root, settings.prefix)
    lock = _resolve(parts, python, settings, state, log)
    return _made(lock, parts, mapped, python, settings, root, log)


def rebuild_venv(
    record: EnvironmentRecord, settings: EnvironmentSettings, *, root: Path, log: Path
) -> EnvironmentRecord:
    """Build an environment of another machine again from its lock; nothing is resolved.

    Args:
        record: of the other machine.
        settings: prefix and time limit.
        root: the project's folder here.
        log: receives every command with its output.

    Returns:
        The record with this machine's place and Python, all else as it was.

    Raises:
        BuildFailed: there is no such Python here, or a package of the lock cannot be had.
        InfrastructureError: the registry cannot be reached, or the disk is full.
    """
    python, remark = find_python(f"=={record.python}", settings.python)
    mapped = {**record.mapped, **({"python": remark} if remark else {})}
    lock = Lock(packages=record.lock, text="".join(f"{line}\n" for line in record.lock))
    parts = Plan(requirements=record.lock, mapped=record.mapped)
    made = _made(lock, parts, mapped, python, settings, root, log)
    here = {"prefix": made.prefix, "python": made.python, "lock_sha256": made.lock_sha256, "mapped": mapped}
    return record.model_copy(update={**here, "reused": made.reused})


def _made(
    lock: Lock,
    parts: Plan,
    mapped: dict[str, str],
    python: Interpreter,
    settings: EnvironmentSettings,
    root: Path,
    log: Path,
) -> EnvironmentRecord:
    """The environment of a lock, built or reused."""
    state = state_folder(root, settings.prefix)
    unisolated = {"unisolated": parts.unisolated, "build": parts.build} if parts.unisolated else {}
    digest = sha256_json(
        {
            "builder": "venv",
            "python": python.version,
            "platform": python.platform,
            "lock": lock.packages,
            "mapped": mapped,
            **unisolated,
        }
    )
    prefix = place(root, settings.prefix, digest)
    make = partial(_build, prefix, lock, parts, python, settings, state, log)
    reused = build_once(prefix, digest, make, seconds=settings.build_seconds)
    return EnvironmentRecord(
        status="ready",
        builder="venv",
        prefix=str(prefix),
        python=python.version,
        lock=lock.packages,
        lock_sha256=digest,
        mapped=mapped,
        reused=reused,
    )


def _resolve(parts: Plan, python: Interpreter, settings: EnvironmentSettings, state: Path, log: Path) -> Lock:
    """The lock of these requirements, from an earlier resolve where there was one."""
    key = sha256_json(
        {
            "requirements": parts.requirements,
            "python": python.version,
            "platform": python.platform,
            "index": index_variables() | allowed_variables(index_variables()),
            **({"unisolated": parts.unisolated, "build": parts.build} if parts.unisolated else {}),
        }
    )
    path = state / "locks" / f"{key[:32]}.json"
    with exclusive(path.with_suffix(".lock"), seconds=settings.build_seconds):
        if path.exists():
            return Lock.model_validate(read_json(path))
        lock = _ask_uv(parts, python, settings, state, log)
        write_json(path, lock.model_dump(mode="json"))
    return lock


def _ask_uv(parts: Plan, python: Interpreter, settings: EnvironmentSettings, state: Path, log: Path) -> Lock:
    """Let uv resolve; it may have to run a package's build to learn what it depends on."""
    with _shell(python, settings, state, log) as shell:
        wanted, locked = shell.folder / "requirements.in", shell.folder / "requirements.txt"
        wanted.write_text("\n".join(parts.requirements) + "\n", encoding="utf-8")
        program = python.program
        if parts.unisolated:
            program = _prepare(shell, shell.folder / "builder", parts, python)
        words = [_uv(), "pip", "compile", "--quiet", "--no-header", "--no-annotate", "--python", program]
        words += _unisolated(parts)
        if not any("@" in text for text in parts.requirements):
            words.append("--generate-hashes")
        result = shell.run([*words, str(wanted), "--output-file", str(locked)], sandboxed=True)
        if result.status != 0:
            raise failed("resolving", result.text)
        text = locked.read_text("utf-8")
    packages = sorted(name + rest.replace(" ", "") for name, rest in _PINNED.findall(text))
    return Lock(packages=tuple(packages), text=text)


def _prepare(shell: BuildShell, prefix: Path, parts: Plan, python: Interpreter) -> str:
    """An environment with what a package that is built without isolation needs beside it: its Python."""
    venv = [_uv(), "venv", "--quiet", "--allow-existing", "--no-project", "--python", python.program]
    made = shell.run([*venv, str(prefix)], sandboxed=False)
    if made.status != 0:
        raise failed("making the environment", made.text)
    program = str(prefix / "bin" / "python")
    if parts.build:
        done = shell.run([_uv(), "pip", "install", "--python", program, *parts.build], sandboxed=True)
        if done.status != 0:
            raise failed("installing what a build needs", done.text)
    return program


def _unisolated(parts: Plan) -> list[str]:
    """The options that switch build isolation off for some packages."""
    return [word for name in parts.unisolated for word in ("--no-build-isolation-package", name)]


def _pins_of(lock: Lock, names: tuple[str, ...]) -> str:
    """The part of a lock's text about some packages, with the hashes of their files."""
    wanted = {canonicalize_name(name) for name in names}
    entries = re.split(r"^(?=[A-Za-z0-9])", lock.text, flags=re.MULTILINE)
    return "".join(e for e in entries if (m := _PINNED.match(e)) and canonicalize_name(m[1]) in wanted)


def _build(
    prefix: Path,
    lock: Lock,
    parts: Plan,
    python: Interpreter,
    settings: EnvironmentSettings,
    state: Path,
    log: Path,
) -> None:
    """Install the lock: wheels from outside the sandbox (no code of theirs runs), the rest built inside."""
    prefix.mkdir(parents=True)
    with _shell(python, settings, state, log, Mount(prefix, str(prefix), writable=True)) as shell:
        pins = shell.folder / "requirements.txt"
        pins.write_text(lock.text, encoding="utf-8")
        program = _prepare(shell, prefix, parts, python)
        words = [_uv(), "pip", "install", "--no-deps", "--compile-bytecode", "--python", program]
        if parts.unisolated:
            # uv would first put the other packages in the place of what these builds need.
            first = shell.folder / "first.txt"
            first.write_text(_pins_of(lock, parts.unisolated), encoding="utf-8")
            built = shell.run([*words, "-r", str(first), *_unisolated(parts)], sandboxed=True)
            if built.status != 0:
                raise failed("installing", built.text)
        words += ["-r", str(pins)]
        if shell.run([*words, "--no-build"], sandboxed=False).status != 0:
            built = shell.run(words, sandboxed=True, variables={"UV_LINK_MODE": "copy"})
            if built.status != 0:
                raise failed("installing", built.text)
    write_base_hook(prefix)


def _shell(
    python: Interpreter, settings: EnvironmentSettings, state: Path, log: Path, *more: Mount
) -> BuildShell:
    """A shell that sees the Python, uv and the cache of packages."""
    cache = state / "cache" / "uv"
    cache.mkdir(parents=True, exist_ok=True)
    mounts = [Mount(cache, str(cache), writable=True), Mount(Path(_uv()), _uv()), *more]
    if not python.prefix.startswith("/usr"):
        mounts.append(Mount(Path(python.prefix), python.prefix))
    return BuildShell(
        log=log, mounts=mounts, variables={"UV_CACHE_DIR": str(cache)}, seconds=settings.build_seconds
    )


def _uv() -> str:
    """The program that the ``uv`` package ships."""
    import uv

    return str(uv.find_uv_bin())
