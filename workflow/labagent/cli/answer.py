"""``labagent answer``: answer one question of the questions table."""

from __future__ import annotations

import argparse
from pathlib import Path

HELP = "answer one question of the questions table"
INTERNAL = True


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    parser.add_argument("question", help="a row of the questions table")


def run(args: argparse.Namespace) -> int:
    """Answer."""
    from labagent.workflow.questions import answer_question
    from labagent.workflow.session import current_config

    root = Path.cwd()
    print(answer_question(root, current_config(root), args.question))
    return 0
