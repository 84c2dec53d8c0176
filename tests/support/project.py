"""A small project folder on disk, as a user would have it, for tests to break and to run."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

LABS = "skill\tsource\trepository\tcommit\tpapers\ttutorials\tissues\tsealed\n"
TARGETS = "target\tfamily\tskill\ttask\tdata\tanswer\tprotocol\tbudget\n"
REFERENCES = (
    "target\tquantity\tmetric\tdirection\tvalue\tsd\tsd_kind\tn\t"
    "tolerance\ttolerance_kind\tsource\tdisputed\n"
)


def write(root: Path, name: str, text: str) -> Path:
    """Write a file below ``root``; common indentation is removed."""
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(dedent(text), encoding="utf-8")
    return path


def small_project(root: Path) -> Path:
    """One lab given as a plain folder, explored; one target of family "metric" with one quantity."""
    write(root, "config/config.yaml", "attempts: 1\n")
    write(root, "config/labs.tsv", LABS + "toy-lab\texplore\tlab\n")
    row = "toy-mean\tmetric\ttoy-lab\ttask.md\tvalues.csv\tmean=answer.json:mean\tprotocol.yaml\n"
    write(root, "config/targets.tsv", TARGETS + row)
    write(
        root,
        "config/references.tsv",
        REFERENCES + "toy-mean\tmean\tmean\tmatch\t2.50\t\t\t\t\t\ta book\t\n",
    )
    write(root, "config/task.md", "Write answer.json with the mean.\n")
    write(root, "config/protocol.yaml", "versions: {}\n")
    write(root, "config/values.csv", "value\n1\n4\n")
    write(root, "benchmarks/metric/family.yaml", "scorer: metric\ntitle: Any value with a tolerance\n")
    write(root, "lab/README.md", "# toy\n")
    write(root, "lab/toy.py", "def mean(values):\n    return sum(values) / len(values)\n")
    return root
