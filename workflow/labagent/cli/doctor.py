"""``labagent doctor``: what this machine has, and what follows for a run."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

HELP = "what is available here (environments, sandbox, SLURM, model keys) and what follows"
_MARKS = {True: "[green]yes[/]", False: "[red]no[/]"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``doctor``."""
    parser.add_argument("--root", type=Path, default=Path(), help="the workflow's folder (default: here)")
    parser.add_argument("--json", action="store_true", help="machine-readable output")


def run(args: argparse.Namespace) -> int:
    """Print the findings; the exit status is 1 where nothing could run at all."""
    from labagent.cli._findings import conclusions, facts

    found = facts(args.root)
    follows = conclusions(found)
    if args.json:
        print(json.dumps({**found, "follows": follows}, indent=2, sort_keys=True))
    else:
        _print(found, follows)
    return 0 if all(entry["works"] for entry in follows if entry["needed"]) else 1


def _print(found: dict[str, Any], follows: list[dict[str, Any]]) -> None:
    """Tables for the terminal."""
    from rich.markup import escape
    from rich.table import Table

    from labagent.cli._tables import table_console

    console = table_console()
    programs = Table("program", "here", "version", title="Programs", title_justify="left")
    for name, program in found["programs"].items():
        programs.add_row(name, _MARKS[program["here"]], program["version"])
    console.print(programs)
    console.print(_machine(found["machine"]))
    keys = Table("variable", "set", "needed by", title="Model keys (names only)", title_justify="left")
    for name, key in found["keys"].items():
        keys.add_row(name, _MARKS[key["set"]], ", ".join(key["models"]))
    console.print(keys)
    verdicts = Table("", "works", "", title="What follows", title_justify="left")
    for entry in follows:
        verdicts.add_row(entry["topic"], _MARKS[entry["works"]], escape(entry["text"]))
    console.print(verdicts)


def _machine(machine: dict[str, Any]) -> str:
    """One paragraph about the machine."""
    gpu = ", ".join(machine["gpu"]) or "none"
    return (
        f"{machine['system']}, {machine['cores']} cores, {machine['memory_mb'] / 1024:.1f} GB memory "
        f"({machine['memory_free_mb'] / 1024:.1f} free), {machine['disk_free_gb']:.1f} GB of disk free, "
        f"GPU: {gpu}; Python {machine['python']}, labagent {machine['labagent']}, "
        f"litellm {machine['litellm']}, snakemake {machine['snakemake']}"
    )
