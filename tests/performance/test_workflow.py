"""What the workflow itself costs, with agents that do nothing.

Baselines, in the same run: plain Snakemake with the same graph of jobs, (a) each a Python ``script:`` that
writes its output, (b) each a shell ``true``. Stated, never asserted.
"""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
import time
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


def snakemake(root: Path, *arguments: str) -> float:
    """Seconds of one Snakemake call with two cores."""
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    start = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "snakemake", "--cores", "2", "--quiet", "all", *arguments],
        cwd=root,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return time.perf_counter() - start


def test_overhead_per_target(tmp_path: Path) -> None:
    ours = project(tmp_path / "ours", TARGET_COUNT)
    snakemake(project(tmp_path / "warm", 1))
    shutil.copytree(tmp_path / "warm/.labagent", ours / ".labagent")
    script = plain(tmp_path / "script", TARGET_COUNT, 'script: "noop.py"')
    shell = plain(tmp_path / "shell", TARGET_COUNT, 'shell: "true; touch {output}"')
    seconds = {
        name: snakemake(root) for name, root in (("labagent", ours), ("script", script), ("true", shell))
    }
    assert (ours / "results/report/entries.tsv").read_text().count("\n") == TARGET_COUNT + 1
    print(
        f"\n{TARGET_COUNT} targets, 2 cores, agents that do nothing; seconds a target, labagent's ratio to it"
    )
    for name, spent in seconds.items():
        print(f"  {name:<10} {spent / TARGET_COUNT:.3f}  {seconds['labagent'] / spent:.2f}")


def test_memory_of_the_controller(tmp_path: Path) -> None:
    for count in (20, 200):
        root = project(tmp_path / str(count), count)
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        seconds = snakemake(root, "--dry-run")
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        note = "" if peak > before else " (not above an earlier child)"
        print(f"dry run of {count} targets: {seconds:.1f} s, controller's peak {peak / 1024:.0f} MiB{note}")


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
