"""``labagent data``: stage a target's data."""

from __future__ import annotations

import argparse
from pathlib import Path

HELP = "stage the data of a target"
INTERNAL = True


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    parser.add_argument("target", help="a row of a targets table")


def run(args: argparse.Namespace) -> int:
    """Stage."""
    from labagent.workflow import jobs

    jobs.data(Path.cwd(), args.target)
    return 0
