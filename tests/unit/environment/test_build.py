"""Real environments from the package index."""

import multiprocessing
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from labagent.environment import build_environment
from labagent.environment.conda import conda_file, conda_program, create_command
from labagent.environment.pythons import interpreters
from labagent.environment.spec import parse_spec
from labagent.environment.store import build_once
from labagent.errors import InfrastructureError
from labagent.models.config import EnvironmentSettings
from labagent.models.run import EnvironmentRecord

SETTINGS = EnvironmentSettings(builder="venv", build_seconds=300)


def build(root: Path, text: str, settings: EnvironmentSettings = SETTINGS) -> EnvironmentRecord:
    path = root / "other.yaml"
    path.write_text(text)
    return build_environment(path, settings, root=root, log=root / "logs" / "build.log")


def imports(record: EnvironmentRecord, code: str) -> str:
    words = [f"{record.prefix}/bin/python", "-c", code]
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout.strip()


def test_a_build_is_what_was_asked(base: EnvironmentRecord, root: Path) -> None:
    assert base.status == "ready" and base.builder == "venv" and not base.reused
    assert "six==1.16.0" in base.lock and any(line.startswith("iniconfig==") for line in base.lock)
    assert Path(base.prefix) == root / ".labagent" / "environments" / base.lock_sha256[:16]
    assert imports(base, "import six, iniconfig; print(six.__version__)") == "1.16.0"
    log = (root / "base.log").read_text()
    assert "pip compile" in log and "pip install" in log and "[exit 0" in log


def test_a_second_build_is_offline_and_shares_the_base(
    base: EnvironmentRecord, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/nonexistent:" + os.environ["PATH"])
    monkeypatch.setattr("labagent.environment.venv._ask_uv", None)
    again = build(root, "dependencies: [{pip: [iniconfig]}, six=1.16, python=3.11]\n")
    assert again.reused and again.prefix == base.prefix and again.lock == base.lock


def test_a_half_built_environment_is_built_again(base: EnvironmentRecord, root: Path) -> None:
    prefix = Path(base.prefix)
    shutil.rmtree(prefix / "lib")
    (prefix / ".labagent-complete.json").unlink()
    again = build_environment(root / "environment.yaml", SETTINGS, root=root, log=root / "again.log")
    assert not again.reused and imports(again, "import six; print(six.__version__)") == "1.16.0"


def _slow_build(prefix: Path, seconds: float, log: Path) -> None:
    def make() -> None:
        prefix.mkdir(parents=True)
        (prefix / "half").write_text("x")
        with log.open("a") as stream:
            stream.write("built\n")
        time.sleep(seconds)

    build_once(prefix, "abc", make, seconds=30)


def test_one_of_many_jobs_builds_and_a_killed_one_does_not_count(tmp_path: Path) -> None:
    prefix, log = tmp_path / "environments" / "abc", tmp_path / "log"
    killed = multiprocessing.Process(target=_slow_build, args=(prefix, 60, log))
    killed.start()
    while not (prefix / "half").exists():
        time.sleep(0.01)
    os.kill(killed.pid or 0, signal.SIGKILL)
    killed.join()
    jobs = [multiprocessing.Process(target=_slow_build, args=(prefix, 0.2, log)) for _ in range(4)]
    for job in jobs:
        job.start()
    for job in jobs:
        job.join()
        assert job.exitcode == 0
    assert log.read_text() == "built\n" * 2


def test_a_source_distribution_is_built(root: Path) -> None:
    record = build(root, "dependencies: [python=3.11, {pip: [docopt==0.6.2]}]\n")
    assert record.status == "ready" and imports(record, "import docopt; print(docopt.__version__)") == "0.6.2"


@pytest.mark.skipif(len(interpreters()) < 2, reason="one Python on this machine")
def test_an_older_python(root: Path) -> None:
    oldest = interpreters()[0].version.rsplit(".", 1)[0]
    record = build(root, f"dependencies: [python={oldest}, six]\n")
    assert record.status == "ready" and record.python.startswith(oldest)
    assert imports(record, "import six, sys; print(*sys.version_info[:2], sep='.')") == oldest


@pytest.mark.parametrize(
    ("text", "failure", "named"),
    [
        ("dependencies: [six=99]\n", "missing_distribution", "six==99"),
        ("dependencies: ['packaging<20', {pip: ['packaging>24']}]\n", "resolver_conflict", "packaging"),
        ("dependencies: [python=3.99]\n", "python_version", "3.99"),
        ("dependencies: [bedtools]\n", "missing_command", "bedtools"),
        ("dependencies: ['six=1.15|1.16']\n", "resolver_conflict", "alternatives"),
    ],
)
def test_what_cannot_be_had_is_an_outcome(text: str, failure: str, named: str, root: Path) -> None:
    record = build(root, text)
    assert (record.status, record.failure_class) == ("env_failed", failure)
    assert named in record.reason and record.reason in (root / "logs" / "build.log").read_text()


def test_a_build_that_takes_too_long(root: Path) -> None:
    record = build(root, "dependencies: [toolz]\n", SETTINGS.model_copy(update={"build_seconds": 0.01}))
    assert (record.status, record.failure_class) == ("env_failed", "timeout")


def test_a_registry_that_is_down_is_no_outcome(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UV_DEFAULT_INDEX", "http://127.0.0.1:9/simple")
    monkeypatch.setenv("UV_HTTP_RETRIES", "0")
    with pytest.raises(InfrastructureError, match="network"):
        build(tmp_path, "dependencies: [toolz]\n")


def test_conda_commands_ask_nothing() -> None:
    spec = parse_spec("dependencies: [numpy=1.26, samtools 1.19, {pip: [six]}]\n", "test")
    text = conda_file(spec, EnvironmentSettings(python="3.10"))
    assert "python=3.10" in text and "samtools=1.19" in text and "nodefaults" in text and "- six" in text
    words = create_command("/opt/bin/micromamba", Path("/p"), Path("/f.yml"))
    assert words[1:3] == ["create", "--yes"]
    assert create_command("/opt/bin/conda", Path("/p"), Path("/f.yml"))[1:4] == ["env", "create", "--yes"]


@pytest.mark.skipif(bool(conda_program()), reason="conda is on PATH")
def test_conda_that_is_asked_for_and_missing(root: Path) -> None:
    with pytest.raises(InfrastructureError, match="none of micromamba, mamba, conda"):
        build(root, "dependencies: [six]\n", EnvironmentSettings(builder="conda"))


@pytest.mark.skipif(not conda_program(), reason="no conda, mamba or micromamba on PATH")
def test_a_conda_environment(tmp_path: Path) -> None:
    record = build(tmp_path, "dependencies: [python=3.11, six]\n", EnvironmentSettings(builder="conda"))
    assert record.status == "ready" and any(line.startswith("six=") for line in record.lock)


def test_setup_code_of_a_package_cannot_reach_the_host(tmp_path: Path) -> None:
    from labagent.sandbox.bubblewrap import find_bubblewrap

    if find_bubblewrap()[1]:
        pytest.skip("bubblewrap does not work here")
    package = tmp_path / "evil-1.0"
    package.mkdir()
    stolen = tmp_path / "stolen"
    secret = tmp_path / "secret"
    secret.write_text("42")
    (package / "setup.py").write_text(
        "import pathlib, setuptools\n"
        f"try:\n    pathlib.Path({str(stolen)!r}).write_text(pathlib.Path({str(secret)!r}).read_text())\n"
        "except OSError:\n    pass\n"
        "setuptools.setup(name='labagent-evil', version='1.0', py_modules=[])\n"
    )
    words = [sys.executable, "-m", "tarfile", "-c", "evil-1.0.tar.gz", "evil-1.0"]
    subprocess.run(words, cwd=tmp_path, check=True)
    links = tmp_path / "links"
    links.mkdir()
    (tmp_path / "evil-1.0.tar.gz").rename(links / "labagent_evil-1.0.tar.gz")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("UV_FIND_LINKS", str(links))
        record = build(tmp_path, "dependencies: [python=3.11, {pip: [labagent-evil]}]\n")
    assert "labagent-evil==1.0" in record.lock, record.reason
    assert not stolen.exists()
