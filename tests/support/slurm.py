"""A real SLURM cluster of one node on this machine, for tests: munge, slurmctld and slurmd on loopback.

It needs root, but neither systemd nor control groups: memory is watched by polling (``OverMemoryKill``), and
more processors than there are may be asked for. Everything lies in one folder and ends with ``stop``.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scancel", "scontrol", "srun")
PACKAGES = "slurmctld slurmd slurm-client munge"
SYSTEM_CONF = Path("/etc/slurm/slurm.conf")
SBIN = "/usr/sbin:/sbin"

CONF = """\
ClusterName=tests
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller_port}
SlurmdPort={node_port}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
{loopback}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SwitchType=switch/none
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=task=1
JobAcctGatherParams=OverMemoryKill
SlurmdParameters=config_overrides
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
SchedulerType=sched/backfill
SchedulerParameters=batch_sched_delay=0,sched_interval=1,bf_interval=1,bf_resolution=1
EnforcePartLimits=ALL
MinJobAge=600
ReturnToService=2
KillWait=2
CompleteWait=0
SlurmctldTimeout=30
SlurmdTimeout=300
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
GresTypes=gpu
NodeName={host} NodeAddr=127.0.0.1 CPUs=8 RealMemory=16000 State=UNKNOWN{gres}
PartitionName=main Nodes={host} Default=YES MaxTime=INFINITE DefaultTime=60 State=UP
"""


def why_not() -> str:
    """Why there can be no cluster here; empty where there can."""
    if os.geteuid() != 0:
        return "slurmd needs root"
    missing = [name for name in PROGRAMS if not shutil.which(name, path=_path())]
    if missing:
        return f"not installed: {', '.join(missing)} (Debian: {PACKAGES})"
    if SYSTEM_CONF.exists() and not SYSTEM_CONF.is_symlink():
        return f"this machine has a SLURM configuration of its own: {SYSTEM_CONF}"
    return ""


class Cluster:
    """The cluster below ``folder``; use as a context manager."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.host = os.uname().nodename.split(".")[0]
        self.conf = folder / "slurm.conf"

    def __enter__(self) -> Cluster:
        for name in ("state", "spool"):
            (self.folder / name).mkdir(parents=True)
        self._configure()
        key = self.folder / "munge.key"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o600)
        try:
            self._start_munge(key)
            self.start_controller()
            self._daemon("slurmd")
            wait(lambda: self.state() in ("idle", "mixed", "allocated"), "the node", 60)
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def run(self, *command: str) -> str:
        """Output of a SLURM command."""
        return subprocess.run(
            command, env=self.variables(), capture_output=True, text=True, check=True, timeout=60
        ).stdout

    def variables(self) -> dict[str, str]:
        """The environment in which commands find the cluster."""
        return {**os.environ, "SLURM_CONF": str(self.conf), "PATH": _path()}

    def state(self) -> str:
        """State of the node, such as ``idle`` or ``drained``; empty while nobody answers."""
        done = subprocess.run(
            ["sinfo", "-h", "-p", "main", "-o", "%T"], env=self.variables(), capture_output=True, text=True
        )
        return done.stdout.strip().rstrip("*")

    def jobs(self) -> list[tuple[str, str, str]]:
        """Waiting and running jobs: (id, state, what Snakemake said the job is)."""
        lines = self.run("squeue", "-h", "-t", "PD,R", "-o", "%i|%T|%k").splitlines()
        return [(number, state, comment) for number, state, comment in (x.split("|", 2) for x in lines)]

    def start_controller(self) -> None:
        """Start slurmctld; it takes up what it knew."""
        self._daemon("slurmctld")
        wait(lambda: "is UP" in self.run("scontrol", "ping"), "slurmctld", 30)

    def kill_controller(self) -> None:
        """Kill slurmctld, as a crash would."""
        pid = self._pid("slurmctld")
        assert pid, "slurmctld does not run"
        os.kill(pid, 9)
        wait(lambda: not _alive(pid, "slurmctld"), "the end of slurmctld", 10)

    def stop(self) -> None:
        """End all jobs and daemons."""
        subprocess.run(["scancel", "-u", "root"], env=self.variables(), capture_output=True, timeout=30)
        for name in ("slurmd", "slurmctld", "munged"):
            if pid := self._pid(name):
                os.kill(pid, 15)
                try:
                    wait(lambda pid=pid, name=name: not _alive(pid, name), f"the end of {name}", 15)
                except AssertionError:
                    os.kill(pid, 9)
        if SYSTEM_CONF.is_symlink() and SYSTEM_CONF.readlink() == self.conf:
            SYSTEM_CONF.unlink()

    def _configure(self) -> None:
        """Write the configuration, and link it to where ``srun`` inside of jobs looks for one."""
        try:
            local = socket.gethostbyname(os.uname().nodename) == "127.0.0.1"
        except OSError:
            local = False
        self.conf.write_text(
            CONF.format(
                host=self.host,
                folder=self.folder,
                controller_port=_free_port(),
                node_port=_free_port(),
                loopback="CommunicationParameters=NoInAddrAny,NoCtldInAddrAny" if local else "",
                gres="",
            )
        )
        SYSTEM_CONF.parent.mkdir(parents=True, exist_ok=True)
        SYSTEM_CONF.unlink(missing_ok=True)
        SYSTEM_CONF.symlink_to(self.conf)

    def _start_munge(self, key: Path) -> None:
        """Start the daemon that signs requests."""
        names = {"key": "key", "socket": "socket", "pid": "pid", "seed": "seed", "log": "log"}
        files = [f"--{option}-file={self.folder / f'munged.{name}'}" for option, name in names.items()]
        files = [f for f in files if "key-file" not in f and "socket-file" not in f]
        socket_file = self.folder / "munge.socket"
        self._detached(["munged", "--force", f"--key-file={key}", f"--socket={socket_file}", *files])
        wait(socket_file.exists, "munged", 10)

    def _daemon(self, name: str) -> None:
        """Start a daemon; it puts itself into the background."""
        self._detached([name])

    def _detached(self, command: list[str]) -> None:
        """Run a command that forks, without our pipes."""
        with (self.folder / f"{command[0]}.out").open("a") as out:
            subprocess.run(
                command,
                env=self.variables(),
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                start_new_session=True,
                check=True,
                timeout=60,
            )

    def _pid(self, name: str) -> int:
        """Process id of a daemon that runs, else 0."""
        try:
            pid = int((self.folder / f"{name}.pid").read_text().strip("\0 \n"))
        except (OSError, ValueError):
            return 0
        return pid if _alive(pid, name) else 0


def wait(true: Callable[[], bool], what: str, seconds: float) -> None:
    """Wait for something to become true; its errors count as not yet."""
    end = time.monotonic() + seconds
    while True:
        try:
            if true():
                return
        except (OSError, subprocess.SubprocessError):
            pass
        assert time.monotonic() < end, f"waited {seconds} s for {what}"
        time.sleep(0.2)


def _alive(pid: int, name: str) -> bool:
    """Whether a process runs and is the one meant."""
    try:
        return Path(f"/proc/{pid}/comm").read_text().strip() == name
    except OSError:
        return False


def _free_port() -> int:
    """A port nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _path() -> str:
    """Where programs are, those of the system's administration included."""
    return f"{os.environ.get('PATH', '')}:{SBIN}"
