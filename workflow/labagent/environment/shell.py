"""Runs a builder's commands, in the sandbox where they run code of packages, and logs them."""

from __future__ import annotations

import contextlib
import os
import shlex
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextvars import ContextVar
from pathlib import Path
from types import TracebackType
from typing import Self

from labagent.environment.outcome import BuildFailed
from labagent.models.config import SandboxSettings
from labagent.sandbox import CommandResult, Limits, Mount, Sandbox, open_sandbox, standard_variables

# Builds may use the machine; what limits them is time.
_MEM_MB = 1 << 20
_DISK_MB = 1 << 20
_PROCESSES = 4096
# uv does not read pip's variables; users set those.
_SAME = {
    "PIP_INDEX_URL": "UV_DEFAULT_INDEX",
    "PIP_EXTRA_INDEX_URL": "UV_INDEX",
    "PIP_FIND_LINKS": "UV_FIND_LINKS",
}
_CUT: ContextVar[bool] = ContextVar("builds without the network", default=False)
_OFFLINE = {"UV_OFFLINE": "1", "PIP_NO_INDEX": "1", "CONDA_OFFLINE": "true", "MAMBA_OFFLINE": "true"}


@contextlib.contextmanager
def builds_cut(cut: bool) -> Iterator[None]:
    """Within, builds do without the network where ``cut``: from caches and local folders alone."""
    token = _CUT.set(cut)
    try:
        yield
    finally:
        _CUT.reset(token)


class BuildShell:
    """Commands of one build, with a common time limit.

    Args:
        log: file to which commands and their output are added.
        mounts: what the build needs besides the system; ``inside`` is the host's own path.
        variables: added to the standard ones.
        seconds: for all commands together.
    """

    def __init__(
        self, *, log: Path, mounts: Sequence[Mount], variables: Mapping[str, str], seconds: float
    ) -> None:
        self._log = log
        self._mounts = tuple(mounts)
        self._variables = {**index_variables(), **variables, **(_OFFLINE if _CUT.get() else {})}
        self._deadline = time.monotonic() + seconds
        self._scratch = tempfile.TemporaryDirectory(prefix="labagent-build-")
        self._open: dict[str, Sandbox] = {}
        self.folder = Path(self._scratch.name)
        log.parent.mkdir(parents=True, exist_ok=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for sandbox in self._open.values():
            sandbox.close()
        self._scratch.cleanup()

    def run(
        self, words: Sequence[str], *, sandboxed: bool, variables: Mapping[str, str] | None = None
    ) -> CommandResult:
        """Run one command; ``sandboxed`` when it may run code that came with a package.

        Raises:
            BuildFailed: class ``timeout`` when the build's time is over.
        """
        left = self._deadline - time.monotonic()
        sets = [f"{name}={shlex.quote(value)}" for name, value in (variables or {}).items()]
        command = " ".join([*sets, shlex.join(words)])
        output = self.folder / "output.txt"
        result = self._sandbox(sandboxed).run(command, output=output, seconds=max(left, 0.1))
        self._note(f"$ {command}\n{result.text.rstrip()}\n[exit {result.status}, {result.seconds:.1f} s]\n\n")
        if result.timed_out:
            raise BuildFailed("timeout", f"longer than environment.build_seconds: {shlex.join(words[:3])}")
        return result

    def _note(self, text: str) -> None:
        with self._log.open("a", encoding="utf-8") as stream:
            stream.write(text)

    def _sandbox(self, sandboxed: bool) -> Sandbox:
        """The sandbox for one kind of command, opened when first needed."""
        kind = "auto" if sandboxed else "none"
        if kind not in self._open:
            self._open[kind] = open_sandbox(
                SandboxSettings(
                    kind="auto" if sandboxed else "none", network="off" if _CUT.get() else "open"
                ),
                mounts=[*self._mounts, Mount(self.folder, str(self.folder), writable=True)],
                variables=self._variables,
                cwd=str(self.folder),
                limits=Limits(86400, _MEM_MB, _PROCESSES, _DISK_MB, os.cpu_count() or 1),
                characters=20000,
            )
        return self._open[kind]


def index_variables() -> dict[str, str]:
    """Settings of the package index for uv, from pip's where uv has none of its own."""
    found = {
        ours: value
        for theirs, ours in _SAME.items()
        if (value := os.environ.get(theirs)) and ours not in os.environ and "@" not in value
    }
    return {**found, "UV_PYTHON_DOWNLOADS": "never", "UV_NO_CONFIG": "1"}


def quiet_variables() -> dict[str, str]:
    """What makes conda and its kin ask nothing."""
    return {
        name: value for name, value in standard_variables(1).items() if "CONDA" in name or "MAMBA" in name
    }
