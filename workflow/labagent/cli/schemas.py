"""``labagent schemas``: JSON schemas of all records."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

HELP = "write the JSON schemas of all records from the models, or check that they are in step"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    parser.add_argument(
        "--check", action="store_true", help="write nothing; exit 1 when a file is out of step"
    )
    parser.add_argument("--folder", type=Path, help="where they lie (default: workflow/schemas)")


def run(args: argparse.Namespace) -> int:
    """Write or check."""
    from labagent.schemas import FOLDER, drift, write_schemas

    folder = args.folder or FOLDER
    if args.check:
        stale = drift(folder)
        for path in stale:
            print(f"{path}: out of step with the models; run: labagent schemas", file=sys.stderr)
        return 1 if stale else 0
    for path in write_schemas(folder):
        print(path)
    return 0
