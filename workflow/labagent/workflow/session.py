"""The workflow's resolved configuration, handed from the Snakefile to its jobs.

The Snakefile validates the inputs once and stores the resolved config (file and command line merged) under
its hash; jobs find it through an environment variable, so that no job parameter depends on all of it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from labagent.files import read_json, sha256_json, write_json
from labagent.inputs import Inputs, load_config, load_inputs
from labagent.models.config import Config

VARIABLE = "LABAGENT_CONFIG"
FOLDER = ".labagent/config"


def open_session(root: Path, overrides: Mapping[str, Any], path: Path | None = None) -> Inputs:
    """Validate all inputs and store the resolved config for the jobs of this run.

    Raises:
        InputError: with every fault found.
    """
    inputs = load_inputs(root, overrides, path)
    value = inputs.config.model_dump(mode="json")
    stored = root / FOLDER / f"{sha256_json(value)[:16]}.json"
    if not stored.exists():
        write_json(stored, value)
    os.environ[VARIABLE] = str(stored)
    return inputs


def current_config(root: Path) -> Config:
    """The config a job works with: what the Snakefile stored, else ``config/config.yaml``.

    Raises:
        InputError: no stored config, and the file is wrong.
    """
    stored = os.environ.get(VARIABLE)
    if stored and Path(stored).is_file():
        return Config.model_validate(read_json(Path(stored)))
    return load_config(root)


def current_inputs(root: Path) -> Inputs:
    """All inputs, with the config a job works with."""
    return load_inputs(root, current_config(root).model_dump(mode="json"))


@contextmanager
def logged(log: str | Path) -> Iterator[None]:
    """Send a script's standard output and error to its log file."""
    with Path(log).open("a", encoding="utf-8", buffering=1) as stream:
        stream.truncate(0)
        before = sys.stdout, sys.stderr
        sys.stdout = sys.stderr = stream
        try:
            yield
        finally:
            sys.stdout, sys.stderr = before
