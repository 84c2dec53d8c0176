"""``labagent benchmarks``: the families, their data, and a choice of targets that looks at no result."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from labagent.cli import _import

if TYPE_CHECKING:
    from labagent.inputs import Inputs
    from labagent.models.family import Family

HELP = "list benchmark families, get or import their data, choose assays"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the actions."""
    parser.add_argument(
        "--root", type=Path, default=Path(), help="the project's folder (default: the current one)"
    )
    commands = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    commands.add_parser("list", help="families, their targets, and whether their data is there")
    fetch = commands.add_parser("fetch", help="get a family's data: what runs may see, and withheld labels")
    fetch.add_argument("family", metavar="FAMILY", help="a folder of benchmarks/")
    fetch.add_argument(
        "--from", dest="source", type=Path, metavar="PATH", help="your copy: a folder, zip or tar archive"
    )
    fetch.add_argument("--sha256", default="", metavar="HEX", help="hash of the archive")
    fetch.add_argument("--targets", nargs="+", default=[], metavar="TARGET", help="only these targets")
    _import.add_actions(commands)
    choose = commands.add_parser("choose", help="choose assays by strata, blind to every published score")
    choose.add_argument("family", metavar="FAMILY", help="proteingym, or a family with its tables")
    choose.add_argument("--size", type=int, default=13, metavar="N", help="how many (default: 13)")
    choose.add_argument("--seed", type=int, default=1, metavar="N", help="another draw (default: 1)")
    choose.add_argument(
        "--method", default="", metavar="NAME", help="reproduce this method's published scores"
    )
    choose.add_argument("--write", action="store_true", help="write the targets and references of the choice")


def run(args: argparse.Namespace) -> int:
    """Carry out one action."""
    from labagent.inputs import load_inputs

    inputs = load_inputs(args.root)
    if args.action == "loci":
        return _import.run_loci(args, _family(inputs, args.family))
    if args.action == "import":
        return _import.run_import(args, inputs, _family(inputs, args.family))
    return {"list": _list, "fetch": _fetch, "choose": _choose}[args.action](args, inputs)


def _list(args: argparse.Namespace, inputs: Inputs) -> int:
    """One line a family."""
    for name, family in inputs.families.items():
        targets = [t for t in inputs.targets.values() if t.family == name]
        there = sum(all(_is_there(item) for item in t.data) for t in targets)
        when = "runs where selection names it" if family.opt_in else "runs by default"
        print(f"{name}\t{len(targets)} targets, data of {there} there\t{when}\t{family.title}")
    return 0


def _is_there(item: str) -> bool:
    """Whether a data item needs no fetching: it is staged from a lab or an address, or lies there."""
    from labagent.models.tables import data_place

    return item.startswith(("lab:", "https://")) or Path(data_place(item)).exists()


def _family(inputs: Inputs, name: str) -> Family:
    """A family by name."""
    from labagent.errors import InputError, InputFault

    if name not in inputs.families:
        known = ", ".join(inputs.families)
        raise InputError([InputFault("benchmarks", f'no family is called "{name}"; there are {known}')])
    return inputs.families[name]


def _fetch(args: argparse.Namespace, inputs: Inputs) -> int:
    """Fill ``data/`` and ``labels/`` beside the tables; exit status 1 where a board could not be had."""
    from labagent.errors import InputError, InputFault
    from labagent.stage.benchmark import fetch_family

    family = _family(inputs, args.family)
    wanted = {n: t for n, t in inputs.targets.items() if t.family == family.name}
    unknown = sorted(set(args.targets) - set(wanted))
    if unknown:
        raise InputError([InputFault(args.family, f'has no target "{unknown[0]}"')])
    rows = [
        (target, (args.root / inputs.tables[name]).parent)
        for name, target in wanted.items()
        if not args.targets or name in args.targets
    ]
    cache = args.root / ".labagent" / "cache"
    done = fetch_family(family, rows, cache=cache, source=args.source, sha256=args.sha256)
    for board in done:
        said = board.reason or ", ".join(f"{name}: {count} rows" for name, count in board.rows.items())
        print(
            f"{board.board}\t{len(board.targets)} targets\t{said}", file=sys.stderr if board.reason else None
        )
    if family.data:
        print(f"licence: {family.data.licence}")
    return int(any(board.reason for board in done))


def _choose(args: argparse.Namespace, inputs: Inputs) -> int:
    """Print a choice, or write it as targets."""
    from labagent.errors import InputError, InputFault
    from labagent.inputs import load_leaderboard
    from labagent.scoring.proteingym.assays import load_assays
    from labagent.scoring.proteingym.choice import choose
    from labagent.scoring.proteingym.targets import write_targets

    family = _family(inputs, args.family)
    if not (Path(family.folder) / "assays.tsv").is_file():
        raise InputError([InputFault(family.name, "has no assays.tsv to choose from")])
    methods = {row.method for row in load_leaderboard(family)} if args.method else set()
    if args.method and args.method not in methods:
        text = f'no method is called "{args.method}"; there are {", ".join(sorted(methods))}'
        raise InputError([InputFault(family.name, text)])
    chosen = choose(load_assays(family), args.size, args.seed)
    for assay in chosen:
        print(
            "\t".join((assay.assay, assay.selection, assay.depth, assay.taxon, f"{assay.variants} variants"))
        )
    if args.write:
        folder = write_targets(family, chosen, method=args.method)
        print(f"written to {folder}; get the data with: labagent benchmarks fetch {family.name}")
    return 0
