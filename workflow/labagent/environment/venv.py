"""Environments from the package index, made by uv over a Python of this machine."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path

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
    digest = sha256_json(
        {
            "builder": "venv",
            "python": python.version,
            "platform": python.platform,
            "lock": lock.packages,
            "mapped": mapped,
        }
    )
    prefix = place(root, settings.prefix, digest)
    make = partial(_build, prefix, lock, python, settings, state, log)
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
        words = [
            _uv(),
            "pip",
            "compile",
            "--quiet",
            "--no-header",
            "--no-annotate",
            "--python",
            python.program,
        ]
        if not any("@" in text for text in parts.requirements):
            words.append("--generate-hashes")
        result = shell.run([*words, str(wanted), "--output-file", str(locked)], sandboxed=True)
        if result.status != 0:
            raise failed("resolving", result.text)
        text = locked.read_text("utf-8")
    packages = sorted(name + rest.replace(" ", "") for name, rest in _PINNED.findall(text))
    return Lock(packages=tuple(packages), text=text)


def _build(
    prefix: Path, lock: Lock, python: Interpreter, settings: EnvironmentSettings, state: Path, log: Path
) -> None:
    """Install the lock: wheels from outside the sandbox (no code of theirs runs), the rest built inside."""
    prefix.mkdir(parents=True)
    with _shell(python, settings, state, log, Mount(prefix, str(prefix), writable=True)) as shell:
        pins = shell.folder / "requirements.txt"
        pins.write_text(lock.text, encoding="utf-8")
        venv = [_uv(), "venv", "--quiet", "--allow-existing", "--no-project", "--python", python.program]
        made = shell.run([*venv, str(prefix)], sandboxed=False)
        if made.status != 0:
            raise failed("making the environment", made.text)
        words = [
            _uv(),
            "pip",
            "install",
            "--no-deps",
            "--compile-bytecode",
            "--python",
            str(prefix / "bin" / "python"),
            "-r",
            str(pins),
        ]
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
