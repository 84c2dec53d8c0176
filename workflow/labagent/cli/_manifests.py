"""Actions of ``labagent skills`` on tool skills: manifests, examples."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from labagent.errors import SkillError

if TYPE_CHECKING:
    from labagent.models.config import Config


def add_actions(add: Any) -> None:
    """The actions, made by ``add(name, help)``, which returns a parser."""
    listing = add("manifests", "skills that answer questions: routes, safety, tools")
    listing.add_argument("--route", help="those of one route (sequence, protein, mutation, literature)")
    examples = add("examples", "run the examples of a tool skill; status 1 where one does not hold")
    examples.add_argument("path", type=Path, metavar="NAME", help="the skill's name, or its folder")


def manifests(args: argparse.Namespace, config: Config) -> int:
    """List manifests; what is wrong with broken ones goes to standard error. 1 where there is such a one."""
    from labagent.ask.manifests import discover

    found = discover(args.root)
    shown = [m for m in found.manifests if args.route is None or args.route in m.routes]
    if args.json:
        print(json.dumps([manifest.model_dump(mode="json") for manifest in shown], indent=2))
    else:
        for manifest in shown:
            routes, safety = ", ".join(manifest.routes) or "no route", ", ".join(manifest.safety)
            print(f"{manifest.skill} ({routes}; {safety}): {' '.join(manifest.tools)}")
    for name, fault in found.faults.items():
        print(f"labagent: skills/{name}: {fault}", file=sys.stderr)
    return int(bool(found.faults))


def examples(args: argparse.Namespace, config: Config) -> int:
    """Run the examples, one line each."""
    import tempfile

    from labagent.skills.example_runs import run_examples
    from labagent.skills.finding import Context
    from labagent.skills.manifest import read_manifest
    from labagent.skills.own_environment import own_environment
    from labagent.skills.read import read_skill

    folder = args.path if args.path.is_dir() else args.root / "skills" / args.path
    if not (folder / "SKILL.md").is_file():
        raise SkillError(f"{args.path}: no such skill; labagent skills manifests lists those there are")
    skill = read_skill(folder)
    if not skill.is_tool_skill:
        raise SkillError(f"{skill.name} is no tool skill (metadata kind): its quick start is its test")
    manifest = read_manifest(folder, skill)
    with tempfile.TemporaryDirectory(prefix="labagent-examples-") as work:
        context = Context(
            folder=folder.resolve(),
            skill=skill,
            snapshot=None,
            artifacts=None,
            environment=config.environment,
            sandbox=config.sandbox,
            root=args.root.resolve(),
            work=Path(work),
            log=Path(work) / "log",
            built=own_environment(),
        )
        outcomes = list(run_examples(context, manifest))
    if args.json:
        print(json.dumps([{"number": o.number, "faults": o.faults} for o in outcomes], indent=2))
    else:
        for outcome in outcomes:
            print(f"example {outcome.number}: {'; '.join(outcome.faults) or 'holds'}")
    return int(any(outcome.faults for outcome in outcomes))


ACTIONS: dict[str, Callable[[argparse.Namespace, Config], int]] = {
    "manifests": manifests,
    "examples": examples,
}
