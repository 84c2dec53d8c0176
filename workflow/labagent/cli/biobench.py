"""``labagent biobench``: import task sets, answer them in conditions, score the answers."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from labagent.models.asking import AnswerRecord
    from labagent.models.biobench_runs import BiobenchScores, RunPlace
    from labagent.models.config import Config

HELP = "import BioBench task sets, answer them in conditions, score the answers"
CORRECTIONS = Path("benchmarks/biobench/corrections.yaml")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the actions."""
    commands = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    _add_import(commands.add_parser("import", help=IMPORT, description=IMPORT))
    for name, text in (("run", RUN), ("score", SCORE)):
        sub = commands.add_parser(name, help=text, description=text)
        sub.add_argument("--set", action="append", metavar="NAME", help="a set of the config (default: all)")
        sub.add_argument(
            "--condition", action="append", metavar="NAME", help="(default: those of the config)"
        )
        sub.add_argument("--model", action="append", metavar="NAME", help="offline, or a name under models")
        sub.add_argument(
            "--seed", action="append", type=int, metavar="N", help="(default: those of the config)"
        )
        sub.add_argument(
            "--tasks", type=Path, metavar="FILE", help="a task file instead of a set's; with one --set"
        )
        sub.add_argument("--backend", action="append", metavar="NAME", help="asked in order; with one --set")
        sub.add_argument("--json", action="store_true", help="machine-readable output")
        if name == "run":
            sub.add_argument("--split", action="append", help="tasks of this split alone")
            sub.add_argument("--category", action="append", help="tasks of this category alone")
            sub.add_argument("--usd", type=float, help="cap of one run, over all its tries")


def run(args: argparse.Namespace) -> int:
    """Carry out one action."""
    return {"import": _import, "run": _run, "score": _score}[args.action](args)


IMPORT = "the tasks of a file, or of a clone at a commit, in our format"
RUN = "answer tasks: every condition, model and seed in a process of its own; a killed run goes on"
SCORE = "score what was answered"


def _add_import(sub: argparse.ArgumentParser) -> None:
    """Arguments of ``import``."""
    what = "a task file (published or our format), or a folder that holds the published ones"
    sub.add_argument("source", type=Path, metavar="FILE", help=what)
    sub.add_argument("--commit", default="", metavar="HASH", help="read a git repository at this commit")
    sub.add_argument(
        "--corrections", type=Path, default=CORRECTIONS, metavar="FILE", help=f"default: {CORRECTIONS}"
    )
    sub.add_argument("--as-published", action="store_true", help="apply no corrections")
    default = "results/biobench/tasks/<name>.jsonl"
    sub.add_argument("--to", type=Path, metavar="FILE", help=f"where to write (default: {default})")
    sub.add_argument("--json", action="store_true", help="machine-readable output")


def _import(args: argparse.Namespace) -> int:
    """Write a task set in our format."""
    from labagent.biobench.importing import import_tasks
    from labagent.biobench.tasks import write_tasks

    corrections = None if args.as_published else args.corrections
    tasks = import_tasks(args.source, corrections, args.commit)
    target = args.to or Path("results/biobench/tasks") / f"{args.source.stem}.jsonl"
    write_tasks(target, tasks)
    summary = {
        "file": str(target),
        "commit": args.commit,
        "tasks": len(tasks),
        "corrected": sum(bool(t.correction) for t in tasks),
        "splits": dict(Counter(t.split for t in tasks)),
    }
    if args.json:
        print(json.dumps(summary, indent=2))
    else:
        splits = ", ".join(f"{count} {name}" for name, count in summary["splits"].items())
        print(f"{len(tasks)} tasks ({splits}), {summary['corrected']} corrected: {target}")
    return 0


def _run(args: argparse.Namespace) -> int:
    """Answer in this process where it is one run, else each in a process of its own."""
    from labagent.workflow import benching

    config = _config(args)
    places = _places(args, config)
    if len(places) == 1:
        done = benching.run(Path.cwd(), config, places[0], None if args.json else _progress)
        record = done.model_dump(mode="json", exclude={"tasks"})
        cost = "unknown" if done.cost_usd is None else f"US$ {done.cost_usd:.4f}"
        counts = f"{done.answered} of {len(done.tasks)} answered"
        line = f"{_named(places[0])}: {done.status}, {counts}, {cost} {done.reason}"
        print(json.dumps(record, indent=2) if args.json else line.strip())
        return 0
    benching.apart(Path.cwd(), [["biobench", "run", *_words(args, place)] for place in places])
    return 0


def _score(args: argparse.Namespace) -> int:
    """Score runs and print what came of them."""
    from labagent.workflow import benching

    config = _config(args)
    scored = [benching.score(Path.cwd(), config, place) for place in _places(args, config)]
    if args.json:
        print(json.dumps([s.model_dump(mode="json", exclude={"roots"}) for s in scored], indent=2))
    else:
        _print(scored)
    return 0


def _config(args: argparse.Namespace) -> Config:
    """The config with what the command line says otherwise.

    Raises:
        InputError: a name is not there.
    """
    from labagent.models.biobench_settings import BiobenchSet, BiobenchSettings
    from labagent.models.config import Config
    from labagent.workflow.session import current_config

    config = current_config(Path.cwd())
    changed: dict[str, Any] = config.biobench.model_dump(mode="json")
    names = {"condition": "conditions", "model": "models", "seed": "seeds", "split": "splits"}
    for flag, field in {**names, "category": "categories", "usd": "usd"}.items():
        if (value := getattr(args, flag, None)) is not None:
            changed[field] = value
    if args.tasks or args.backend:
        name = (args.set or [args.tasks.stem if args.tasks else "own"])[0]
        chosen = config.biobench.sets.get(name, BiobenchSet()).model_dump(mode="json")
        chosen |= {"tasks": str(args.tasks)} if args.tasks else {}
        chosen |= {"backends": args.backend} if args.backend else {}
        changed["sets"] = {name: chosen}
    elif args.set:
        changed["sets"] = {n: v for n, v in changed["sets"].items() if n in args.set}
    return _checked(config, changed, BiobenchSettings, Config, args.set or ())


def _checked(config: Config, changed: dict[str, Any], settings: Any, whole: Any, wanted: Any) -> Config:
    """The config with changed settings, checked as a file's would be."""
    from pydantic import ValidationError

    from labagent.biobench.runs import faults
    from labagent.errors import InputError, InputFault

    missing = [name for name in wanted if name not in changed["sets"]]
    if missing:
        message = f'there is no set "{missing[0]}"; allowed: {", ".join(config.biobench.sets)}'
        raise InputError([InputFault("config/config.yaml", message, column="biobench.sets")])
    try:
        changed_config: Config = config.model_copy(update={"biobench": settings.model_validate(changed)})
    except ValidationError as error:
        found = [
            InputFault("biobench", f"{'.'.join(map(str, e['loc']))}: {e['msg']}") for e in error.errors()
        ]
        raise InputError(found) from None
    if found := faults(Path.cwd(), changed_config):
        raise InputError(found)
    return changed_config


def _places(args: argparse.Namespace, config: Config) -> list[RunPlace]:
    """The runs that are meant."""
    from labagent.biobench.runs import places

    return list(places(config))


def _words(args: argparse.Namespace, place: RunPlace) -> list[str]:
    """The command of one run."""
    words = [
        "--set",
        place.set,
        "--condition",
        place.condition,
        "--model",
        place.model,
        "--seed",
        str(place.seed),
    ]
    for flag in ("tasks", "usd"):
        words += [f"--{flag}", str(value)] if (value := getattr(args, flag)) is not None else []
    for flag in ("backend", "split", "category"):
        words += [word for value in getattr(args, flag) or () for word in (f"--{flag}", value)]
    return [*words, *(["--json"] if args.json else [])]


def _progress(number: int, total: int, answer: AnswerRecord) -> None:
    """A line an answer, on standard error."""
    print(f"[{number}/{total}] {answer.id}: {answer.outcome}", file=sys.stderr, flush=True)


def _named(place: RunPlace) -> str:
    """A run in words."""
    return f"{place.set}/{place.condition}/{place.model}/{place.seed}"


def _print(scored: list[BiobenchScores]) -> None:
    """A table: a row a run."""
    from rich.table import Table

    from labagent.cli._tables import table_console

    shown = (
        "accuracy",
        "strict",
        "tools",
        "cited",
        "valid",
        "trace",
        "failures",
        "echo_accuracy",
        "echo_strict",
    )
    table = Table("run", *shown, "missing records")
    for scores in scored:
        shares = [getattr(scores.summary, name) for name in shown]
        cells = [f"{s.hits} of {s.total}" for s in shares]
        table.add_row(_named(scores.place), *cells, str(len(scores.missing_records)))
    table_console().print(table)
