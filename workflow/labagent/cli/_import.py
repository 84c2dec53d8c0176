"""``labagent benchmarks import`` and ``loci``: a user's own copy of a benchmark; loci that skills share."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from labagent.inputs import Inputs
    from labagent.models.family import Family


def add_actions(commands: Any) -> None:
    """Add the actions to the parser of ``labagent benchmarks``."""
    text = "take in your own copy of a benchmark; replaces an earlier import, downloads nothing"
    take = commands.add_parser("import", help=text, description=text)
    take.add_argument("family", metavar="FAMILY", help="a folder of benchmarks/ that has an importer")
    take.add_argument("folder", type=Path, metavar="FOLDER", help="your copy")
    take.add_argument(
        "--trust", action="store_true", help="run the copy's scripts where there is no sandbox for them"
    )
    text = "copy the loci that a family's skills have in common (benchmarks/FAMILY/loci) into skills"
    loci = commands.add_parser("loci", help=text, description=text)
    loci.add_argument("family", metavar="FAMILY", help="a folder of benchmarks/ with loci/")
    loci.add_argument("skills", nargs="+", metavar="SKILL", help="skills of skills/ that link to them")
    loci.add_argument("--check", action="store_true", help="write nothing; exit 1 when a copy differs")


def run_import(args: argparse.Namespace, inputs: Inputs, family: Family) -> int:
    """Import, and say what came of it."""
    from labagent.scoring.importers import ImportOptions, import_family

    options = ImportOptions(sandbox=inputs.config.sandbox, trust=args.trust)
    targets = import_family(family, args.folder, options)
    for target in targets:
        for note in target.notes:
            print(note)
    print(f"{len(targets)} targets written to {Path(family.folder) / 'imported'}; run them with:")
    print(f"snakemake --cores 1 --config selection='{{families: [{family.name}]}}'")
    return 0


def run_loci(args: argparse.Namespace, family: Family) -> int:
    """Copy shared loci into skills, or say which copies are out of step."""
    from labagent.skills.shared_loci import share_loci, stale_loci

    folder, skills = Path(family.folder), [args.root / "skills" / name for name in args.skills]
    if args.check:
        stale = {skill.name: stale_loci(folder, skill) for skill in skills}
    else:
        stale = share_loci(folder, skills)
    for name, loci in stale.items():
        said = "out of step" if args.check else "written"
        print(f"{name}: {', '.join(loci)} {said}" if loci else f"{name}: up to date")
    return int(args.check and any(stale.values()))
