"""``labagent select``: choose the skill of a target for an arm."""

from __future__ import annotations

import argparse
from pathlib import Path

HELP = "choose the skill of a target for an arm"
INTERNAL = True


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    parser.add_argument("target", help="a row of a targets table")
    parser.add_argument("--arm", required=True, help="a name under arms in config.yaml")
    parser.add_argument("--key", default="", help="what the choice depends on, kept in its record")


def run(args: argparse.Namespace) -> int:
    """Choose."""
    from labagent.workflow import jobs

    jobs.select(Path.cwd(), args.arm, args.target, args.key)
    return 0
