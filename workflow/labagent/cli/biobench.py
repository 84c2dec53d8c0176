"""``labagent biobench``: task sets in our format, from the published one or from a held-out file."""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path

HELP = "import BioBench task sets: the published one, or a held-out file"
CORRECTIONS = Path("benchmarks/biobench/corrections.yaml")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the actions."""
    commands = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    text = "the tasks of a file, or of a clone at a commit, in our format"
    sub = commands.add_parser("import", help=text, description=text)
    what = "a task file (published or our format), or a folder that holds the published ones"
    sub.add_argument("source", type=Path, metavar="FILE", help=what)
    sub.add_argument("--commit", default="", metavar="HASH", help="read a git repository at this commit")
    sub.add_argument(
        "--corrections", type=Path, default=CORRECTIONS, metavar="FILE", help=f"default: {CORRECTIONS}"
    )
    sub.add_argument("--as-published", action="store_true", help="apply no corrections")
    default = "results/biobench/tasks/<name>.jsonl"
    sub.add_argument("--to", type=Path, metavar="FILE", help=f"where to write (default: {default})")
    sub.add_argument("--json", action="store_true", help="machine-readable output")


def run(args: argparse.Namespace) -> int:
    """Carry out one action."""
    from labagent.biobench.importing import import_tasks
    from labagent.biobench.tasks import write_tasks

    corrections = None if args.as_published else args.corrections
    tasks = import_tasks(args.source, corrections, args.commit)
    target = args.to or Path("results/biobench/tasks") / f"{args.source.stem}.jsonl"
    write_tasks(target, tasks)
    summary = {
        "file": str(target),
        "commit": args.commit,
        "tasks": len(tasks),
        "corrected": sum(bool(t.correction) for t in tasks),
        "splits": dict(Counter(t.split for t in tasks)),
    }
    if args.json:
        print(json.dumps(summary, indent=2))
    else:
        splits = ", ".join(f"{count} {name}" for name, count in summary["splits"].items())
        print(f"{len(tasks)} tasks ({splits}), {summary['corrected']} corrected: {target}")
    return 0
