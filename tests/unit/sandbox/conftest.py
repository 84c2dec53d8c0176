from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from labagent.models.config import SandboxSettings
from labagent.sandbox import Limits, Mount, Sandbox, open_sandbox
from labagent.sandbox.bubblewrap import find_bubblewrap

WITHOUT = find_bubblewrap()[1]
LIMITS = Limits(seconds=30, mem_mb=600, processes=64, disk_mb=64, cores=2)


@pytest.fixture
def run_folder(tmp_path: Path) -> Path:
    for name in ("run", "tmp", "home", "data"):
        (tmp_path / name).mkdir()
    (tmp_path / "data" / "table.csv").write_text("a,b\n1,2\n")
    return tmp_path


@pytest.fixture
def opened(run_folder: Path) -> Iterator[Callable[..., Sandbox]]:
    """Opens sandboxes over one run folder and closes them."""
    made: list[Sandbox] = []

    def open_(kind: str, *, limits: Limits = LIMITS, network: str = "open", **more: Any) -> Sandbox:
        if kind == "bubblewrap" and WITHOUT:
            pytest.skip(f"bubblewrap does not work here: {WITHOUT}")
        mounts = [
            Mount(run_folder / "run", "/run", writable=True),
            Mount(run_folder / "tmp", "/tmp", writable=True),
            Mount(run_folder / "home", "/home/agent", writable=True),
            Mount(run_folder / "data", "/data"),
        ]
        settings = SandboxSettings(kind=kind, network=network)  # type: ignore[arg-type]
        variables = {"LABAGENT_DATA": "/data", **more.pop("variables", {})}
        made.append(
            open_sandbox(settings, mounts=mounts, variables=variables, cwd="/run", limits=limits, **more)
        )
        return made[-1]

    yield open_
    for sandbox in made:
        sandbox.close()


@pytest.fixture(params=["bubblewrap", "none"])
def sandbox(request: pytest.FixtureRequest, opened: Callable[..., Sandbox]) -> Sandbox:
    return opened(request.param)


@pytest.fixture
def inside(opened: Callable[..., Sandbox]) -> Sandbox:
    return opened("bubblewrap")


@pytest.fixture
def output(run_folder: Path) -> Path:
    return run_folder / "output.txt"
