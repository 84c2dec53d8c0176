"""Parts of a benchmark, as options of the command line: one family, arm, skill or target, or several."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # every command line is built with add_options
    from labagent.inputs import Inputs

OPTIONS = {"family": "families", "arm": "arms", "skill": "skills", "target": "targets"}
"""Option → key of ``selection``."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options; each may be given several times."""
    for option in OPTIONS:
        parser.add_argument(
            f"--{option}",
            action="append",
            default=[],
            metavar="NAME",
            help=f"only this {option} (repeatable)",
        )


def selection(args: argparse.Namespace) -> dict[str, list[str]]:
    """What the options select, as ``selection`` of the config; what is not named is left as it is there."""
    return {key: getattr(args, option) for option, key in OPTIONS.items() if getattr(args, option)}


def chosen_inputs(root: Path, args: argparse.Namespace) -> Inputs:
    """The inputs of the workflow that runs here, else those of its files, with the options on top.

    Args:
        root: the workflow's folder.
        args: with the options.

    Raises:
        InputError: the files have faults, or an option names something that is not there.
    """
    from labagent.inputs import load_inputs

    return load_inputs(root, _overrides(root, args))


def _overrides(root: Path, args: argparse.Namespace) -> dict[str, Any]:
    """The config that the running workflow was started with, and the options."""
    from labagent.files import read_json
    from labagent.workflow import leftovers

    base: dict[str, Any] = {}
    stored = leftovers.config_of(root)
    if stored is not None:
        base = dict(read_json(stored))
    return {**base, "selection": {**base.get("selection", {}), **selection(args)}}


def config_argument(chosen: dict[str, list[str]]) -> list[str]:
    """A selection as words of a ``snakemake`` command line; none where nothing is selected."""
    if not chosen:
        return []
    parts = (f"{key}: [{', '.join(names)}]" for key, names in sorted(chosen.items()))
    return ["--config", f"selection={{{', '.join(parts)}}}"]


def snakemake_words(*words: str) -> list[str]:
    """The command line of the ``snakemake`` that goes with this Python."""
    import sys

    return [sys.executable, "-m", "snakemake", *words]


def run_snakemake(root: Path, words: list[str]) -> int:
    """Run ``snakemake`` in ``root`` in this process' place, and give its exit status.

    Its lines go where this command's go.
    """
    import subprocess

    clean = {name: value for name, value in os.environ.items() if name != "LABAGENT_CONFIG"}
    return subprocess.run(snakemake_words(*words), cwd=root, env=clean, check=False).returncode
