"""Attacks from inside bubblewrap: each must fail."""

import os
import socket
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from labagent.sandbox import Sandbox, probe


def test_an_unprivileged_user_even_under_root(inside: Sandbox, output: Path) -> None:
    got = inside.run("id -u; grep CapEff /proc/self/status; hostname", output=output, seconds=10).text.split()
    assert got == ["1000", "CapEff:", "0000000000000000", "sandbox"]


def test_nothing_of_the_host_but_the_system(inside: Sandbox, output: Path) -> None:
    project = Path(__file__).resolve().parents[3]
    names = [
        Path.home(),
        project,
        Path("/mnt"),
        Path("/sys"),
        Path("/var/run/docker.sock"),
        Path("/etc/shadow"),
    ]
    names += [Path("/etc/ssl/private"), output.parent]
    command = "; ".join(f'ls -d "{name}"' for name in names)
    result = inside.run(command, output=output, seconds=10)
    assert result.text.count("No such file") == len(names)
    assert inside.run("find / -name '*.sock' -o -type s 2>/dev/null", output=output, seconds=20).text == ""


@pytest.mark.parametrize(
    "target",
    [
        "/data/table.csv",
        "/data/new",
        "/usr/bin/new",
        "/etc/passwd",
        "/new",
        "/dev/new",
        "/opt/new",
        "/home/new",
    ],
)
def test_writing_outside_the_run_fails(target: str, inside: Sandbox, output: Path, run_folder: Path) -> None:
    result = inside.run(f"echo x >> {target}", output=output, seconds=10)
    assert result.status == 1
    assert (run_folder / "data" / "table.csv").read_text() == "a,b\n1,2\n"


def test_kernel_settings_and_the_parent_are_out_of_reach(inside: Sandbox, output: Path) -> None:
    # Opening for appending changes nothing even where it succeeds.
    command = """
        for f in sys/kernel/core_pattern sys/kernel/hostname sys/vm/swappiness sysrq-trigger; do
            : >> /proc/$f && echo open $f
        done
        cat /proc/1/environ | tr '\\0' '\\n' | grep -c PYTEST
        ls /proc | grep -cE '^[0-9]+$'
        unshare -Ur true && echo namespace
        mount -t tmpfs none /run && echo mounted"""
    text = inside.run(command, output=output, seconds=10).text
    assert (
        "open /" not in text and "namespace" not in text.splitlines() and "mounted" not in text.splitlines()
    )
    numbers = [int(line) for line in text.splitlines() if line.isdigit()]
    assert numbers[0] == 0 and numbers[1] < 10


def test_links_out_of_the_run_lead_nowhere(inside: Sandbox, output: Path, run_folder: Path) -> None:
    (run_folder / "secret").write_text("42")
    (run_folder / "run" / "link").symlink_to(run_folder / "secret")
    assert inside.run("cat link", output=output, seconds=10).status == 1


def test_the_network_can_be_cut(opened: Callable[..., Sandbox], output: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        threading.Thread(target=lambda: [server.accept()[0].close() for _ in range(1)], daemon=True).start()
        command = f"exec 3<>/dev/tcp/127.0.0.1/{port} && echo reached"
        assert "reached" in opened("bubblewrap").run(command, output=output, seconds=5).text
        cut = opened("bubblewrap", network="off")
        assert cut.record.network == "off"
        assert "reached" not in cut.run(command, output=output, seconds=5).text


def test_index_settings_with_a_login_are_not_shown(tmp_path: Path) -> None:
    from labagent.sandbox.system import _has_login

    (tmp_path / "pip").mkdir()
    (tmp_path / "pip" / "pip.conf").write_text("[global]\nindex-url = https://me:pw@host/simple\n")
    assert _has_login(tmp_path / "pip")
    (tmp_path / "pip" / "pip.conf").write_text("[global]\nindex-url = https://host/simple\n")
    assert not _has_login(tmp_path / "pip")


def test_the_probe_tells_what_is_there_and_nothing_of_the_host(inside: Sandbox) -> None:
    facts = probe(inside)
    assert facts["cores"] >= 1 and 0 < facts["memory_mb"] <= 600
    assert facts["system"].startswith("Linux") and facts["sandbox"] == "bubblewrap"
    text = repr(facts)
    for private in (str(Path.home()), socket.gethostname(), os.environ.get("USER", "\0")):
        assert len(private) < 3 or private not in text
    assert probe()["tools"]


@pytest.mark.parametrize("network", ["setup", "off"])
def test_a_cut_network_leaves_its_own_loopback_alone(
    network: str, opened: Callable[..., Sandbox], output: Path
) -> None:
    sandbox = opened("bubblewrap", network=network)
    assert sandbox.record.network == network and sandbox.record.enforced["network"] == "namespace"
    assert probe(sandbox)["network"] == "off"
    code = "import socket as s; a = s.create_server(('127.0.0.1', 0)); s.create_connection(a.getsockname())"
    got = sandbox.run(f'python3 -c "{code}" && tail -n +3 /proc/net/dev', output=output, seconds=20)
    assert got.status == 0 and [line.split(":")[0].strip() for line in got.text.splitlines()] == ["lo"]


def test_an_open_network_says_what_of_the_host_it_leaves_open(opened: Callable[..., Sandbox]) -> None:
    said = opened("bubblewrap").record
    assert "loopback" in said.enforced["network"] and said.warnings == ()
    assert opened("none", network="setup").record.warnings[-1].startswith("the network is not cut")
