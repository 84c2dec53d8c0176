"""Cost of a command in the sandbox, and of a run's private layer.

Baselines, in the same run, calls alternating: plain ``bash -c true``, bubblewrap alone with the
arguments that the sandbox uses, and ``uv venv``. Stated are the tenth percentile of the wall time (the
cost itself, not that of what else the machine does) and processor time, which other work on the machine
changes less.
"""

import os
import statistics
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from labagent.environment import build_environment, create_layer
from labagent.models.config import EnvironmentSettings, SandboxSettings
from labagent.sandbox import Limits, Mount, open_sandbox
from labagent.sandbox.bubblewrap import BubblewrapSandbox, find_bubblewrap

pytestmark = pytest.mark.performance


@dataclass
class Times:
    """Milliseconds of calls."""

    wall: list[float] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)

    def take(self, call: Callable[[], object]) -> None:
        """Time one call, with the processes it started and waited for."""
        wall, used = time.perf_counter(), sum(os.times()[:4])
        call()
        self.wall.append(1e3 * (time.perf_counter() - wall))
        self.processor.append(1e3 * (sum(os.times()[:4]) - used))

    @property
    def best(self) -> float:
        """Tenth percentile of the wall time."""
        return statistics.quantiles(self.wall, n=10)[0]

    def __str__(self) -> str:
        mean = statistics.mean(self.processor)
        return f"{self.best:6.1f} ms (median {statistics.median(self.wall):.1f}), processor {mean:.1f} ms"


def test_what_a_command_costs_over_bash(tmp_path: Path) -> None:
    if reason := find_bubblewrap()[1]:
        pytest.skip(f"bubblewrap does not work here: {reason}")
    (tmp_path / "run").mkdir()
    sandbox = open_sandbox(
        SandboxSettings(kind="bubblewrap"),
        mounts=[Mount(tmp_path / "run", "/run", writable=True)],
        variables={},
        cwd="/run",
        limits=Limits(60, 900, 64, 500, 2),
    )
    assert isinstance(sandbox, BubblewrapSandbox)
    bare = [*sandbox._words, "--", "bash", "-c", "true"]
    bash, bubblewrap, inside = Times(), Times(), Times()
    for _ in range(40):
        bash.take(lambda: subprocess.run(["bash", "-c", "true"], stdin=subprocess.DEVNULL, check=True))
        bubblewrap.take(lambda: subprocess.run(bare, stdin=subprocess.DEVNULL, check=True))
        inside.take(lambda: sandbox.run("true", output=tmp_path / "o", seconds=10))
    sandbox.close()
    print(f"\n  bash                  {bash}\n  bubblewrap alone      {bubblewrap}")
    print(f"  the sandbox           {inside}; limits by {sandbox.record.enforced}")
    print(f"  over bash {inside.best - bash.best:.1f} ms (goal < 30 on an idle machine)")
    print(f"  ratio to bubblewrap alone {inside.best / bubblewrap.best:.2f}")


def test_a_layer_costs_no_more_than_a_virtual_environment(tmp_path: Path) -> None:
    import uv

    spec = tmp_path / "environment.yaml"
    spec.write_text("dependencies: [python, six]\n")
    settings = EnvironmentSettings(builder="venv")
    base = build_environment(spec, settings, root=tmp_path, log=tmp_path / "log")
    words = [str(uv.find_uv_bin()), "venv", "--quiet", "--python", f"{base.prefix}/bin/python"]
    venv, layer = Times(), Times()
    for number in range(15):
        place = str(tmp_path / f"v{number}")
        venv.take(lambda place=place: subprocess.run([*words, place], check=True))
        layer.take(lambda number=number: create_layer(base, tmp_path / f"l{number}"))
    ratio = layer.best / venv.best
    print(
        f"\n  uv venv               {venv}\n  layer                 {layer}\n  ratio {ratio:.2f} (goal ≤ 1.5)"
    )
    assert ratio <= 1.5
