"""``labagent score``: score one attempt of an arm on a target."""

from __future__ import annotations

import argparse
from pathlib import Path

HELP = "score one attempt of an arm on a target"
INTERNAL = True


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    parser.add_argument("target", help="a row of a targets table")
    parser.add_argument("--arm", required=True, help="a name under arms in config.yaml")
    parser.add_argument("--attempt", type=int, default=1, help="number of the attempt (default: 1)")


def run(args: argparse.Namespace) -> int:
    """Score."""
    from labagent.workflow import jobs

    jobs.score(Path.cwd(), args.arm, args.target, args.attempt)
    return 0
