"""What the workflow itself costs, with agents that do nothing.

Baselines, in the same run: plain Snakemake with the same graph of jobs, (a) each a Python ``script:`` that
writes its output, (b) each a shell ``true``. Stated, never asserted.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import pytest

from support.project import REFERENCES, TARGETS, write

pytestmark = pytest.mark.performance

CHECKOUT = Path(__file__).parents[2]
TARGET_COUNT = int(os.environ.get("LABAGENT_BENCH_TARGETS", "40"))

PLAIN = """
N = range({count})
rule all:
    input: expand("score/{{i}}", i=N)
    output: touch("report")
rule data:
    output: "data/{{i}}"
    {body}
rule select:
    output: "select/{{i}}"
    {body}
rule environment:
    input: "select/{{i}}"
    output: "environment/{{i}}"
    {body}
rule reproduce:
    input: "data/{{i}}", "select/{{i}}", "environment/{{i}}"
    output: "run/{{i}}"
    {body}
rule score:
    input: "run/{{i}}", "environment/{{i}}"
    output: "score/{{i}}"
    {body}
"""


def project(root: Path, count: int) -> Path:
    """A project of ``count`` targets whose arm has no skill: its agent gives up at once."""
    for name in ("Snakefile", "workflow/rules", "workflow/scripts", "workflow/report", "profiles"):
        source = CHECKOUT / name
        copy = shutil.copytree if source.is_dir() else shutil.copy2
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        copy(source, root / name)
    write(root, "config/config.yaml", "arms:\n  none: {skills: none, memory: 'off'}\n")
    write(root, "config/labs.tsv", "skill\tsource\trepository\n")
    write(root, "config/task.md", "Do nothing.\n")
    write(root, "benchmarks/metric/family.yaml", "scorer: metric\ntitle: none\n")
    targets = (f"t{i}\tmetric\t\ttask.md\t\tx=answer.json:x\t\t\n" for i in range(count))
    write(root, "config/targets.tsv", TARGETS + "".join(targets))
    references = (f"t{i}\tx\tx\tmatch\t1.0\t\t\t\t\t\tnone\t\n" for i in range(count))
    write(root, "config/references.tsv", REFERENCES + "".join(references))
    return root


def plain(root: Path, count: int, body: str) -> Path:
    """The same graph in plain Snakemake."""
    write(root, "noop.py", 'open(snakemake.output[0], "w").close()\n')
    write(root, "Snakefile", PLAIN.format(count=count, body=body))
    return root


@dataclass(frozen=True)
class Cost:
    """What a call and all processes below it took: seconds, processor seconds, the largest process' MiB."""

    wall: float
    cpu: float
    peak: float


def snakemake(root: Path, *arguments: str) -> Cost:
    """One Snakemake call with two cores."""
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    words = [sys.executable, "-m", "snakemake", "--cores", "2", "--quiet", "all", *arguments]
    start = time.perf_counter()
    with (root / "output.txt").open("w") as stream:
        process = subprocess.Popen(words, cwd=root, env=environment, stdout=stream, stderr=stream)
        _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, (root / "output.txt").read_text()
    return Cost(time.perf_counter() - start, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)


def test_overhead_per_target(tmp_path: Path) -> None:
    ours = project(tmp_path / "ours", TARGET_COUNT)
    snakemake(project(tmp_path / "warm", 1))
    shutil.copytree(tmp_path / "warm/.labagent", ours / ".labagent")
    script = plain(tmp_path / "script", TARGET_COUNT, 'script: "noop.py"')
    shell = plain(tmp_path / "shell", TARGET_COUNT, 'shell: "true; touch {output}"')
    costs = {
        name: snakemake(root) for name, root in (("labagent", ours), ("script", script), ("true", shell))
    }
    assert (ours / "results/report/entries.tsv").read_text().count("\n") == TARGET_COUNT + 1
    print(f"\n{TARGET_COUNT} targets, 2 cores, agents that do nothing; a target, and labagent's ratio to it")
    print("            seconds  ratio  processor seconds  ratio")
    for name, cost in costs.items():
        wall, cpu = costs["labagent"].wall / cost.wall, costs["labagent"].cpu / cost.cpu
        print(
            f"  {name:<10} {cost.wall / TARGET_COUNT:.3f}   {wall:.2f}   "
            f"{cost.cpu / TARGET_COUNT:.3f}              {cpu:.2f}"
        )


def test_memory_of_the_controller(tmp_path: Path) -> None:
    """A dry run has no large process but the controller."""
    for count in (20, 200, 2000):
        root = project(tmp_path / str(count), count)
        cost = snakemake(root, "--dry-run")
        print(
            f"dry run of {count} targets: {cost.wall:.1f} s, {cost.cpu:.1f} processor seconds, "
            f"peak {cost.peak:.0f} MiB"
        )


def test_start_of_the_command_line() -> None:
    labagent = str(Path(sys.executable).parent / "labagent")
    seconds = {}
    for name, command in (
        ("labagent --help", [labagent, "--help"]),
        ("python -c pass", [sys.executable, "-c", "pass"]),
    ):
        runs = []
        for _ in range(11):
            start = time.perf_counter()
            subprocess.run(command, capture_output=True, check=True)
            runs.append(time.perf_counter() - start)
        seconds[name] = median(runs)
        print(f"{name}: median {seconds[name]:.3f} s of 11")
