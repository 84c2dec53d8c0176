"""A run's private layer: installs stay in it, the base does not change."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from labagent.environment import Layer, create_layer
from labagent.errors import InfrastructureError
from labagent.files import sha256_tree
from labagent.models.config import SandboxSettings
from labagent.models.run import EnvironmentRecord
from labagent.sandbox import Limits, Mount, Sandbox, open_sandbox
from labagent.sandbox.bubblewrap import find_bubblewrap

IGNORED = frozenset({"__pycache__"})


@pytest.fixture(params=["bubblewrap", "none"])
def run(
    request: pytest.FixtureRequest, base: EnvironmentRecord, tmp_path: Path
) -> Iterator[tuple[Layer, Sandbox]]:
    if request.param == "bubblewrap" and find_bubblewrap()[1]:
        pytest.skip("bubblewrap does not work here")
    for name in ("run", "tmp", "home"):
        (tmp_path / name).mkdir()
    layer = create_layer(base, tmp_path / "layer")
    sandbox = open_sandbox(
        SandboxSettings(kind=request.param),
        mounts=[
            Mount(tmp_path / "run", "/run", writable=True),
            Mount(tmp_path / "tmp", "/tmp", writable=True),
            Mount(tmp_path / "home", "/home/agent", writable=True),
            *layer.mounts,
        ],
        variables=layer.variables,
        cwd="/run",
        limits=Limits(120, 2000, 128, 500, 2),
    )
    yield layer, sandbox
    sandbox.close()


def test_installs_go_into_the_layer_and_shadow_the_base(
    run: tuple[Layer, Sandbox], base: EnvironmentRecord, tmp_path: Path
) -> None:
    layer, sandbox = run
    before = sha256_tree(Path(base.prefix), ignore=IGNORED)
    show = "python -c 'import six, iniconfig; print(six.__version__)'"
    assert sandbox.run(show, output=tmp_path / "o", seconds=60).text == "1.16.0\n"
    result = sandbox.run(f"pip install -q six==1.15.0 && {show}", output=tmp_path / "o", seconds=100)
    assert result.status == 0 and result.text.endswith("1.15.0\n")
    assert layer.freeze() == ("six==1.15.0",)
    assert sha256_tree(Path(base.prefix), ignore=IGNORED) == before
    layer.delete()
    assert not layer.folder.exists()


def test_programs_of_the_base_see_the_layer(run: tuple[Layer, Sandbox], tmp_path: Path) -> None:
    layer, sandbox = run
    (layer.packages / "six.py").write_text("__version__ = 'mine'\n")
    command = f"{sandbox.path('/env/base')}/bin/python -c 'import six; print(six.__version__)'; wheel version"
    text = sandbox.run(command, output=tmp_path / "o", seconds=60).text
    assert text.startswith("mine\nwheel ")


def test_scripts_that_pip_makes_run(run: tuple[Layer, Sandbox], tmp_path: Path) -> None:
    _, sandbox = run
    command = "pip install -q docopt six==1.16.0 tabulate && echo 'a b' | tabulate && command -v tabulate"
    result = sandbox.run(command, output=tmp_path / "o", seconds=100)
    assert result.status == 0 and result.text.rstrip().endswith(f"{sandbox.path('/env/run')}/bin/tabulate")


def test_r_packages_go_into_the_layer(run: tuple[Layer, Sandbox], tmp_path: Path) -> None:
    layer, sandbox = run
    assert sandbox.run("echo $R_LIBS_USER", output=tmp_path / "o", seconds=9).text.strip() == sandbox.path(
        "/env/run/R"
    )
    (layer.folder / "R" / "susieR").mkdir()
    (layer.folder / "R" / "susieR" / "DESCRIPTION").write_text("Package: susieR\nVersion: 0.12.35\n")
    assert "r:susieR==0.12.35" in layer.freeze()


def test_the_base_cannot_be_written_inside(
    run: tuple[Layer, Sandbox], base: EnvironmentRecord, tmp_path: Path
) -> None:
    _, sandbox = run
    if sandbox.record.kind == "none":
        pytest.skip("needs bubblewrap")
    for place in ("/env/base", base.prefix, os.path.realpath(f"{base.prefix}/bin/python")):
        assert sandbox.run(f"touch {place}/x {place}", output=tmp_path / "o", seconds=9).status == 1


def test_a_base_that_is_gone_is_no_outcome(base: EnvironmentRecord, tmp_path: Path) -> None:
    gone = base.model_copy(update={"prefix": str(tmp_path / "gone")})
    with pytest.raises(InfrastructureError, match="no environment"):
        create_layer(gone, tmp_path / "layer")
