"""``labagent explore-tasks``: skills for open tasks, from their texts and a local corpus."""

from __future__ import annotations

import argparse
from pathlib import Path

HELP = "draft analysis skills for open tasks (no method named), with a model"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    parser.add_argument("name", help="what the exploration is called: lowercase letters, digits, hyphens")
    parser.add_argument("targets", nargs="+", metavar="TARGET", help="targets of the targets tables")
    parser.add_argument("--explorer", required=True, help="a name under explorers, with a model")
    parser.add_argument(
        "--corpus", nargs="+", default=[], type=Path, metavar="PATH", help="text files or folders to search"
    )


def run(args: argparse.Namespace) -> int:
    """Explore, and say which skills came out of it."""
    from labagent.workflow import jobs

    return jobs.explore_tasks(Path.cwd(), args.name, args.targets, args.explorer, args.corpus)
