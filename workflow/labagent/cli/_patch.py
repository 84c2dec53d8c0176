"""``labagent skills patch``: a new version of a skill from a run in which its own step failed."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from labagent.explore.patching.propose import Lab
    from labagent.models.config import Config
    from labagent.models.exploration import PatchRecord
    from labagent.skills.finding import Scan


def add_actions(add: Any) -> None:
    """The action, made by ``add(name, help)``, which returns a parser."""
    patch = add("patch", "propose a version of a skill with the fix that cleared its failing step in a run")
    patch.add_argument(
        "attempt", type=Path, metavar="RUN", help="an attempt's folder, results/runs/ARM/TARGET/N"
    )
    patch.add_argument(
        "--tier", type=int, choices=(1, 2, 3), default=3, help="the last tier of its validation (default: 3)"
    )


def patch(args: argparse.Namespace, config: Config, scan: Scan | None) -> int:
    """Make, validate and show a patch; status 1 where there is none that holds."""
    from labagent.explore.patching.propose import admit, propose

    skills = args.root / config.results / "skills"
    made = propose(args.attempt, skills, _lab(args.root, config, args.attempt), tier=args.tier, scan=scan)
    settings = config.explorers.get(made.origin)
    if made.status == "proposed" and made.tier == 3 and settings is not None and settings.admit_patches:
        draft = args.root / config.results / "explore" / made.origin / made.skill / "draft.json"
        made = admit(made, skills, draft)
    if args.json:
        print(json.dumps(made.to_json(), indent=2))
    else:
        _print(made, skills)
    return 0 if made.status in {"proposed", "admitted"} else 1


ACTIONS = {"patch": patch}


def _lab(root: Path, config: Config, run: Path) -> Lab:
    """The lab of the run's skill as it is staged; without it fewer checks are made."""
    from labagent.explore.patching.propose import Lab, skill_of
    from labagent.models.snapshot import Snapshot

    name = skill_of(run)
    artifacts = root / config.results / "artifacts" / name
    recorded = root / config.results / "explore" / "api" / f"{name}.json"
    return Lab(
        snapshot=Snapshot.read(recorded) if recorded.is_file() else None,
        artifacts=artifacts.resolve() if (artifacts / "repository").is_dir() else None,
        environment=config.environment,
        sandbox=config.sandbox,
        root=root.resolve(),
    )


def _print(made: PatchRecord, skills: Path) -> None:
    """The edits, what is left, and what to do next."""
    from labagent.explore.patching.propose import place_of

    for edit in made.edits:
        print(f"{edit.file}: {edit.change}  (turn {edit.turn}: {edit.fix.splitlines()[0]})")
    for text in made.left:
        print(f"left: {text}")
    place = place_of(made, skills)
    print(f"{made.skill}: {made.status}{f' ({made.reason})' if made.reason else ''}")
    if made.status == "proposed":
        print(
            f"look at it:  labagent skills diff {made.origin}/{made.skill} {place.parent.name}/{made.skill}"
        )
        print(f"take it in:  labagent skills promote {made.skill} --origin {place.parent.name} --replace")
    if made.status == "admitted":
        print("it took the place of the explorer's draft; the next run of the workflow validates and uses it")
