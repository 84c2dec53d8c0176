"""What a lab sealed is not readable in its installed package either."""

from pathlib import Path

import pytest

from labagent.environment.sealing import sealed_mounts
from labagent.environment.shell import BuildShell, builds_cut
from labagent.models.config import SandboxSettings
from labagent.sandbox import Limits, Mount, open_sandbox
from labagent.sandbox.bubblewrap import find_bubblewrap

PACKAGES = "lib/python3.11/site-packages"


@pytest.fixture
def prefix(tmp_path: Path) -> Path:
    for name in (
        "lab/core.py",
        "lab/tests/test_a.py",
        "lab/tests/deep/b.csv",
        "lab/data/r_x.csv",
        "lab/data/y.csv",
    ):
        path = tmp_path / "env" / PACKAGES / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"text of {name}\n")
    return tmp_path / "env"


def test_whole_folders_and_single_files_are_covered(prefix: Path, tmp_path: Path) -> None:
    globs = ["lab/tests/**", "lab/data/r_*.csv", "tests/*.py", "*.csv", "notebook-outputs"]
    mounts = list(sealed_mounts(prefix, globs, tmp_path / "empty"))
    hidden = {
        m.inside.removeprefix(f"/env/base/{PACKAGES}/") for m in mounts if m.inside.startswith("/env/base")
    }
    assert hidden == {"lab/tests", "lab/data/r_x.csv"}
    assert {m.inside for m in mounts} >= {str(prefix / PACKAGES / name) for name in hidden}


def test_a_command_reads_nothing_of_them(prefix: Path, tmp_path: Path) -> None:
    if not find_bubblewrap()[0]:
        pytest.skip(find_bubblewrap()[1])
    (tmp_path / "run").mkdir()
    mounts = [Mount(tmp_path / "run", "/run", writable=True), Mount(prefix, "/env/base")]
    mounts.append(Mount(prefix, str(prefix)))
    mounts += sealed_mounts(prefix, ["lab/tests/**", "lab/data/r_*.csv"], tmp_path / "empty")
    sandbox = open_sandbox(
        SandboxSettings(kind="bubblewrap"), mounts=mounts, variables={}, cwd="/run",
        limits=Limits(seconds=20, mem_mb=500, processes=50, disk_mb=50, cores=1),
    )  # fmt: skip
    command = f"cat $(find /env/base {prefix} -type f); find / -name 'test_a.py' 2>/dev/null"
    text = sandbox.run(command, output=tmp_path / "out.txt", seconds=20).text
    sandbox.close()
    assert text.count("text of lab/core.py") == 2 == text.count("text of lab/data/y.csv")
    assert "tests" not in text and "r_x" not in text


def test_builds_do_without_the_network_where_it_is_off(tmp_path: Path) -> None:
    with builds_cut(True), BuildShell(log=tmp_path / "log", mounts=[], variables={}, seconds=30) as shell:
        told = shell.run(["env"], sandboxed=True).text
        devices = shell.run(["cat", "/proc/net/dev"], sandboxed=True).text if find_bubblewrap()[0] else "lo:"
    assert "UV_OFFLINE=1" in told and "PIP_NO_INDEX=1" in told
    assert {line.split(":")[0].strip() for line in devices.splitlines() if ":" in line} == {"lo"}
    with BuildShell(log=tmp_path / "log", mounts=[], variables={}, seconds=30) as shell:
        assert "UV_OFFLINE" not in shell.run(["env"], sandboxed=True).text
