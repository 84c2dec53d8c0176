"""``labagent results``: keep a run set in one file, check such a file, go on from it elsewhere."""

from __future__ import annotations

import argparse
from pathlib import Path

HELP = "archive a run set in one reproducible file (an RO-Crate), verify it, import it elsewhere"
SHOWN = 20


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the actions."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    text = (
        "pack inputs, traces, scores, locks, versions and the report; the same content gives the same bytes"
    )
    make = actions.add_parser("archive", help=text, description=text)
    make.add_argument("file", type=Path, help="the archive to write, ….tar.gz")
    text = "check every hash, and the description"
    check = actions.add_parser("verify", help=text, description=text)
    check.add_argument("file", type=Path, help="the archive")
    text = "unpack into this workflow's folder and go on: nothing that cost money is planned again"
    take = actions.add_parser("import", help=text, description=text)
    take.add_argument("file", type=Path, help="the archive")
    take.add_argument("--keep-inputs", action="store_true", help="leave inputs here that differ as they are")
    take.add_argument(
        "--no-environments", action="store_true", help="do not build environments from their locks"
    )
    for sub in (make, take):
        sub.add_argument("--root", type=Path, default=Path(), help="the workflow's folder (default: here)")


def run(args: argparse.Namespace) -> int:
    """Carry out one action; 1 where ``verify`` finds a fault."""
    return {"archive": _archive, "verify": _verify, "import": _import}[args.action](args)


def _archive(args: argparse.Namespace) -> int:
    """Pack."""
    from labagent.files import sha256_file
    from labagent.inputs import load_inputs
    from labagent.operations.alone import alone
    from labagent.operations.archive import pack

    root = args.root.resolve()
    inputs = load_inputs(root)
    with alone(root):
        manifest = pack(inputs, root / inputs.config.results, args.file)
    size = args.file.stat().st_size / 1e6
    print(f"{args.file}: {len(manifest.files)} files of {manifest.runs} attempts, {size:.1f} MB")
    print(f"sha256 {sha256_file(args.file)}")
    if manifest.outside:
        print(f"not in it, since they lie outside this folder: {', '.join(manifest.outside)}")
    return 0


def _verify(args: argparse.Namespace) -> int:
    """Check."""
    from labagent.operations.archive import verify

    checked = verify(args.file)
    for fault in checked.faults[:SHOWN]:
        print(fault)
    if len(checked.faults) > SHOWN:
        print(f"and {len(checked.faults) - SHOWN} more")
    found = "every hash holds" if not checked.faults else f"{len(checked.faults)} faults"
    print(f"{args.file}: {len(checked.manifest.files)} files, labagent {checked.manifest.labagent}: {found}")
    return 1 if checked.faults else 0


def _import(args: argparse.Namespace) -> int:
    """Unpack and go on."""
    from labagent.operations.alone import alone
    from labagent.operations.archive import import_archive

    root = args.root.resolve()
    with alone(root):
        done = import_archive(args.file, root, keep_inputs=args.keep_inputs, build=not args.no_environments)
    print(
        f"{done.files} files of results, {done.inputs} inputs; {done.rebuilt} environments built from locks"
    )
    for line in done.left[:SHOWN]:
        print(f"  made by its rule when it is needed: {line}")
    if done.manifest.outside:
        print(f"put in their places first, or skills are explored anew: {', '.join(done.manifest.outside)}")
    print("see what is left to do:  snakemake -n")
    return 0
