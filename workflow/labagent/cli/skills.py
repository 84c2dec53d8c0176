"""``labagent skills``: the library, one skill's text, validation by hand, skeletons."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from labagent.cli import _library, _manifests, _patch
from labagent.errors import SkillError

if TYPE_CHECKING:
    from labagent.models.config import Config
    from labagent.models.skill import Verdict
    from labagent.models.snapshot import Snapshot
    from labagent.skills.finding import Scan
    from labagent.skills.library import Entry

HELP = "list, show, validate, begin, promote, export and compare skills"
STYLES = {"passed": "green", "failed": "bold red", "warning": "yellow", "skipped": "dim"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the actions."""
    parser.add_argument(
        "--root", type=Path, default=Path(), help="the project's folder (default: the current one)"
    )
    commands = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    _action(commands, "list", "skills/ and results/skills/ with their verdicts")
    show = _action(commands, "show", "a skill's root, or one of its loci")
    show.add_argument("name", metavar="NAME", help="a skill's name or folder")
    show.add_argument("locus", nargs="?", metavar="LOCUS", help="a locus of it")
    validate = _action(commands, "validate", "check a skill; exit status 1 when it is refused")
    validate.add_argument("path", type=Path, metavar="PATH", help="the skill's folder, or a name of skills/")
    validate.add_argument(
        "--tier", type=int, choices=(1, 2, 3), default=3, help="the last tier to run (default: 3)"
    )
    text = "the lab's staged folder (default: results/artifacts/<skill> where it is there)"
    validate.add_argument("--artifacts", type=Path, metavar="DIR", help=text)
    new = _action(commands, "new", "begin a skill by hand, in skills/")
    new.add_argument("name", metavar="NAME", help="lowercase letters, digits, single hyphens")
    new.add_argument("--from", dest="labs", nargs="+", default=[], metavar="LAB", help="labs it is made from")
    _library.add_actions(lambda name, text: _action(commands, name, text))
    _patch.add_actions(lambda name, text: _action(commands, name, text))
    _manifests.add_actions(lambda name, text: _action(commands, name, text))


def _action(commands: Any, name: str, text: str) -> argparse.ArgumentParser:
    """A sub-command with ``--json``."""
    sub: argparse.ArgumentParser = commands.add_parser(name, help=text, description=text)
    sub.add_argument("--json", action="store_true", help="machine-readable output")
    return sub


def run(args: argparse.Namespace) -> int:
    """Carry out one action."""
    if args.action in _library.ACTIONS:
        return _library.ACTIONS[args.action](args, _config(args.root).results)
    if args.action in _patch.ACTIONS:
        return _patch.ACTIONS[args.action](args, _config(args.root), _scan(args.root))
    if args.action in _manifests.ACTIONS:
        return _manifests.ACTIONS[args.action](args, _config(args.root))
    actions = {"list": _list, "show": _show, "validate": _validate, "new": _new}
    return actions[args.action](args)


def _list(args: argparse.Namespace) -> int:
    """A table of all skills."""
    from labagent.skills.library import library

    rows = [_row(entry) for entry in library(args.root, _config(args.root).results)]
    if args.json:
        print(json.dumps(rows, indent=2))
        return 0
    _table(
        ("skill", "origin", "status", "loci", "what for"), [[str(v) for v in row.values()] for row in rows]
    )
    return 0


def _row(entry: Entry) -> dict[str, Any]:
    """An entry as a row."""
    said = entry.skill.description if entry.skill else entry.fault
    if entry.verdict and entry.verdict.status != "valid":
        said = entry.verdict.reason
    return {
        "skill": entry.name,
        "origin": entry.origin,
        "status": entry.status,
        "loci": len(entry.skill.loci) if entry.skill else 0,
        "text": said,
    }


def _show(args: argparse.Namespace) -> int:
    """Print a root or a locus; where the skill was refused, that goes to standard error."""
    from labagent.skills.read import read_skill

    folder, refusal = _folder(args.root, args.name)
    skill = read_skill(folder)
    if args.locus is None:
        text = skill.root.strip("\n") + "\n"
    else:
        found = next((locus for locus in skill.loci if locus.name == args.locus), None)
        if found is None:
            known = ", ".join(locus.name for locus in skill.loci)
            raise SkillError(f'{skill.name} has no locus "{args.locus}"; it has: {known}')
        text = found.text
    if args.json:
        loci = [locus.name for locus in skill.loci]
        shown = {"skill": skill.name, "locus": args.locus, "loci": loci, "text": text, "refusal": refusal}
        print(json.dumps(shown, indent=2))
    else:
        if refusal:
            print(f"labagent: {refusal}", file=sys.stderr)
        print(text, end="")
    return 0


def _folder(root: Path, name: str) -> tuple[Path, str]:
    """The folder of a skill given by folder or name, and why it was refused, empty where it was not.

    Raises:
        SkillError: there is no such skill, or nothing of it to be shown; says why and where that stands.
    """
    from labagent.skills.library import find, library

    if (Path(name) / "SKILL.md").is_file():
        return Path(name), ""
    entries = library(root, _config(root).results)
    entry = find(entries, name)
    if entry is None:
        known = ", ".join(sorted({e.name for e in entries})) or "none"
        raise SkillError(f'there is no skill "{name}"; there are: {known}')
    if entry.skill is None:
        raise SkillError(_refusal(entry) or f"{entry.folder}: {entry.fault}")
    return entry.folder, _refusal(entry)


def _refusal(entry: Entry) -> str:
    """A verdict that is not ``valid``, with its reason and where it stands; empty where there is none."""
    from labagent.skills.read import VERDICT

    if entry.verdict is None or entry.verdict.status == "valid":
        return ""
    said = f"{entry.name} is {entry.verdict.status} ({entry.origin}): {entry.verdict.reason}"
    return f"{said}; see {entry.folder / VERDICT}"


def _validate(args: argparse.Namespace) -> int:
    """Check a skill and print what was found."""
    import tempfile

    from labagent.skills.validate import validate_skill

    path = _given(args.root, args.path)
    config = _config(args.root)
    name = path.resolve().name
    artifacts = args.artifacts or args.root / config.results / "artifacts" / name
    staged = artifacts if (artifacts / "repository").is_dir() else None
    if args.artifacts and staged is None:
        raise SkillError(f"{args.artifacts}: holds no staged repository (a folder repository/)")
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "validate.log"
        verdict = validate_skill(
            path,
            origin="curated",
            snapshot=_snapshot(args.root, config, name, staged),
            artifacts=staged.resolve() if staged else None,
            root=args.root.resolve(),
            log=log,
            environment=config.environment,
            sandbox=config.sandbox,
            tier=args.tier,
            scan=_scan(args.root),
        )
        printed = log.read_text(encoding="utf-8") if log.exists() else ""
    if args.json:
        print(json.dumps(verdict.to_json(), indent=2))
    else:
        _print_verdict(verdict, printed if verdict.status == "refused" else "")
    return 0 if verdict.status == "valid" else 1


def _given(root: Path, path: Path) -> Path:
    """The folder of a skill given by folder, or by its name in ``skills/``.

    Raises:
        SkillError: there is none; names the nearest of ``skills/``.
    """
    import difflib

    if path.is_dir():
        return path
    named = root / "skills" / path
    if len(path.parts) == 1 and named.is_dir():
        return named
    there = sorted(place.parent.name for place in (root / "skills").glob("*/SKILL.md"))
    near = difflib.get_close_matches(path.name, there, n=1)
    hint = f"; did you mean skills/{near[0]}?" if near else f"; skills/ has: {', '.join(there) or 'none'}"
    raise SkillError(f"{path}: no such folder{hint}")


def _scan(root: Path) -> Scan | None:
    """The search for published values; ``None`` outside a project."""
    from labagent.library.published import published_values

    return published_values(root) if (root / "config" / "config.yaml").is_file() else None


def _print_verdict(verdict: Verdict, printed: str) -> None:
    """The checks as a table, the tiers, and what the failing run printed."""
    from rich.text import Text

    rows: list[list[Any]] = []
    for tier in verdict.tiers:
        for check in tier.checks:
            place = f"{check.file}{f':{check.line}' if check.line else ''}"
            rows.append(
                [str(tier.tier), check.id, Text(check.status, STYLES[check.status]), place, check.message]
            )
    _table(("tier", "check", "result", "where", "what"), rows)
    for tier in verdict.tiers:
        print(f"tier {tier.tier}: {tier.status.replace('_', ' ')} ({tier.seconds:.1f} s)")
    if printed:
        print("\nwhat the blocks printed last:\n" + "\n".join(printed.splitlines()[-20:]))
    print(f"{verdict.skill}: {verdict.status}{f' ({verdict.reason})' if verdict.reason else ''}")


def _snapshot(root: Path, config: Config, name: str, artifacts: Path | None) -> Snapshot | None:
    """The lab's snapshot: the recorded one, else read now; ``None`` without artifacts."""
    from labagent.models.snapshot import Snapshot

    recorded = root / config.results / "explore" / "api" / f"{name}.json"
    if artifacts == root / config.results / "artifacts" / name and recorded.is_file():
        return Snapshot.read(recorded)
    if artifacts is None:
        return None
    from labagent.snapshot import snapshot

    return snapshot(artifacts / "repository", name)


def _new(args: argparse.Namespace) -> int:
    """Write a skeleton."""
    from labagent.skills.lab_package import lab_requirement, lab_rows
    from labagent.skills.scaffold import new_skill

    if Path(args.name).name != args.name:
        raise SkillError(f'"{args.name}" is a path; give the name of a skill, which begins in skills/')
    config = _config(args.root)
    rows = lab_rows(args.root, config) if args.labs else {}
    found = {lab: _snapshot(args.root, config, lab, _staged(args.root, config, lab)) for lab in args.labs}
    wanted = [lab_requirement(lab, rows.get(lab), snapshot) for lab, snapshot in found.items()]
    written = new_skill(args.root / "skills" / args.name, args.labs, wanted)
    if args.json:
        print(json.dumps([path.as_posix() for path in written], indent=2))
    else:
        print("\n".join(path.as_posix() for path in written))
        print(f"fill in what says FILL IN, then: labagent skills validate skills/{args.name}")
    return 0


def _staged(root: Path, config: Config, lab: str) -> Path | None:
    """A lab's staged folder, where it was staged."""
    folder = root / config.results / "artifacts" / lab
    return folder if (folder / "repository").is_dir() else None


def _config(root: Path) -> Config:
    """The project's configuration; defaults where there is none."""
    from labagent.inputs import load_config
    from labagent.models.config import Config

    return load_config(root) if (root / "config" / "config.yaml").is_file() else Config()


def _table(columns: tuple[str, ...], rows: list[list[Any]]) -> None:
    """Print a table; markup in cells is not read."""
    from rich.table import Table
    from rich.text import Text

    from labagent.cli._tables import table_console

    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in columns:
        table.add_column(column, overflow="fold")
    for row in rows:
        table.add_row(*(cell if isinstance(cell, Text) else Text(str(cell)) for cell in row))
    table_console().print(table)
