"""``labagent run``: the workflow on a part of the benchmark."""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path

HELP = "run snakemake on a part: labagent run --family F --arm A --skill S --target T -- --cores 4"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    from labagent.operations.slices import add_options

    parser.add_argument("--root", type=Path, default=Path(), help="the workflow's folder (default: here)")
    add_options(parser)
    parser.add_argument("--print", action="store_true", help="print the command; run nothing")
    parser.add_argument("snakemake", nargs="*", help="after --: words for snakemake (default: --cores all)")


def run(args: argparse.Namespace) -> int:
    """Check the names, then run; the exit status is that of snakemake."""
    from labagent.inputs import load_inputs
    from labagent.operations.slices import config_argument, run_snakemake, selection

    root = args.root.resolve()
    chosen = selection(args)
    load_inputs(root, {"selection": chosen})
    words = [*(args.snakemake or ["--cores", "all"]), *config_argument(chosen)]
    if args.print:
        print(shlex.join(["snakemake", *words]))
        return 0
    return run_snakemake(root, words)
