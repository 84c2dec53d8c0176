"""Reading a user's copy of a benchmark: small texts and mappings, with every fault kept."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from labagent.errors import InputFault
from labagent.inputs.yaml_file import read_yaml_mapping

MAX_TEXT = 4 << 20


def first_file(folder: Path, names: Iterable[str]) -> Path | None:
    """The first of ``names`` that is a file of ``folder`` and does not lead out of it."""
    places = (folder / name for name in names)
    return next((p for p in places if p.is_file() and p.resolve().is_relative_to(folder.resolve())), None)


def read_small(path: Path, faults: list[InputFault]) -> str:
    """A text file; empty with a fault where it cannot be used."""
    try:
        if path.stat().st_size > MAX_TEXT:
            faults.append(InputFault(str(path), f"is larger than {MAX_TEXT >> 20} MiB"))
            return ""
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        faults.append(InputFault(str(path), f"is not UTF-8 text (byte {error.start})"))
    except OSError as error:
        faults.append(InputFault(str(path), f"cannot be read: {error.strerror}"))
    return ""


def read_mapping(path: Path, faults: list[InputFault]) -> dict[str, Any]:
    """A mapping from YAML, JSON or TOML; empty with a fault where there is none."""
    if path.suffix != ".toml":
        return read_yaml_mapping(path, str(path), faults) or {}
    try:
        return tomllib.loads(read_small(path, faults))
    except tomllib.TOMLDecodeError as error:
        faults.append(InputFault(str(path), f"is not TOML: {error}"))
        return {}


def usable_path(path: Path, faults: list[InputFault]) -> str:
    """A path as an item of a table; a fault where a table could not tell it from several items."""
    if any(mark in str(path) for mark in ";#\t\n"):
        faults.append(
            InputFault(str(path), "has one of ; # in its path, which a table cannot hold; rename it")
        )
    return str(path)
