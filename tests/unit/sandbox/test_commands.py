"""Commands in both kinds of sandbox: results, limits, and nothing left behind."""

import os
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from labagent.errors import InfrastructureError
from labagent.models.config import SandboxSettings
from labagent.sandbox import Limits, Mount, Sandbox, open_sandbox
from labagent.sandbox.bubblewrap import find_bubblewrap

BOTH = pytest.mark.parametrize("kind", ["bubblewrap", "none"])


def running(marker: str) -> list[int]:
    """Processes of this machine whose command line holds ``marker``."""
    found = []
    for process in psutil.process_iter(["cmdline", "status"]):
        words = process.info["cmdline"] or []
        if marker in " ".join(words) and process.info["status"] != psutil.STATUS_ZOMBIE:
            found.append(process.pid)
    return [pid for pid in found if pid != os.getpid()]


def limited(**changes: float) -> Limits:
    values: dict[str, float] = {"seconds": 30, "mem_mb": 600, "processes": 64, "disk_mb": 64, "cores": 2}
    return Limits(**{**values, **changes})  # type: ignore[arg-type]


def test_status_output_and_files_carry_over(sandbox: Sandbox, output: Path, run_folder: Path) -> None:
    result = sandbox.run("echo out; echo err >&2; echo kept > file; exit 3", output=output, seconds=10)
    assert (result.status, result.signal, result.timed_out, result.limit) == (3, None, False, "")
    assert result.text == "out\nerr\n" == output.read_text()
    assert sandbox.run("cat file", output=output, seconds=10).text == "kept\n"
    owner = (run_folder / "run" / "file").stat()
    assert (owner.st_uid, owner.st_gid) == (os.getuid(), os.getgid())


def test_death_by_signal_is_reported_alike(sandbox: Sandbox, output: Path) -> None:
    for command in ("kill -SEGV $$", "bash -c 'kill -SEGV $$'; exit $?"):
        result = sandbox.run(command, output=output, seconds=10)
        assert (result.status, result.signal) == (139, 11)


def test_input_is_closed_and_descriptors_are_not_inherited(sandbox: Sandbox, output: Path) -> None:
    reader, writer = os.pipe()
    os.set_inheritable(reader, True)
    try:
        got = sandbox.run(
            "read -r x || echo none; ls /proc/self/fd | tr '\\n' ' '", output=output, seconds=10
        )
    finally:
        os.close(reader)
        os.close(writer)
    assert got.text.split() == ["none", "0", "1", "2", "3"]


def test_secrets_of_the_host_are_not_in_the_environment(
    opened: Callable[..., Sandbox], output: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LAB_API_KEY", "sk-do-not-show")
    for kind in ("none", "bubblewrap"):
        text = opened(kind).run("env; cat /proc/self/environ", output=output, seconds=10).text
        assert "sk-do-not-show" not in text and "LC_ALL=C.UTF-8" in text


@BOTH
def test_places_are_found_by_variables(kind: str, opened: Callable[..., Sandbox], output: Path) -> None:
    sandbox = opened(kind, variables={"PATH": "/run/bin:/data/bin"})
    command = 'cat "$LABAGENT_DATA/table.csv"; echo $PATH; touch "$TMPDIR/t" "$HOME/h"'
    result = sandbox.run(command, output=output, seconds=10)
    first = f"{sandbox.path('/run')}/bin:{sandbox.path('/data/bin')}:"
    assert result.status == 0 and result.text.splitlines()[2].startswith(first)
    expected = "/data" if kind == "bubblewrap" else str(output.parent / "data")
    assert sandbox.path("/data") == expected


@BOTH
def test_the_time_limit_ends_all_processes(kind: str, opened: Callable[..., Sandbox], output: Path) -> None:
    marker = f"7{time.time_ns() % 10**8}"
    command = f"""
        trap '' TERM
        sleep {marker} &
        (exec >/dev/null 2>&1 </dev/null; setsid sleep {marker} &)
        python3 -c 'import os, time
for _ in range(2):
    os.fork() and os._exit(0)
    os.setsid()
time.sleep({marker})'
        echo started; sleep {marker}"""
    sandbox = opened(kind)
    start = time.monotonic()
    result = sandbox.run(command, output=output, seconds=1)
    assert (result.status, result.timed_out, result.limit) == (None, True, "seconds")
    assert time.monotonic() - start < 5
    assert "started" in result.text and "the limit of a command" in result.text
    assert running(marker) == []


@BOTH
def test_term_comes_before_kill(kind: str, opened: Callable[..., Sandbox], output: Path) -> None:
    result = opened(kind).run("trap 'echo tidy; exit 0' TERM; sleep 60 & wait", output=output, seconds=0.5)
    assert result.timed_out and "tidy" in result.text


@BOTH
def test_daemons_do_not_outlive_their_command(
    kind: str, opened: Callable[..., Sandbox], output: Path
) -> None:
    marker = f"7{time.time_ns() % 10**8}"
    nested = f"setsid bash -c '(sleep {marker} &); sleep {marker}'"
    command = f"sleep {marker} & (setsid sleep {marker} &); {nested} & sleep 0.1"
    result = opened(kind).run(command, output=output, seconds=10)
    assert result.status == 0 and result.seconds < 5
    assert running(marker) == []


@BOTH
def test_endless_output_cannot_fill_the_disk(kind: str, opened: Callable[..., Sandbox], output: Path) -> None:
    result = opened(kind, limits=limited(disk_mb=16)).run("yes", output=output, seconds=20)
    assert result.limit == "disk" and result.bytes <= 16 << 20
    assert result.omitted > 1 << 20 and len(result.text) < 9000


@BOTH
def test_many_files_cannot_fill_the_disk(kind: str, opened: Callable[..., Sandbox], output: Path) -> None:
    sandbox = opened(kind, limits=limited(disk_mb=32))
    command = "for n in $(seq 200); do head -c 2000000 /dev/zero > $n; sleep 0.02; done"
    result = sandbox.run(command, output=output, seconds=20)
    assert result.limit == "disk" and "32 MB are allowed" in result.text
    assert sum(f.stat().st_size for f in Path(output.parent / "run").iterdir()) < 150 << 20


@BOTH
def test_memory_is_limited_over_the_whole_tree(
    kind: str, opened: Callable[..., Sandbox], output: Path
) -> None:
    hold = "python3 -c 'import time; x=bytearray(150<<20); time.sleep(20)'"
    sandbox = opened(kind, limits=limited(mem_mb=250))
    result = sandbox.run(f"{hold} & {hold} & wait", output=output, seconds=15)
    assert result.limit == "memory" and "250 MB are allowed" in result.text
    assert result.seconds < 10


def test_memory_shared_between_processes_counts_once(sandbox: Sandbox, output: Path) -> None:
    code = "import os,time; x=bytearray(200<<20); [os.fork() for _ in range(3)]; time.sleep(0.7)"
    result = sandbox.run(f"python3 -c '{code}'", output=output, seconds=15)
    assert (result.status, result.limit) == (0, "")


def test_memory_in_shared_files_counts(opened: Callable[..., Sandbox], output: Path) -> None:
    command = "for n in $(seq 10); do head -c 60000000 /dev/zero > /dev/shm/$n; done; sleep 5"
    result = opened("bubblewrap", limits=limited(mem_mb=300)).run(command, output=output, seconds=15)
    assert result.limit == "memory" or "No space left" in result.text


BOMB = """
import os, time
for _ in range(400):
    try:
        if os.fork() == 0:
            time.sleep(20); os._exit(0)
    except OSError as error:
        print('refused', error); time.sleep(5); break
time.sleep(20)
"""


@BOTH
def test_a_fork_bomb_is_stopped(
    kind: str, opened: Callable[..., Sandbox], output: Path, run_folder: Path
) -> None:
    (run_folder / "run" / "bomb.py").write_text(BOMB)
    sandbox = opened(kind, limits=limited(processes=50))
    result = sandbox.run("python3 bomb.py", output=output, seconds=4)
    assert result.limit == "processes" or "refused" in result.text
    assert sandbox.record.enforced["processes"] in {"watch", "cgroup and watch", "rlimit"}
    assert running("bomb.py") == []


def test_an_interrupt_leaves_no_process(sandbox: Sandbox, output: Path) -> None:
    import signal

    marker = f"7{time.time_ns() % 10**8}"

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.5)
    try:
        with pytest.raises(KeyboardInterrupt):
            sandbox.run(f"(setsid sleep {marker} &); sleep {marker}", output=output, seconds=20)
    finally:
        signal.signal(signal.SIGALRM, before)
    assert running(marker) == []


def test_no_descriptor_and_no_zombie_is_left(sandbox: Sandbox, output: Path) -> None:
    def state() -> tuple[int, int]:
        return len(list(Path("/proc/self/fd").iterdir())), len(psutil.Process().children())

    sandbox.run("true", output=output, seconds=5)
    before = state()
    for _ in range(5):
        sandbox.run("(setsid sleep 30 &); true", output=output, seconds=5)
    assert state() == before


def test_a_mount_that_is_gone_is_no_outcome(
    opened: Callable[..., Sandbox], output: Path, run_folder: Path
) -> None:
    sandbox = opened("bubblewrap")
    (run_folder / "data").rename(run_folder / "elsewhere")
    with pytest.raises(InfrastructureError, match=r"sandbox cannot be set up.*data"):
        sandbox.run("true", output=output, seconds=5)


def test_the_note_names_the_output_as_the_agent_finds_it(
    opened: Callable[..., Sandbox], run_folder: Path
) -> None:
    sandbox = opened("bubblewrap", characters=100)
    result = sandbox.run("seq 1000", output=run_folder / "run" / "turn-1.txt", seconds=5)
    assert "bytes are in /run/turn-1.txt" in result.text


def test_bubblewrap_that_does_not_work_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    broken = tmp_path / "bwrap"
    broken.write_text("#!/bin/sh\necho 'no user namespaces' >&2\nexit 1\n")
    broken.chmod(0o755)
    monkeypatch.setattr("labagent.sandbox.bubblewrap._candidates", lambda: [str(broken)])
    find_bubblewrap.cache_clear()
    mounts = [Mount(tmp_path, "/run", writable=True)]
    more = {"mounts": mounts, "variables": {}, "cwd": "/run", "limits": limited()}
    try:
        sandbox = open_sandbox(SandboxSettings(network="off"), **more)
        assert (sandbox.record.kind, sandbox.record.network) == ("none", "open")
        assert "no user namespaces" in sandbox.record.warnings[0] and len(sandbox.record.warnings) == 2
        with pytest.raises(InfrastructureError, match=r"(?s)no user namespaces.*install"):
            open_sandbox(SandboxSettings(kind="bubblewrap"), **more)
    finally:
        find_bubblewrap.cache_clear()
