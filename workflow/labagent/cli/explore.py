"""``labagent explore``: draft a skill from a lab's staged artifacts."""

from __future__ import annotations

import argparse
from pathlib import Path

HELP = "draft a skill from a lab's staged artifacts"
INTERNAL = True


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    parser.add_argument("skill", help="a row of labs.tsv")
    parser.add_argument("--explorer", required=True, help="a name under explorers in config.yaml")
    parser.add_argument("--key", default="", help="what the draft depends on, kept in its record")


def run(args: argparse.Namespace) -> int:
    """Draft the skill."""
    from labagent.workflow import jobs

    jobs.explore(Path.cwd(), args.skill, args.explorer, args.key)
    return 0
