"""Actions of ``labagent skills`` on the library: promote, export, diff, index, rubric."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from labagent.errors import SkillError

if TYPE_CHECKING:
    from labagent.models.skill import Verdict
    from labagent.skills.library import Entry


def add_actions(add: Any) -> None:
    """The actions, made by ``add(name, help)``, which returns a parser."""
    promote = add("promote", "copy a frozen skill that passed all tiers into skills/")
    promote.add_argument("name", help="the skill's name")
    promote.add_argument("--origin", default="", help="whose version, where several passed")
    promote.add_argument("--replace", action="store_true", help="take the place of another version")
    export = add("export", "copy skills to a folder for other agents that read Agent Skills")
    export.add_argument("folder", type=Path, metavar="DIR")
    export.add_argument(
        "names", nargs="*", metavar="SKILL", help="NAME or ORIGIN/NAME; all of skills/ without any"
    )
    export.add_argument("--replace", action="store_true", help="take the place of skills of the same name")
    diff = add("diff", "what differs between two versions of a skill (status 1 where anything does)")
    diff.add_argument("first", help="a folder, NAME or ORIGIN/NAME")
    diff.add_argument("second", help="a folder, NAME or ORIGIN/NAME")
    index = add("index", "write skills/index.json anew")
    index.add_argument("--verdict", action="append", default=[], type=Path, metavar="FILE", dest="verdicts",
                       help="a verdict of a skill in skills/, as validate --json prints it")  # fmt: skip
    index.add_argument("--check", action="store_true", help="write nothing; status 1 where it is not in step")
    add("rubric", "the rules of the acceptance rubric, with their reasons")


def promote(args: argparse.Namespace, results: str) -> int:
    """Copy a frozen skill into the library."""
    from labagent.library.promote import promote as admit

    done = admit(args.root, args.name, origin=args.origin, results=results, replace=args.replace)
    if args.json:
        print(
            json.dumps(
                {"folder": str(done.folder), "sha256": done.sha256, "replaced": done.replaced}, indent=2
            )
        )
        return 0
    print(f"{done.folder} {done.sha256[:12]}; review it, and commit it with skills/index.json")
    print(f"to use it in runs: set source of {args.name} to curated in the table of labs")
    return 0


def export(args: argparse.Namespace, results: str) -> int:
    """Copy skills for other agents."""
    from labagent.library.export import export as write
    from labagent.skills.library import library

    entries = library(args.root, results)
    own = [entry for entry in entries if entry.origin == "library"]
    written = write([_entry(entries, name) for name in args.names] or own, args.folder, replace=args.replace)
    print(
        json.dumps([str(path) for path in written], indent=2) if args.json else "\n".join(map(str, written))
    )
    return 0


def diff(args: argparse.Namespace, results: str) -> int:
    """Print what differs, aspect by aspect."""
    from labagent.library.diff import diff_skills
    from labagent.skills.library import library

    entries = library(args.root, results)
    changes = diff_skills(*(_folder(entries, name) for name in (args.first, args.second)))
    if args.json:
        print(json.dumps([asdict(change) for change in changes], indent=2))
        return int(bool(changes))
    shown = ("", "")
    for change in changes:
        if (change.aspect, change.file) != shown:
            shown = (change.aspect, change.file)
            print(f"\n{change.aspect}{f': {change.file}' if change.file else ''}")
        print(f"  {change.sign} {change.text}")
    if not changes:
        print("no difference")
    return int(bool(changes))


def index(args: argparse.Namespace, results: str) -> int:
    """Write the index, or compare it."""
    from labagent.library.index import INDEX, make_index, read_index, write_index

    if args.check:
        stale = make_index(args.root, results=results) != read_index(args.root)
        print(f"{INDEX} {'is not in step: run labagent skills index' if stale else 'is in step'}")
        return int(stale)
    written = write_index(args.root, results=results, verdicts=[_verdict(path) for path in args.verdicts])
    if args.json:
        print(json.dumps(written.model_dump(mode="json"), indent=2))
        return 0
    for skill in written.skills:
        print(
            f"{skill.name} {skill.sha256[:12]} {skill.verdict.status if skill.verdict else 'not validated'}"
        )
    return 0


def rubric(args: argparse.Namespace, results: str) -> int:
    """List the rules."""
    from labagent.skills.rubric import rubric as rules

    if args.json:
        print(json.dumps([asdict(rule) for rule in rules()], indent=2))
        return 0
    for rule in rules():
        print(
            f"{rule.id} ({'advice' if rule.advice else 'must hold'}): {rule.asks} {rule.reason.capitalize()}."
        )
    return 0


ACTIONS = {"promote": promote, "export": export, "diff": diff, "index": index, "rubric": rubric}


def _verdict(path: Path) -> Verdict:
    """A verdict in a file.

    Raises:
        SkillError: there is none, or the file holds something else.
    """
    from labagent.models.skill import Verdict

    try:
        return Verdict.read(path)
    except (OSError, ValueError) as error:
        raise SkillError(
            f"{path}: no verdict can be read here; labagent skills validate --json prints one"
        ) from error


def _entry(entries: list[Entry], name: str) -> Entry:
    """The skill of a name, or of ``ORIGIN/NAME``.

    Raises:
        SkillError: there is none.
    """
    origin, _, short = name.rpartition("/")
    named = [e for e in entries if e.name == short and origin in ("", e.origin)]
    if not named:
        known = ", ".join(f"{e.origin}/{e.name}" for e in entries) or "none"
        raise SkillError(f'there is no skill "{name}"; there are: {known}')
    return named[0]


def _folder(entries: list[Entry], name: str) -> Path:
    """A skill's folder, given as that or by name."""
    return Path(name) if (Path(name) / "SKILL.md").is_file() else _entry(entries, name).folder
