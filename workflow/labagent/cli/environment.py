"""``labagent environment``: build the environment of a target in an arm."""

from __future__ import annotations

import argparse
from pathlib import Path

HELP = "build or reuse the environment of a target in an arm"
INTERNAL = True


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    parser.add_argument("target", help="a row of a targets table")
    parser.add_argument("--arm", required=True, help="a name under arms in config.yaml")


def run(args: argparse.Namespace) -> int:
    """Build."""
    from labagent.workflow import jobs

    jobs.environment(Path.cwd(), args.arm, args.target)
    return 0
