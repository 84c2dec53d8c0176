"""Commands run by the warm server: the same result as without it, and no process left behind."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

import labagent
from support.project import small_project

LABAGENT = str(Path(sys.executable).parent / "labagent")
OWNER = "import sys, os; from labagent.workflow.warm import start_server; start_server(); "
OWNER += "print(os.environ['LABAGENT_SERVER'], flush=True); sys.stdin.read()"


class Owner:
    """A process that owns a warm server, as Snakemake does."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", OWNER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert self.process.stdout is not None
        self.address = self.process.stdout.readline().strip()
        self.server = until(lambda: psutil.Process(self.process.pid).children())[0]

    def run(self, *words: str, folder: Path | None = None, **more: str) -> subprocess.CompletedProcess[str]:
        """A command that finds the server."""
        variables = {**os.environ, "LABAGENT_SERVER": self.address, **more}
        return subprocess.run(
            [LABAGENT, *words], cwd=folder, env=variables, capture_output=True, text=True, check=False
        )

    def stop(self) -> None:
        """End the owner in the ordinary way."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait(20)


def until(condition: Callable[[], object], seconds: float = 60.0) -> object:
    """Wait until a callable says something true, and give it."""
    end = time.monotonic() + seconds
    while not (value := condition()):
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.02)
    return value


@pytest.fixture(scope="module")
def owner() -> Iterator[Owner]:
    started = Owner()
    yield started
    started.stop()
    assert not started.server.is_running()
    assert not Path(started.address).exists()


@pytest.fixture
def trap(tmp_path: Path) -> str:
    """A folder for PYTHONPATH in which a command that runs by itself ends at once, with status 99."""
    (tmp_path / "trap").mkdir()
    (tmp_path / "trap/argparse.py").write_text("import os; os._exit(99)")
    return str(tmp_path / "trap")


@pytest.mark.parametrize(
    "words", [["--version"], ["select", "no-such", "--arm", "offline"], ["reproduce"], ["no-such-command"]]
)
def test_status_and_streams_are_those_of_a_run_without_server(
    owner: Owner, tmp_path: Path, trap: str, words: list[str]
) -> None:
    root = small_project(tmp_path)
    alone = owner.run(*words, folder=root, LABAGENT_SERVER="")
    served = owner.run(*words, folder=root, PYTHONPATH=trap)
    assert (served.returncode, served.stdout, served.stderr) == (alone.returncode, alone.stdout, alone.stderr)


def test_each_command_has_the_variables_and_folder_of_who_asked(owner: Owner, tmp_path: Path) -> None:
    root = small_project(tmp_path)
    (root / "other.json").write_text("{}")
    done = owner.run("data", "toy-mean", folder=root)
    assert done.returncode == 0, done.stderr
    assert (root / "results/data/toy-mean/manifest.json").is_file()
    wrong = owner.run("data", "toy-mean", folder=root, LABAGENT_CONFIG="other.json")
    assert wrong.returncode == 0, "an empty config has the same defaults"
    (root / "other.json").write_text('{"results": "elsewhere"}')
    owner.run("data", "toy-mean", folder=root, LABAGENT_CONFIG="other.json")
    assert (root / "elsewhere/data/toy-mean/manifest.json").is_file()


def test_another_installation_runs_by_itself(owner: Owner, tmp_path: Path, trap: str) -> None:
    (tmp_path / "labagent").symlink_to(Path(labagent.__file__).parent)
    assert owner.run("--version", PYTHONPATH=f"{tmp_path}:{trap}").returncode == 99


def slow_project(root: Path) -> Path:
    """A project whose data are a pipe, on which staging waits for ever."""
    small_project(root)
    (root / "config/task.md").unlink()
    os.mkfifo(root / "config/task.md")
    return root


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_a_command_ends_with_the_process_that_asked(owner: Owner, tmp_path: Path, number: int) -> None:
    root = slow_project(tmp_path)
    variables = {**os.environ, "LABAGENT_SERVER": owner.address}
    client = subprocess.Popen(
        [LABAGENT, "select", "toy-mean", "--arm", "offline"],
        cwd=root,
        env=variables,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    until(owner.server.children)
    time.sleep(0.3)
    client.send_signal(number)
    assert client.wait(20) != 0
    until(lambda: not owner.server.children())


def test_a_command_killed_in_the_server_fails(owner: Owner, tmp_path: Path) -> None:
    variables = {**os.environ, "LABAGENT_SERVER": owner.address}
    words = [LABAGENT, "select", "toy-mean", "--arm", "offline"]
    client = subprocess.Popen(words, cwd=slow_project(tmp_path), env=variables)
    child = until(owner.server.children)[0]
    time.sleep(0.3)
    child.kill()
    assert client.wait(20) == 137


def test_without_a_server_at_the_address_a_command_runs_by_itself(tmp_path: Path) -> None:
    gone = Owner()
    gone.server.kill()
    done = gone.run("--version")
    gone.stop()
    assert (done.returncode, done.stdout.strip()) == (0, f"labagent {labagent.__version__}")
    assert not Path(gone.address).exists()


@pytest.mark.parametrize("name", ["long" * 30, "missing"])
def test_a_temporary_folder_that_holds_no_socket_means_no_server(tmp_path: Path, name: str) -> None:
    folder = tmp_path / name
    if name != "missing":
        folder.mkdir()
    code = "import tempfile, os; from labagent.workflow.warm import start_server; "
    code += f"tempfile.tempdir = {str(folder)!r}; start_server(); print(os.environ.get('LABAGENT_SERVER'))"
    variables = {k: v for k, v in os.environ.items() if k != "LABAGENT_SERVER"}
    words = [sys.executable, "-c", code]
    done = subprocess.run(words, env=variables, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, "None"), done.stderr
    assert name == "missing" or not list(folder.iterdir())


def test_a_second_interrupt_does_not_break_off_the_cleaning(owner: Owner, tmp_path: Path) -> None:
    root = slow_project(tmp_path)
    variables = {**os.environ, "LABAGENT_SERVER": owner.address}
    words = [LABAGENT, "select", "toy-mean", "--arm", "offline"]
    client = subprocess.Popen(words, cwd=root, env=variables, stderr=subprocess.PIPE, text=True)
    child = until(owner.server.children)[0]
    time.sleep(0.3)
    for process in (child, client):
        process.send_signal(signal.SIGINT)
    _, text = client.communicate(timeout=20)
    assert client.returncode != 0
    assert text.count("KeyboardInterrupt") <= 2
    assert "During handling" not in text


def test_the_server_ends_with_its_owner_however_it_ends() -> None:
    owner = Owner()
    owner.process.kill()
    owner.process.wait()
    owner.server.wait(20)
    assert not Path(owner.address).parent.exists()


@pytest.mark.parametrize(
    "sent", [b"", b"\0\0", (1000).to_bytes(8, "big") + b"half of it", (1 << 62).to_bytes(8, "big") + b"x"]
)
def test_a_client_that_is_gone_before_it_asked_leaves_no_process(owner: Owner, sent: bytes) -> None:
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(owner.address)
        if sent:
            socket.send_fds(connection, [sent], [0, 1, 2])
        until(owner.server.children, 5) if sent[:8] == (1000).to_bytes(8, "big") else time.sleep(0.3)
    until(lambda: not owner.server.children(), 5)


def test_an_absurd_length_is_refused_at_once(owner: Owner) -> None:
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(owner.address)
        connection.settimeout(5)
        socket.send_fds(connection, [(1 << 62).to_bytes(8, "big")], [0, 1, 2])
        assert connection.recv(1) == b""


def test_a_client_that_does_not_go_on_is_given_up(owner: Owner) -> None:
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(owner.address)
        connection.settimeout(20)
        socket.send_fds(connection, [(1000).to_bytes(8, "big")], [0, 1, 2])
        started = time.monotonic()
        assert connection.recv(1) == b""
        assert time.monotonic() - started > 5
    until(lambda: not owner.server.children(), 5)


def left_behind(folder: Path, name: str, *, hours: float) -> Path:
    """What a server that was killed leaves: a socket at which nobody answers."""
    place = folder / f"labagent-warm-{name}"
    place.mkdir()
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(place / "socket"))
    then = time.time() - hours * 3600
    os.utime(place, (then, then))
    return place


def test_folders_of_killed_servers_are_removed(tmp_path: Path) -> None:
    old, young = left_behind(tmp_path, "old", hours=2), left_behind(tmp_path, "young", hours=0.5)
    live = left_behind(tmp_path, "live", hours=2)
    (live / "socket").unlink()
    other = tmp_path / "labagent-warmer"
    other.mkdir()
    link = tmp_path / "labagent-warm-link"
    link.symlink_to(other)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(live / "socket"))
        listener.listen()
        then = time.time() - 7200
        os.utime(live, (then, then))
        code = "from labagent.workflow.warm import start_server; start_server()"
        variables = {**os.environ, "TMPDIR": str(tmp_path)}
        subprocess.run([sys.executable, "-c", code], env=variables, check=True)
    assert not old.exists()
    assert young.exists() and live.exists() and other.exists() and link.is_symlink()
    assert len(list(tmp_path.iterdir())) == 4, "its own is gone, too"
