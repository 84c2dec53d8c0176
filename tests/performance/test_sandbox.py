"""Cost of a command in the sandbox, and of a run's private layer."""

import statistics
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from labagent.environment import build_environment, create_layer
from labagent.models.config import EnvironmentSettings, SandboxSettings
from labagent.sandbox import Limits, Mount, open_sandbox
from labagent.sandbox.bubblewrap import find_bubblewrap

pytestmark = pytest.mark.performance


def milliseconds(call: Callable[[int], object], times: int = 30) -> float:
    """The tenth percentile: the cost itself, not that of what else the machine does."""
    took = []
    for number in range(times):
        start = time.perf_counter()
        call(number)
        took.append((time.perf_counter() - start) * 1e3)
    return statistics.quantiles(took, n=10)[0]


def test_a_command_costs_less_than_30_ms_more_than_bash(tmp_path: Path) -> None:
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
    plain = milliseconds(lambda _: subprocess.run(["bash", "-c", "true"], stdin=subprocess.DEVNULL))
    inside = milliseconds(lambda _: sandbox.run("true", output=tmp_path / "o", seconds=10))
    sandbox.close()
    print(f"bash {plain:.1f} ms, in the sandbox {inside:.1f} ms")
    assert inside - plain < 30


def test_a_layer_costs_no_more_than_a_virtual_environment(tmp_path: Path) -> None:
    import uv

    spec = tmp_path / "environment.yaml"
    spec.write_text("dependencies: [python, six]\n")
    settings = EnvironmentSettings(builder="venv")
    base = build_environment(spec, settings, root=tmp_path, log=tmp_path / "log")
    words = [str(uv.find_uv_bin()), "venv", "--quiet", "--python", f"{base.prefix}/bin/python"]
    venv = milliseconds(lambda n: subprocess.run([*words, str(tmp_path / f"v{n}")], check=True), 10)
    layer = milliseconds(lambda n: create_layer(base, tmp_path / f"l{n}"), 10)
    print(f"uv venv {venv:.1f} ms, layer {layer:.1f} ms, ratio {layer / venv:.2f}")
    assert layer / venv <= 1.5
