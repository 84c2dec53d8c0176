"""``labagent rerun``: have chosen attempts made anew by the next start; what they left is kept."""

from __future__ import annotations

import argparse
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from labagent.operations.progress import AttemptState

HELP = "have failed or chosen attempts made anew; earlier results, tries and costs are kept"
SHOWN = 20
MOST_TARGETS = 2000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    from labagent.operations.slices import add_options
    from labagent.operations.states import OVER

    parser.add_argument("--root", type=Path, default=Path(), help="the workflow's folder (default: here)")
    parser.add_argument("--failed", action="store_true", help="all that are failed, env_failed or unscorable")
    parser.add_argument(
        "--status", action="append", default=[], choices=sorted(OVER), help="all in this state (repeatable)"
    )
    add_options(parser)
    parser.add_argument("--attempt", type=int, help="only this attempt of each entry")
    parser.add_argument("--dry-run", "-n", action="store_true", help="say which; change nothing")
    parser.add_argument(
        "--run", dest="start", action="store_true", help="then run snakemake for them, with what follows --"
    )
    parser.add_argument("snakemake", nargs="*", help="after --: words for snakemake (with --run)")


def run(args: argparse.Namespace) -> int:
    """Choose, put aside, and say or run what makes them anew."""
    from labagent.errors import InputError, InputFault
    from labagent.operations.alone import alone
    from labagent.operations.progress import read_progress
    from labagent.operations.rerun import FAILED, plan, put_aside
    from labagent.operations.slices import chosen_inputs, run_snakemake

    wanted = frozenset(args.status) | (FAILED if args.failed else frozenset())
    if not wanted:
        raise InputError([InputFault("labagent rerun", "say which: --failed, or --status STATE")])
    root = args.root.resolve()
    inputs = chosen_inputs(root, args)
    results = root / inputs.config.results
    chosen = plan(inputs, read_progress(inputs, results)[1], wanted, args.attempt)
    _say(chosen.chosen, chosen.follow, chosen.planned)
    if args.dry_run or not chosen.chosen:
        return 0
    with alone(root):
        scores = put_aside(inputs, results, chosen.chosen)
    words = [str(path.relative_to(root)) for path in scores] if len(scores) <= MOST_TARGETS else []
    print(f"put aside; earlier results are in {inputs.config.results}/runs/ARM/TARGET/N/earlier-K/")
    if args.start:
        sys.stdout.flush()
        return run_snakemake(root, [*words, *(args.snakemake or ["--cores", "all"])])
    print("make them, and whatever else has no result:  snakemake --cores all")
    if len(words) <= SHOWN:
        print(f"only them:  snakemake --cores all {shlex.join(words)}")
    return 0


def _say(chosen: tuple[AttemptState, ...], follow: int, planned: int) -> None:
    """Which attempts are made anew, and why others are not."""
    print(f"{len(chosen)} attempts to be made anew")
    for attempt in chosen[:SHOWN]:
        print(f"  {'/'.join(map(str, attempt.place))}: {attempt.state}, ended by {attempt.ended_by}")
    if len(chosen) > SHOWN:
        print(f"  and {len(chosen) - SHOWN} more")
    if follow:
        print(f"{follow} ran nothing: they follow by themselves when data, skill or harness are mended")
    if planned:
        print(f"{planned} have no result; the next start makes them anyway")
