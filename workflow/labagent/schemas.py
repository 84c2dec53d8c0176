"""JSON schemas of the records, generated from the pydantic models: ``workflow/schemas/``."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path

import labagent
from labagent import models
from labagent.files import to_json, write_text
from labagent.models.base import FileRecord, Record
from labagent.models.config import Config
from labagent.models.family import Family
from labagent.models.leaderboard import Board, PublishedRow
from labagent.models.tables import Lab, Reference, Target

FOLDER = Path(labagent.__file__).resolve().parents[1] / "schemas"
SUFFIX = ".schema.json"
EDITED: tuple[type[Record], ...] = (Config, Lab, Target, Reference, Family, Board, PublishedRow)
"""Records of files a user edits; those of ``results/`` are found by their base class."""


def schema_files() -> dict[str, str]:
    """File name and content of every schema: what a user edits, and every file record of ``results/``."""
    return {_file_name(model): _schema(model) for model in (*EDITED, *_file_records())}


def write_schemas(folder: Path = FOLDER) -> list[Path]:
    """Write all schemas into ``folder`` and remove those of no record; returns what changed."""
    changed = drift(folder)
    for path in changed:
        content = schema_files().get(path.name)
        if content is None:
            path.unlink()
        else:
            write_text(path, content)
    return changed


def drift(folder: Path = FOLDER) -> list[Path]:
    """Schema files that are missing, out of date, or of no record."""
    wanted = schema_files()
    there = {path.name: path.read_text(encoding="utf-8") for path in folder.glob(f"*{SUFFIX}")}
    return [
        folder / name for name in sorted(wanted.keys() | there.keys()) if wanted.get(name) != there.get(name)
    ]


def _file_records() -> Iterator[type[FileRecord]]:
    """Every record of ``labagent.models`` that is a file, by name."""
    modules = [
        importlib.import_module(f"{models.__name__}.{m.name}") for m in pkgutil.iter_modules(models.__path__)
    ]
    found = {
        member
        for module in modules
        for member in vars(module).values()
        if isinstance(member, type) and issubclass(member, FileRecord) and member is not FileRecord
    }
    return iter(sorted(found, key=lambda model: model.__name__))


def _file_name(model: type[Record]) -> str:
    """``RunRecord`` → ``run_record.schema.json``."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", model.__name__).lower() + SUFFIX


def _schema(model: type[Record]) -> str:
    """A model's JSON schema (draft 2020-12) as a file."""
    schema = model.model_json_schema(mode="validation")
    return to_json({"$schema": "https://json-schema.org/draft/2020-12/schema", **schema})
