"""``labagent report``: make the report again from the results that are there."""

from __future__ import annotations

import argparse
from pathlib import Path

HELP = "write tables, figures and the pages of a run again, from its results"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    parser.add_argument(
        "--root", type=Path, default=Path(), help="the workflow's folder (default: the current one)"
    )
    parser.add_argument("--out", type=Path, help="where the report goes (default: <results>/report)")
    parser.add_argument(
        "--partial",
        action="store_true",
        help="report an unfinished run: entries without a result are counted as such",
    )
    parser.add_argument(
        "--traces",
        action="store_true",
        help="a page for the trace of every attempt, also where there are very many",
    )


def run(args: argparse.Namespace) -> int:
    """Build the report."""
    from labagent.inputs import load_inputs
    from labagent.report import build_report

    root = args.root.resolve()
    inputs = load_inputs(root)
    results = root / inputs.config.results
    out = args.out or results / "report"
    build_report(inputs=inputs, results=results, out=out, partial=args.partial, all_traces=args.traces)
    print(out / "report.html")
    return 0
